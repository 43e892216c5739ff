"""Operators written in Python on a device: what plain Python gives."""

from contextlib import nullcontext

import numpy as np
import pytest

import warpath as wp
from operator_bodies import (
    AGGREGATIONS,
    CASES,
    FAR,
    VERTEX_CASES,
    aggregated,
    check_elements,
    check_layers,
    check_neutral,
    check_tensors,
    claim,
    fresh,
    is_odd,
    relax,
    typed,
    visit,
    weight,
)
from warpath import balance
from warpath.cuda import operators
from warpath.language.staging import staged

pytestmark = pytest.mark.gpu


def there(arguments):
    import cupy

    return [cupy.asarray(one) if isinstance(one, np.ndarray) else one for one in arguments]


def back(arguments):
    return [one.get() if hasattr(one, "get") else one for one in arguments]


@pytest.mark.parametrize("direction", ["top-down", "bottom-up"])
@pytest.mark.parametrize("name", CASES)
def test_edges(name, direction):
    case = CASES[name]
    arguments = there(fresh(case.arguments))
    if case.max_iterations == 1:
        f = wp.Frontier(case.graph, case.sources)
        left = wp.advance(
            case.graph, f, case.operator, *arguments, schedule=f"direction={direction}"
        )
        case.check_frontier(left.vertices.get())
    else:
        wp.traverse(
            case.graph, case.sources, case.operator, *arguments, schedule=f"direction={direction}"
        )
    case.check(back(arguments))


@pytest.mark.parametrize("small", ["block", "cluster", "async"])
@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].max_iterations > 1])
def test_small_frontiers(name, small):
    case = CASES[name]
    arguments = there(fresh(case.arguments))
    has_steps = staged(typed(case.operator, case.arguments, case.graph)) is not None
    refused = (
        nullcontext()
        if has_steps or small != "async"
        else pytest.raises(ValueError, match="is for an operator that ends")
    )
    with refused:
        wp.traverse(
            case.graph, case.sources, case.operator, *arguments, schedule=f"small_frontiers={small}"
        )
        case.check(back(arguments))


@pytest.mark.parametrize("name", VERTEX_CASES)
def test_vertices(name):
    case = VERTEX_CASES[name]
    arguments = there(fresh(case.arguments))
    wp.compute(case.graph, case.operator, *arguments)
    case.check(back(arguments))


def test_filter_and_reduce():
    import cupy

    graph = wp.generate.grid(1, 5000)
    a = cupy.arange(5000, dtype=np.int32)
    odd = wp.filter(graph, is_odd, a)
    assert odd.device == "cuda"
    assert sorted(odd.vertices.get().tolist()) == list(range(1, 5000, 2))
    assert wp.reduce(odd, weight, a) == 2 * sum(range(1, 5000, 2))
    assert wp.reduce(graph, weight, a, by="max") == 2 * 4999


def test_tensors_of_pytorch():
    torch = pytest.importorskip("torch", reason="PyTorch's tensors: pip install torch")
    if not torch.cuda.is_available():
        pytest.skip("a PyTorch without CUDA")
    check_tensors(torch, "cuda")


GRAPHS = {
    "rmat": lambda: wp.generate.rmat(18, 16, seed=1, weights=(1, 255)),
    "directed": lambda: wp.generate.rmat(16, 16, directed=True, seed=2, weights=(1, 255)),
    "grid": lambda: wp.generate.grid(700, keep=0.9, seed=3, weights=(1, 255)),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_large_graphs(name):
    import cupy

    graph = GRAPHS[name]()
    source, n = int(np.diff(graph.row_offsets).argmax()), graph.num_vertices
    level = cupy.full(n, -1, np.int32)
    level[source] = 0
    wp.traverse(graph, source, visit, level)
    assert np.array_equal(level.get(), wp.bfs(graph, source, device="cpu").distance)
    # The claims of a large grid: what a cluster of blocks writes plainly is read in its next level.
    parent, depth, order = (
        cupy.full(n, -1, np.int32),
        cupy.zeros(n, np.int32),
        cupy.zeros(1, np.int32),
    )
    parent[source] = source
    wp.traverse(graph, source, claim, parent, depth, order, schedule="small_frontiers=cluster")
    found, reached = depth.get(), level.get() >= 0
    assert np.array_equal(found[reached], level.get()[reached])
    assert order.get()[0] == found.max()
    schedules = ["small_frontiers=off", "small_frontiers=cluster", "small_frontiers=async"]
    for schedule in schedules + ["direction=bottom-up"] * (name != "grid"):
        distance = cupy.full(n, FAR, np.int32)
        distance[source] = 0
        wp.traverse(graph, source, relax, distance, schedule=schedule)
        right = wp.sssp(graph, source, device="cpu", dtype=np.int32).distance
        assert np.array_equal(distance.get(), np.minimum(right, FAR))


CHILD_GRIDS = "dynamic-virtual-warp:dynamic_parallelism=1024"


@pytest.mark.parametrize(
    "schedule",
    [
        *balance.TECHNIQUES, CHILD_GRIDS, f"{CHILD_GRIDS},small_frontiers=cluster",
        "merge-path,loop=host",
    ],
)  # fmt: skip
def test_every_balance(schedule):
    import cupy

    graph = wp.generate.rmat(13, 8, seed=1)
    level = cupy.full(graph.num_vertices, -1, np.int32)
    level[0] = 0
    wp.traverse(graph, 0, visit, level, schedule=schedule)
    assert np.array_equal(level.get(), wp.bfs(graph, 0, device="cpu").distance)


def test_mixed_places_and_checks():
    import cupy

    @wp.operator
    def two(u, v, x, y):
        return x[v] > y[u + 1]

    graph = wp.generate.grid(1, 3)
    with pytest.raises(ValueError, match="x is in the host's memory and y on a GPU"):
        wp.traverse(graph, 0, two, np.zeros(3), cupy.zeros(3))
    wp.set_checks(True)
    try:
        with pytest.raises(IndexError, match="two: index 3 is out of range: y has 3"):
            wp.advance(graph, wp.Frontier(graph, 2), two, cupy.zeros(3), cupy.zeros(3))
    finally:
        wp.set_checks(False)


@pytest.mark.parametrize("name", AGGREGATIONS)
def test_aggregate(name):
    operator, graph, arguments, by, dtype = AGGREGATIONS[name]
    for balance_name in (None, *balance.TECHNIQUES):
        if balance_name and balance.lookup(balance_name).launches_children:
            continue
        found = wp.aggregate(graph, operator, *there(arguments), by=by, schedule=balance_name)
        right = aggregated(operator, graph, arguments, by, dtype)
        assert np.array_equal(found.get(), right, equal_nan=True)


@pytest.mark.parametrize("name", AGGREGATIONS)
@pytest.mark.parametrize("layers", [1, 2, 3, 5, 40])
def test_layers(name, layers):
    """And for some vertices alone, and of the edges from some."""
    import cupy

    check_layers(name, layers, cupy.asarray)


@pytest.mark.parametrize("layers", [1, 4, 5])
def test_elements(layers):
    import cupy

    check_elements(layers, cupy.asarray)


@pytest.mark.parametrize("layers", [1, 4])
@pytest.mark.parametrize("cached", [0, 2**25])
def test_others_that_bring_nothing(monkeypatch, layers, cached):
    import cupy

    monkeypatch.setattr(operators, "_CACHED", cached)
    check_neutral(layers, cupy.asarray)


RELAX = (
    "const int to = distance[u] + w;\nreturn to < distance[v] && to < atomicMin(distance + v, to);"
)


def test_bodies_in_cuda_cpp():
    import cupy

    graph = wp.generate.rmat(12, weights=(1, 255), seed=1)
    distance = cupy.full(graph.num_vertices, FAR, np.int32)
    distance[0] = 0
    relax_in_cpp = wp.operator(source=RELAX, parameters="u, v, w, distance")
    wp.traverse(graph, 0, relax_in_cpp, distance)
    right = wp.sssp(graph, 0, device="cpu").distance
    assert np.array_equal(
        np.where(distance.get() == FAR, np.iinfo(np.int32).max, distance.get()), right
    )
    parity = wp.operator(
        source="return distance[v] & 1;", parameters="v, distance", returns="int32"
    )
    assert wp.reduce(graph, parity, distance) == (distance.get() & 1).sum()
    weights = wp.operator(source="return w;", parameters="u, v, w, x", returns="int32")
    assert wp.aggregate(graph, weights, distance).sum() == graph.weights.sum()


def test_messages_of_the_compiler_name_the_users_line():
    import cupy

    wrong = wp.operator(source="\nreturn nothing(x);", parameters="v, x")
    with pytest.raises(wp.OperatorError, match=r'source\(2\): error: identifier "nothing"'):
        wp.compute(wp.generate.grid(3), wrong, cupy.zeros(9))
