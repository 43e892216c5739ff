from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpath as wp
from warpath import verify


@pytest.fixture
def karate(tmp_path: Path) -> Path:
    file = tmp_path / "karate.npz"
    wp.write(wp.generate.named("karate"), file)
    return file


def test_pagerank(run_json: Any, karate: Path) -> None:
    data = run_json("pagerank", karate, "--damping", 0.5, "--tolerance", 1e-9)
    expected = wp.pagerank(wp.read(karate), damping=0.5, tolerance=1e-9)
    assert data["rank"] == expected.tolist()
    assert (data["damping"], data["tolerance"]) == (0.5, 1e-9)
    assert data["rank"] != run_json("pagerank", karate)["rank"]


def test_cores(run_json: Any, karate: Path) -> None:
    data = run_json("cores", karate)
    verify.core_numbers(wp.read(karate), np.array(data["core"]))
    assert data["largest"] == 4


def test_triangles(run_json: Any, karate: Path) -> None:
    data = run_json("triangles", karate)
    assert data["at vertex"] == wp.triangles(wp.read(karate)).tolist()
    assert data["triangles"] == 45
    data = run_json("triangles", karate, "--clustering")
    assert data["clustering"] == wp.clustering(wp.read(karate)).tolist()
    assert data["average"] == pytest.approx(0.5706, abs=1e-4)  # Newman 2003, table II: 0.57


def test_communities_by_name(run: Any, run_json: Any, towns: Path, tmp_path: Path) -> None:
    graph = wp.read(towns, directed=False)
    data = run_json("communities", towns, "--undirected", "--seed", 3)
    labels, count = wp.label_propagation(graph, seed=3)
    verify.label_propagation(graph, labels)
    assert data["community"] == graph.labels[labels].tolist()
    assert (data["communities"], data["largest"]) == (count, np.bincount(labels).max())
    file = tmp_path / "communities.csv"
    run("communities", towns, "--undirected", "-o", file)
    assert file.read_text().splitlines()[0] == "vertex,community"


@pytest.mark.parametrize("command", ["pagerank", "communities"])
def test_iterations_run_out(run: Any, karate: Path, command: str) -> None:
    error = run(command, karate, "--max-iterations", 1, code=1).stderr
    assert "give more max_iterations" in error
    assert "Traceback" not in error


@pytest.mark.parametrize("command", ["pagerank", "cores", "triangles", "communities"])
def test_an_empty_graph(run_json: Any, tmp_path: Path, command: str) -> None:
    file = tmp_path / "empty.npz"
    wp.write(wp.Graph.from_edges([], [], n=0, directed=False), file)
    assert run_json(command, file)["vertex"] == []
