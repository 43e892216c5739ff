"""Whatever is wrong with a call has its named error, before any kernel starts."""

from inspect import Parameter, isfunction, signature

import networkx as nx
import numpy as np
import pytest

import warpath as wp
from oracles import METHODS, NON_NEGATIVE, SIGNED

EMPTY = wp.Graph.from_edges([], [])
ONE = wp.Graph.from_edges([], [], n=1)
PLAIN = wp.Graph.from_edges([0, 1], [1, 2], [1, 2])
FLOATS = wp.Graph.from_edges([0, 1], [1, 2], [1.0, 2.0])
NEGATIVE = wp.Graph.from_edges([0, 1], [1, 2], [1, -2])
NAN = float("nan")

# (what is wrong, graph, arguments, error, part of its message), for bfs and for sssp
BOTH = [
    ("zero vertices", EMPTY, {"source": 0}, ValueError, "source 0 is out of range: the graph has 0 vertices"),
    ("zero vertices, several", EMPTY, {"source": [0]}, ValueError, "sources[0] 0 is out of range: the graph has 0"),
    ("one vertex", ONE, {"source": 1}, ValueError, "source 1 is out of range: the graph has 1 vertex"),
    ("source = n", PLAIN, {"source": 3}, ValueError, "source 3 is out of range: the graph has 3 vertices"),
    ("source < 0", PLAIN, {"source": -1}, ValueError, "source -1 is out of range"),
    ("huge source", PLAIN, {"source": 2**70}, ValueError, f"source {2**70} is out of range"),
    ("bool", PLAIN, {"source": True}, ValueError, "source must be an integer vertex id, not True"),
    ("float", PLAIN, {"source": 1.0}, ValueError, "not 1.0"),
    ("NumPy float", PLAIN, {"source": np.float64(1)}, ValueError, "source must be an integer vertex id"),
    ("float of no dimension", PLAIN, {"source": np.array(1.5)}, ValueError, "not 1.5"),
    ("NaN", PLAIN, {"source": NAN}, ValueError, "not nan"),
    ("string", PLAIN, {"source": "0"}, ValueError, "not '0'"),
    ("None", PLAIN, {"source": None}, ValueError, "not None"),
    ("no source", PLAIN, {"source": []}, ValueError, "sources is empty: give at least one vertex"),
    ("a bad one of several", PLAIN, {"source": [0, 2, 3]}, ValueError, "sources[2] 3 is out of range"),
    ("a negative one of several", PLAIN, {"source": [0, -2]}, ValueError, "sources[1] -2 is out of range"),
    ("a huge one of several", PLAIN, {"source": [0, 2**40]}, ValueError, f"sources[1] {2**40} is out of range"),
    ("float sources", PLAIN, {"source": [0.0, 1.0]}, ValueError, "sources must be integer vertex ids, not float64"),
    ("bool sources", PLAIN, {"source": [True, False]}, ValueError, "not bool"),
    ("string sources", PLAIN, {"source": ["a"]}, ValueError, "sources must be integer vertex ids"),
    ("two dimensions", PLAIN, {"source": [[0, 1]]}, ValueError, "sources must be one-dimensional, not of shape (1, 2)"),
    ("no graph", np.zeros((3, 3)), {"source": 0}, TypeError, "expected a warpath.Graph, not numpy.ndarray: wp.Graph(...)"),
    ("schedule", PLAIN, {"source": 0, "schedule": "warp"}, ValueError, "schedule 'warp': 'warp' is no balance (thread-mapped, "),
    ("schedule of another type", PLAIN, {"source": 0, "schedule": 3}, ValueError, "schedule must be a warpath.Schedule, its text or a balance, not 3"),
    ("device", PLAIN, {"source": 0, "device": "tpu"}, ValueError, "unknown device 'tpu'; choose one of auto, cpu"),
]  # fmt: skip

BFS = [
    ("alpha of another direction", PLAIN, {"schedule": "direction=top-down,alpha=3"}, ValueError, "alpha is a knob of direction 'optimizing', not of 'top-down'"),
    ("delta", PLAIN, {"schedule": "delta=3"}, ValueError, "schedule 'delta=3': bfs has no delta; it has balance, frontier"),
    ("balance of the CPU", PLAIN, {"device": "cpu", "schedule": "virtual-warp"}, ValueError, "balance='virtual-warp' is for device='cuda', not 'cpu'"),
    ("loop of the CPU", PLAIN, {"device": "cpu", "schedule": "loop=host"}, ValueError, "loop='host' is for device='cuda', not 'cpu'"),
    ("depth_limit < 0", PLAIN, {"depth_limit": -1}, ValueError, "depth_limit must be a non-negative integer, not -1"),
    ("depth_limit float", PLAIN, {"depth_limit": 2.0}, ValueError, "depth_limit must be a non-negative integer, not 2.0"),
    ("depth_limit string", PLAIN, {"depth_limit": "2"}, ValueError, "not '2'"),
]  # fmt: skip

SSSP = [
    ("method", PLAIN, {"method": "a-star"}, ValueError, "unknown method 'a-star'; choose one of auto, delta-stepping, "),
    ("no method", PLAIN, {"method": None}, ValueError, "unknown method None"),
    *(
        (f"{method} of negative weights", NEGATIVE, {"method": method}, ValueError, f"method '{method}' cannot take negative weights (the smallest is -2); use one of auto, bellman-ford, bellman-ford-queueless, sequential-bellman-ford")
        for method in NON_NEGATIVE
    ),
    ("an algebra that adds nothing", PLAIN, {"method": "parallel-dijkstra", "algebra": "widest"}, ValueError, "method 'parallel-dijkstra' is for sums of weights, not for algebra 'widest'"),
    ("cutoff of negative weights", NEGATIVE, {"cutoff": 5}, ValueError, "cutoff needs non-negative weights"),
    ("cutoff < 0", PLAIN, {"cutoff": -1}, ValueError, "cutoff must not be negative, not -1"),
    ("cutoff -inf", PLAIN, {"cutoff": -np.inf}, ValueError, "cutoff must not be negative, not -inf"),
    ("cutoff NaN", FLOATS, {"cutoff": NAN}, ValueError, "cutoff must be a number, not NaN"),
    ("cutoff string", PLAIN, {"cutoff": "5"}, ValueError, "cutoff must be a number, not '5'"),
    ("cutoff bool", PLAIN, {"cutoff": True}, ValueError, "cutoff must be a number, not True"),
    ("target = n", PLAIN, {"target": 3}, ValueError, "target 3 is out of range: the graph has 3 vertices"),
    ("target < 0", PLAIN, {"target": -1}, ValueError, "target -1 is out of range"),
    ("target float", PLAIN, {"target": 1.0}, ValueError, "target must be an integer vertex id, not 1.0"),
    ("target bool", PLAIN, {"target": True}, ValueError, "target must be an integer vertex id, not True"),
    ("target list", PLAIN, {"target": [1]}, ValueError, "target must be an integer vertex id, not [1]"),
    *(
        (f"delta of {method}", PLAIN, {"method": method, "schedule": "delta=3"}, ValueError, f", not of '{method}'")
        for method in METHODS
        if method != "delta-stepping"
    ),
    *(
        (f"{method} on a GPU", PLAIN, {"method": method, "device": "cuda"}, ValueError, f"method '{method}' is for device='cpu', not 'cuda', which has auto, ")
        for method in ("dijkstra", "bellman-ford", "sequential-bellman-ford")
    ),
    ("workfront-sweep on the CPU", PLAIN, {"method": "workfront-sweep", "device": "cpu"}, ValueError, "method 'workfront-sweep' is for device='cuda', not 'cpu', which has auto, delta-stepping, dijkstra"),
    ("direction", PLAIN, {"schedule": "direction=top-down"}, ValueError, "sssp has no direction; it has balance, small_frontiers, prefilter, path_limit, delta, loop, optimizations"),
    ("balance of the CPU", PLAIN, {"device": "cpu", "schedule": "virtual-warp"}, ValueError, "balance='virtual-warp' is for device='cuda', not 'cpu'"),
    ("loop of the CPU", PLAIN, {"device": "cpu", "schedule": "loop=host"}, ValueError, "loop='host' is for device='cuda', not 'cpu'"),
    ("balance of dijkstra", PLAIN, {"method": "dijkstra", "schedule": "virtual-warp"}, ValueError, "balance='virtual-warp' is for methods of device='cuda', not 'dijkstra'"),
    ("optimizations of another method", PLAIN, {"method": "dijkstra", "schedule": "optimizations=none"}, ValueError, "optimizations are switches of method 'h-bf', not of 'dijkstra'"),
    ("dtype int8", PLAIN, {"dtype": np.int8}, ValueError, "distances are int32, int64, float32 or float64, not"),
    ("dtype unsigned", PLAIN, {"dtype": "uint32"}, ValueError, "distances are int32, int64, float32 or float64, not 'uint32'"),
    ("dtype foreign", PLAIN, {"dtype": ">i4"}, ValueError, "not '>i4'"),
    ("dtype unknown", PLAIN, {"dtype": "number"}, ValueError, "not 'number'"),
    ("integers of floats", FLOATS, {"dtype": "int64"}, ValueError, "float weights make no int64 distances; round the weights first"),
]  # fmt: skip


def refused(call, graph, arguments, error, message):
    with pytest.raises(error) as caught:
        call(graph, **{"source": 0} | arguments)
    assert type(caught.value) is error
    assert message in str(caught.value)


@pytest.mark.parametrize("call", [wp.bfs, wp.sssp])
@pytest.mark.parametrize(
    ("graph", "arguments", "error", "message"), [row[1:] for row in BOTH], ids=[row[0] for row in BOTH]
)  # fmt: skip
def test_either(call, graph, arguments, error, message):
    refused(call, graph, arguments, error, message)


@pytest.mark.parametrize(
    ("graph", "arguments", "error", "message"), [row[1:] for row in BFS], ids=[row[0] for row in BFS]
)  # fmt: skip
def test_bfs(graph, arguments, error, message):
    refused(wp.bfs, graph, arguments, error, message)


@pytest.mark.parametrize(
    ("graph", "arguments", "error", "message"), [row[1:] for row in SSSP], ids=[row[0] for row in SSSP]
)  # fmt: skip
def test_sssp(graph, arguments, error, message):
    refused(wp.sssp, graph, arguments, error, message)


def test_one_vertex_has_an_answer():
    for method in ("auto", *METHODS):
        paths = wp.sssp(ONE, 0, method=method)
        assert (paths.distance.tolist(), paths.predecessor.tolist()) == ([0], [-1])
    assert wp.bfs(ONE, 0).distance.tolist() == [0]


# -- distances that do not fit --------------------------------------------------------------

PATH = ([0, 1], [1, 2])
BEYOND = [
    # (weights of 0 → 1 → 2, arguments, part of the message)
    (np.int64([2**62, 2**62]), {}, "the distance of vertex 2 exceeds int64: the arc 1 → 2 of weight 4611686018427387904"),
    (np.int64([2**63 - 1, 1]), {}, "exceeds int64"),
    (np.int64([2**63 - 2, 1]), {}, "exceeds int64"),  # one more would read as unreachable
    (np.float32([3e38, 3e38]), {}, "the distance of vertex 2 exceeds float32: the arc 1 → 2 of weight 3"),
    (np.float64([1.5e308, 1.5e308]), {}, "the distance of vertex 2 exceeds float64: the arc 1 → 2 of weight 1.5e+308"),
    (np.int32([2**30, 2**30]), {"dtype": np.int32}, "the distance of vertex 2 is 2147483648: too large for int32; ask for dtype=int64"),
    (np.int32([2**30, 2**30 - 1]), {"dtype": np.int32}, "the distance of vertex 2 is 2147483647: too large for int32"),
    (np.int64([5, 2**40]), {"dtype": np.int32}, f"the distance of vertex 2 is {2**40 + 5}: too large for int32"),
    (np.float64([1, 1e39]), {"dtype": np.float32}, "weight 1e+39 of arc 1 does not fit in float32"),
    (np.float64([3e38, 3e38]), {"dtype": np.float32}, "the distance of vertex 2 exceeds float32"),
]  # fmt: skip


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("weights", "arguments", "message"), BEYOND)
def test_too_far(weights, arguments, message, method, several, threads, small_teams):
    graph = wp.Graph.from_edges(*PATH, weights)
    with pytest.raises(OverflowError) as caught:
        wp.sssp(graph, [0, 2] if several else 0, method=method, **arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "weights",
    [np.int64([2**62, 2**62]), np.float32([3e38, 3e38]), np.float64([1.5e308, 1.5e308])],
)
def test_too_far_is_no_matter_beyond_a_limit(weights, method):
    graph = wp.Graph.from_edges(*PATH, weights)
    for limit in ({"target": 1}, {"cutoff": weights[0]}):
        paths = wp.sssp(graph, 0, method=method, **limit)
        assert paths.reached.tolist() == [True, True, False]
    with pytest.raises(OverflowError):  # a target that is too far itself
        wp.sssp(graph, 0, method=method, target=2)
    with pytest.raises(OverflowError):
        wp.sssp(graph, 0, method=method, cutoff=np.inf)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_a_way_round_what_is_too_heavy(method, dtype, threads, small_teams):
    """Sums that do not fit are met on the way, and none is on a shortest path."""
    big = {np.int64: 2**63 - 2, np.float64: 1.5e308}[dtype]
    graph = wp.Graph.from_edges(
        [0, 1, 1, 0, 3], [1, 2, 3, 3, 2], np.array([big, big, big, 7, 7], dtype)
    )
    paths = wp.sssp(graph, 0, method=method)
    assert paths.distance.tolist() == [0, big, 14, 7]
    paths.verify()


BELOW = [
    (np.int64([-(2**62) - 5, -(2**62) - 5]), "a distance is below what int64 holds"),
    (np.int64([-(2**63), -1]), "a distance is below what int64 holds"),
    (np.float32([-3e38, -3e38]), "a distance is below what float32 holds"),
    (np.float64([-1.5e308, -1.5e308]), "a distance is below what float64 holds"),
]


@pytest.mark.parametrize("method", SIGNED)
@pytest.mark.parametrize(("weights", "message"), BELOW)
@pytest.mark.parametrize("shortcut", [False, True])
def test_too_far_below(shortcut, weights, message, method, threads, small_teams):
    """Also where a shorter way has given the vertex a distance before."""
    source, target = PATH
    if shortcut:
        source, target = [*source, 0], [*target, 2]
        weights = np.append(weights, weights.dtype.type(7))
    with pytest.raises(OverflowError) as caught:
        wp.sssp(wp.Graph.from_edges(source, target, weights), 0, method=method)
    assert message in str(caught.value)


@pytest.mark.parametrize("method", SIGNED)
def test_too_far_below_for_int32(method):
    graph = wp.Graph.from_edges(*PATH, np.int32([-(2**31) + 1, -2]))
    with pytest.raises(OverflowError, match="the distance of vertex 2 is -2147483649: too large"):
        wp.sssp(graph, 0, method=method, dtype=np.int32)


@pytest.mark.parametrize("method", SIGNED)
def test_a_target_does_not_hide_what_is_too_far(method):
    """With negative weights it stops nothing, so the rest must fit."""
    graph = wp.Graph.from_edges([0, 0, 2], [1, 2, 3], np.int64([-1, 2**62, 2**62]))
    with pytest.raises(OverflowError, match="the distance of vertex 3 exceeds int64"):
        wp.sssp(graph, 0, method=method, target=1)


@pytest.mark.parametrize("weight", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_never_reach_a_graph(weight):
    with pytest.raises(ValueError, match=r"weight\[1\] is (nan|inf)"):
        wp.Graph.from_edges(*PATH, [1.0, weight])


# -- options that are True or False ---------------------------------------------------------

LYING = wp.Graph.from_edges([0, 1], [1, 2], edge_ids=True).with_coordinates([0, 1, 2], [0, 0, 0])
FLAGS = [
    (wp.bfs, (PLAIN, 0), ("predecessors", "nearest", "trace")),
    (wp.sssp, (PLAIN, 0), ("predecessors", "nearest", "trace")),
    (wp.apsp, (PLAIN,), ("predecessors", "exact", "lazy")),
    (wp.shortest_path, (PLAIN, 0, 2), ("weighted",)),
    (wp.k_shortest_paths, (PLAIN, 0, 2, 1), ("weighted",)),
    (wp.isochrone, (PLAIN, 0, 1), ("towards",)),
    (wp.betweenness, (PLAIN,), ("weighted", "normalized", "endpoints")),
    (wp.edge_betweenness, (PLAIN,), ("weighted", "normalized")),
    (wp.eccentricity, (PLAIN,), ("weighted",)),
    (wp.diameter, (PLAIN,), ("weighted",)),
    (wp.closeness, (PLAIN,), ("weighted", "by_share")),
    (wp.harmonic, (PLAIN,), ("weighted",)),
    (wp.statistics, (PLAIN,), ("diameter",)),
    (wp.plan, (PLAIN, "bfs", 0), ("nearest",)),
    (wp.Graph.from_edges, ([0], [1]), ("directed", "symmetrize", "drop_self_loops", "compact", "edge_ids")),
    (wp.Graph.from_frame, (PLAIN.to_pandas(),), ("directed", "compact")),
    (wp.Graph.from_csr, ([0, 1], [0]), ("directed",)),
    (wp.Graph.from_matrix, (np.eye(2),), ("directed",)),
    (wp.Graph.from_edge_index, (np.array([[0, 1], [1, 0]]),), ("directed",)),
    (LYING.nearest_vertices, (0, 0), ("return_distance",)),
    (LYING.path_edges, ([0, 1],), ("heaviest",)),
    (PLAIN.largest_component, (), ("strong",)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "given", "option"),
    [(call, given, option) for call, given, options in FLAGS for option in options],
    ids=lambda value: getattr(value, "__name__", value if isinstance(value, str) else ""),
)
def test_neither_true_nor_false(call, given, option):
    with pytest.raises(ValueError, match=f"^{option} must be True or False, not 'no'$"):
        call(*given, **{option: "no"})
    call(*given, **{option: np.False_})


def test_a_graph_keeps_no_truth_value_of_numpy():
    assert wp.Graph.from_edges([0], [1], directed=np.False_).directed is False


# -- what is no graph, and what is no single vertex -------------------------------------------


# Every function of a graph.
CALLS = [
    call
    for module in (wp, wp.generate, wp.verify)
    for call in (getattr(module, name) for name in module.__all__)
    if isfunction(call) and next(iter(signature(call).parameters), "") == "graph"
]
NO_GRAPHS = [
    (None, "not NoneType: wp.Graph(...) makes one"),
    (nx.path_graph(3), "not networkx.Graph: wp.Graph(...) makes one"),
    ("roads.gr", "not str: wp.read reads a file"),
    (np.zeros((3, 3)), "not numpy.ndarray: wp.Graph(...) makes one"),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.__module__}.{call.__name__}")
@pytest.mark.parametrize(("value", "message"), NO_GRAPHS)
def test_no_graph(call, value, message):
    needed = [p for p in signature(call).parameters.values() if p.default is Parameter.empty]
    others = [
        "apsp" if p.name == "search" else 0
        for p in needed[1:]
        if p.kind is Parameter.POSITIONAL_OR_KEYWORD
    ]
    with pytest.raises(TypeError) as caught:
        call(value, *others)
    assert str(caught.value) == f"expected a warpath.Graph, {message}"


@pytest.mark.parametrize("several", [["a", "b"], np.array(["a", "b"])])
@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda g, several: wp.shortest_path(g, several, "c"), "source"),
        (lambda g, several: wp.shortest_path(g, "a", several), "target"),
        (lambda g, several: wp.sssp(g, "a", target=several), "target"),
        (lambda g, several: wp.k_shortest_paths(g, several, "c", 2), "source"),
        (lambda g, several: wp.st_connected(g, "a", several), "target"),
    ],
)
def test_several_labels_where_one_vertex_belongs(call, name, several):
    graph = wp.Graph.from_edges(["a", "b"], ["b", "c"])
    with pytest.raises(ValueError, match=f"^{name} must be one vertex, not a sequence of 2$"):
        call(graph, several)


def test_an_array_where_one_vertex_belongs():
    with pytest.raises(ValueError, match=r"^source must be one vertex, not a sequence of 1$"):
        wp.shortest_path(PLAIN, np.array([0]), 2)
    with pytest.raises(ValueError, match=r"^target must be one vertex, not array\(1\.5\)$"):
        wp.shortest_path(PLAIN, 0, np.array(1.5))
    assert wp.shortest_path(PLAIN, np.array(0), 2).length == 3
