from pathlib import Path

import pytest

from warpath.bench import roofline, runner
from warpath.bench.suites import SUITES
from warpath.bench.summary import Summary
from warpath.bench.trial import Trial


def planted(graph: str, label: str, device: str, seconds: float, **about: object) -> Trial:
    return Trial(
        "hbf-table2",
        {"name": graph, "vertices": 100, "arcs": 1000, "weights": "int32"} | about,
        {"label": label, "algorithm": "sssp", "device": device},
        seconds=seconds,
        arcs=500,
        machine={"bandwidth": {"cpu": 1e10, "cuda": 4e12}},
    )


def test_least_bytes() -> None:
    # 500 arcs of 12 bytes; half of the arcs, so half of the vertices, of 8 bytes.
    assert roofline.least_bytes(planted("a", "b", "cuda", 1.0)) == 500 * 12 + 50 * 8
    assert roofline.least_bytes(planted("a", "b", "cuda", 1.0, weights=None)) == 500 * 8 + 50 * 8
    assert roofline.least_bytes(planted("a", "b", "cuda", 1.0, arcs=None)) is None


def test_numbers_that_are_near_stand_in_other_rows() -> None:
    sizes = {"a": 1e6, "b": 1.01e6, "c": 1.02e6, "d": 1e7}
    assert roofline._rows(sizes, 2.0) == {"a": 0, "b": 1, "c": 2, "d": 0}


def test_draws(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    trials = [
        planted("msdoor", "H-BF", "cuda", 1e-3),
        planted("msdoor", "Dijkstra", "cpu", 1e-1),
        planted("flickr", "H-BF", "cuda", 2e-3),
    ]
    found = Summary(SUITES["hbf-table2"](), trials)
    assert [(one.graph, one.label) for one in roofline.points(found)] == [
        ("msdoor", "Dijkstra"), ("msdoor", "H-BF"), ("flickr", "H-BF")
    ]  # fmt: skip
    assert roofline.roofs(trials) == {"cpu": 1e10, "cuda": 4e12}
    assert roofline.save(found, tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    assert "<svg" in text
    assert not roofline.save(Summary(SUITES["hbf-table2"](), []), tmp_path / "b.png")


def test_a_run_knows_its_bandwidth() -> None:
    settings = runner.Settings(device="cpu", scale=0.0005, sources=1)
    (one, *_) = runner.run("survey-fig13", SUITES["survey-fig13"](), settings)
    assert 1e8 < one.machine["bandwidth"]["cpu"] < 1e13
