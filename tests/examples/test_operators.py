"""The examples of operators run, and are right."""

import runpy
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import warpath as wp

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "operators"


def run(name):
    return runpy.run_path(str(FOLDER / f"{name}.py"))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_they_are_short(path):
    assert len(path.read_text().splitlines()) <= 25
    assert f"def test_{path.stem}(" in Path(__file__).read_text()


def test_breadth_first():
    ran = run("breadth_first")
    assert np.array_equal(ran["level"], wp.bfs(ran["graph"], ran["source"]).distance)


def test_toll():
    ran = run("toll")
    source, target, weight = ran["roads"].coo()
    district = ran["district"]
    paid = weight + np.where(district[source] != district[target], ran["TOLL"], 0)
    graph = wp.Graph.from_edges(source, target, paid)
    assert np.array_equal(ran["cost"], wp.sssp(graph, 0).distance)


@pytest.mark.slow
def test_toll_rule():
    ran = run("toll_rule")
    source, target, weight = ran["roads"].coo()
    passable = weight <= ran["TOO_STEEP"]
    paid = weight + np.where(weight > ran["STEEP"], ran["EXTRA"], 0)
    graph = wp.Graph.from_edges(
        source[passable], target[passable], paid[passable].astype(float), n=1600
    )
    assert np.array_equal(ran["paths"].distance, wp.sssp(graph, 0).distance)


@pytest.mark.slow
def test_widest():
    ran = run("widest")
    right = wp.sssp(ran["pipes"], ran["source"], algebra="widest").distance
    others = np.arange(len(right)) != ran["source"]
    assert np.array_equal(ran["width"][others], np.maximum(right, 0)[others])


def test_label_propagation():
    ran = run("label_propagation")
    assert np.array_equal(ran["label"], wp.connected_components(ran["graph"])[0])


def test_pagerank():
    ran = run("pagerank")
    source, target, _ = ran["web"].coo()
    graph = nx.MultiDiGraph(zip(source.tolist(), target.tolist(), strict=True))
    graph.add_nodes_from(range(ran["n"]))
    right = nx.pagerank(graph, tol=1e-12, max_iter=500)
    assert np.allclose(ran["rank"], [right[v] for v in range(ran["n"])], atol=1e-6)


@pytest.mark.slow
def test_forest_fire(capsys):
    run("forest_fire")
    shares = [
        int(line.split(": ")[1].split("%")[0]) for line in capsys.readouterr().out.splitlines()
    ]
    assert shares == sorted(shares)
    assert shares[0] < 5 < 80 < shares[-1]  # bonds of a square lattice: all at once, at p = 1/2


@pytest.mark.slow
def test_k_core():
    ran = run("k_core")
    source, target, _ = ran["graph"].coo()
    graph = nx.Graph(zip(source.tolist(), target.tolist(), strict=True))
    right = nx.core_number(graph)
    assert [ran["core"][v] for v in graph] == [right[v] for v in graph]


@pytest.mark.slow
def test_independent_set():
    ran = run("independent_set")
    wp.verify.maximal_independent_set(ran["town"], ran["kiosk"] == 1)
