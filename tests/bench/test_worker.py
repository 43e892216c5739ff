import warpath as wp
from warpath.bench import measure, sources, worker
from warpath.bench.suites.registry import on_cpu

QUEUE = on_cpu("queue", "sssp", threads=1, slow=True, method="sequential-bellman-ford")


def subject(graph: wp.Graph) -> measure.Subject:
    return measure.Subject(graph, sources.draw(graph, 2, 1))


def test_another_process_answers_and_is_ended_at_the_limit() -> None:
    graph = wp.generate.grid(64, weights=(1, 255), seed=1)
    answered = [*worker.measure_apart(subject(graph), QUEUE, 60.0)]
    assert [fields["status"] for fields in answered] == ["ok", "ok"]
    assert all(fields["verified"] and fields["seconds"] > 0 for fields in answered)
    assert all(fields["relaxations"] > graph.num_arcs for fields in answered)

    large = wp.generate.grid(600, weights=(1, 255), seed=1)  # takes some 0.1 s
    (ended,) = worker.measure_apart(subject(large), QUEUE, 1e-3)
    assert (ended["status"], ended["seconds"]) == ("over-limit", 1e-3)


def test_only_large_graphs_are_worth_it(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    called = []
    monkeypatch.setattr(worker, "measure_apart", lambda *given: called.append(given) or iter(()))
    small = wp.generate.grid(8, weights=(1, 255), seed=1)
    assert [*measure.measure(subject(small), QUEUE, 1.0)]
    assert not called
    monkeypatch.setattr(measure, "_WORTH_A_PROCESS", 1)
    assert not [*measure.measure(subject(small), QUEUE, 1.0)]
    assert called
