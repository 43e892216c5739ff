"""What a graph in parts says, and what is said of it where it is no graph."""

from inspect import signature

import pytest

import warpath as wp
from thread_ranks import answers_on
from warpath.distributed.multi_gpu import MultiGpuGraph

TAKE_PARTS = {"bfs", "sssp", "connected_components"}
FUNCTIONS = {
    f"{module.__name__}.{name}": function
    for module in (wp, wp.verify, wp.generate, wp.distributed)
    for name in module.__all__
    if callable(function := getattr(module, name)) and not isinstance(function, type)
    if next(iter(signature(function).parameters), "") == "graph"
    if module is not wp or name not in TAKE_PARTS | {"plan"}
} | {"plan": lambda graph: wp.plan(graph, "apsp"), "Graph": wp.Graph}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_a_graph_say_what_takes_one_in_parts(name):
    function = FUNCTIONS[name]
    needed = [one for one in signature(function).parameters.values() if one.default is one.empty]
    others = [0] * (len([one for one in needed if one.kind is one.POSITIONAL_OR_KEYWORD]) - 1)
    whole = wp.generate.grid(3)
    parts = wp.distributed.distribute(whole)
    with pytest.raises(TypeError, match=r"DistributedGraph: wp\.bfs, wp\.sssp and .* take graphs"):
        function(parts, *others)
    with pytest.raises(TypeError, match="MultiGpuGraph: give its attribute graph"):
        function(MultiGpuGraph(whole, (0, 1)), *others)


def test_a_rank_may_own_no_vertex_or_one():
    graph = wp.Graph.from_edges([0], [1])
    lines = answers_on(3, lambda: repr(wp.distributed.distribute(graph)))
    assert lines[0].endswith(": 2 vertices, 1 edge, directed, rank 0 of 3: vertices 0 … 0>")
    assert lines[1].endswith("rank 1 of 3: 0 vertices>")
