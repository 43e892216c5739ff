import inspect
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import warpath as wp
from small_graphs import assert_same_graph, random_graph


def test_a_graph_of_a_graph():
    graph = random_graph(1)
    assert_same_graph(wp.Graph(graph), graph)
    with pytest.raises(TypeError, match="takes no options, got directed"):
        wp.Graph(graph, directed=False)


@pytest.mark.parametrize("data", [None, 5, "graph.mtx", np.zeros(3), [[0, 1]]])
def test_what_is_no_graph(data):
    with pytest.raises(TypeError, match=f"cannot make a Graph of {type(data).__name__}"):
        wp.Graph(data)


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        ("graph.mtx", "wp.read reads a file"),
        (Path("graph.mtx"), "wp.read reads a file"),
        ([(0, 1), (1, 2)], r"for pairs .* call Graph.from_edges\(\*zip\(\*pairs\)\)"),
        (pl.DataFrame({"a": [0], "b": [1]}).lazy(), r"give data.collect\(\)"),
    ],
)
def test_what_to_do_with_what_is_no_graph(data, advice):
    with pytest.raises(TypeError, match=advice):
        wp.Graph(data)


@pytest.mark.parametrize("name", [name for name in dir(wp.Graph) if name.startswith("from_")])
def test_constructors_say_what_they_take(name):
    constructor = getattr(wp.Graph, name)
    text = inspect.getdoc(constructor).partition("Raises\n")[0].partition("Parameters\n")[2]
    for parameter in inspect.signature(constructor).parameters.values():
        assert parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        assert re.search(rf"^[\w, ]*\b{parameter.name}\b[\w, ]*( :|$)", text, re.MULTILINE)


@pytest.mark.parametrize("make", ["networkx", "igraph", "graphblas", "frame", "edge_index"])
@pytest.mark.parametrize("data", [None, "roads.gr", 3])
def test_a_constructor_of_another_kind(make, data):
    with pytest.raises(TypeError, match=f"expected a.* of .*, not {type(data).__name__}"):
        getattr(wp.Graph, f"from_{make}")(data)
