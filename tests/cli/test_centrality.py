from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import warpath as wp


@pytest.fixture
def karate(tmp_path: Path) -> Path:
    file = tmp_path / "karate.npz"
    wp.write(wp.generate.named("karate", weights=(1, 9), seed=1), file)
    return file


@pytest.mark.parametrize(
    "options", [{}, {"weighted": False}, {"normalized": False}, {"endpoints": True}]
)
def test_betweenness(run_json: Any, karate: Path, options: dict[str, bool]) -> None:
    flags = {"weighted": "--hops", "normalized": "--raw", "endpoints": "--endpoints"}
    data = run_json("betweenness", karate, *(flags[name] for name in options))
    expected = wp.betweenness(wp.read(karate), **options)
    np.testing.assert_array_equal(data["betweenness"], expected)
    assert data["sources"] == 34


def test_betweenness_of_edges(run_json: Any, karate: Path, tmp_path: Path) -> None:
    data = run_json("betweenness", karate, "--edges")
    graph = wp.read(karate)
    source, target, _ = graph.coo()
    expected = wp.edge_betweenness(graph)[source <= target]
    np.testing.assert_array_equal(data["betweenness"], expected)
    assert len(data["source"]) == len(data["target"]) == 78


def test_betweenness_of_a_sample(run_json: Any, karate: Path) -> None:
    data = run_json("betweenness", karate, "--samples", 5, "--seed", 3)
    assert data["sources"] == 5
    assert (
        data["betweenness"]
        == run_json("betweenness", karate, "--samples", 5, "--seed", 3)["betweenness"]
    )
    assert data["betweenness"] != run_json("betweenness", karate, "--samples", 5)["betweenness"]


def test_ends_of_edges_are_no_choice(run: Any, karate: Path) -> None:
    assert "--endpoints" in run("betweenness", karate, "--edges", "--endpoints", code=2).stderr


def test_closeness_by_name(run: Any, run_json: Any, towns: Path, tmp_path: Path) -> None:
    data = run_json("closeness", towns, "--undirected", "-v", "Ulm", "-v", "Kiel")
    graph = wp.read(towns, directed=False)
    assert data["vertex"] == ["Ulm", "Kiel"]
    assert data["closeness"] == wp.closeness(graph, ["Ulm", "Kiel"]).tolist()
    harmonic = run_json("closeness", towns, "--undirected", "--harmonic")
    assert harmonic["harmonic"] == wp.harmonic(graph).tolist()
    file = tmp_path / "c.parquet"
    run("closeness", towns, "-o", file)
    assert pl.read_parquet(file).columns == ["vertex", "closeness"]
    run("closeness", towns, "-o", tmp_path / "c.npy")
    assert np.load(tmp_path / "c.npy").shape == (5,)


def test_people_see_the_largest(run: Any, towns: Path) -> None:
    lines = run("closeness", towns, "--undirected", "--hops").stdout.splitlines()
    assert "Bonn" in lines[4]
