from dataclasses import replace

import pytest

import warpath as wp
from warpath.bench import measurement, search_apart, source_vertices
from warpath.bench.subject import Subject
from warpath.bench.suites.listing import on_cpu

QUEUE = on_cpu("queue", "sssp", threads=1, slow=True, method="sequential-bellman-ford")


def subject(graph: wp.Graph) -> Subject:
    return Subject(graph, source_vertices.draw(graph, 2, 1))


@pytest.fixture
def apart(monkeypatch):  # type: ignore[no-untyped-def]
    """Every graph is worth a process."""
    monkeypatch.setattr(measurement, "_WORTH_A_PROCESS", 1)


@pytest.mark.slow
def test_another_process_answers_and_is_ended_at_the_limit(apart) -> None:  # type: ignore[no-untyped-def]
    graph = wp.generate.grid(64, weights=(1, 255), seed=1)
    answered = [*measurement.measure(subject(graph), QUEUE, 60.0)]
    assert [fields["status"] for fields in answered] == ["ok", "ok"]
    assert all(fields["verified"] and fields["seconds"] > 0 for fields in answered)
    assert all(fields["relaxations"] > graph.num_arcs for fields in answered)
    assert not any("cold_seconds" in fields for fields in answered)  # of another process unknown

    large = wp.generate.grid(600, weights=(1, 255), seed=1)  # takes some 0.1 s
    (ended,) = measurement.measure(subject(large), QUEUE, 1e-3)
    assert (ended["status"], ended["seconds"]) == ("over-limit", 1e-3)


def test_what_fails_in_the_other_process_is_said(apart) -> None:  # type: ignore[no-untyped-def]
    graph = wp.generate.grid(8, weights=(1, 255), seed=1)
    refused = replace(QUEUE, options={"method": "dijkstra", "dtype": "int8"})
    (failed,) = measurement.measure(subject(graph), refused, 60.0)
    assert failed["status"] == "failed"
    assert failed["why"].startswith("ValueError: distances are int32, int64")


def test_a_graph_that_cannot_be_handed_over_is_one_failed_trial(apart, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(search_apart, "write", full)
    graph = wp.generate.grid(8, weights=(1, 255), seed=1)
    (failed,) = measurement.measure(subject(graph), QUEUE, 60.0)
    assert (failed["status"], failed["why"]) == ("failed", "OSError: no space left")


def test_only_large_graphs_are_worth_it(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(
        measurement, "search_apart", lambda *_: pytest.fail("a process was started")
    )
    small = wp.generate.grid(8, weights=(1, 255), seed=1)
    assert [*measurement.measure(subject(small), QUEUE, 1.0)]
