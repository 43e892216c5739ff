"""A sweep over each representation of a graph, by its driver, on the emulator."""

from collections.abc import Callable

import numpy as np
import pytest

import warpath as wp
from emulated_runtime import EmulatedRuntime
from multigraphs import NAMES, multigraph
from planted import Fault
from warpath.bench import clock, representations
from warpath.bench.representations import FORMS, sums_of
from warpath.cuda import graph_sweeps as driver
from warpath.cuda.instances import graph_sweep_kernel
from warpath.cuda.runtime import use

THREADS = 64
KERNELS = [
    ("graph_sweeps.cuh", graph_sweep_kernel(*name, threads=THREADS))
    for name in (
        ("sweep_matrix",),
        ("sweep_lists", "warpath::TwoArrays"),
        ("sweep_lists", "warpath::Interleaved"),
        ("sweep_edges", False),
        ("sweep_edges", True),
    )
]


@pytest.fixture(scope="module")
def runtime(emulator):
    with EmulatedRuntime(emulator, KERNELS, threads=THREADS) as runtime, use(runtime):
        yield runtime


def graph_of(name):
    """Weights with signs, and large ones: a sum of them needs 64 bits."""
    source, target, n, directed = multigraph(name, path=40, star=70, hub=150, beside_hub=20)
    weights = np.random.default_rng(1).integers(-(2**31), 2**31 - 1, len(source), np.int32)
    return wp.Graph.from_edges(source, target, weights, n=n, directed=directed)


def swept(runtime, graph, form):
    arrays = map(runtime.xp.asarray, FORMS[form].make(graph))
    sums = runtime.xp.zeros(graph.num_vertices, np.int64)
    getattr(driver, FORMS[form].on_gpu)(*arrays, sums)
    return sums.get()


def check(runtime, graph, form):
    assert np.array_equal(swept(runtime, graph, form), sums_of(graph)), form


def allowed(graph, form):
    if form.startswith("adjacency matrix"):
        source, target, _ = graph.coo()
        return len(set(zip(source.tolist(), target.tolist(), strict=True))) == graph.num_arcs
    return not (graph.directed and form.endswith("each pair once"))


@pytest.mark.parametrize("name", NAMES)
def test_every_graph(runtime, name):
    graph = graph_of(name)
    for seed in (0, 1, 2):
        runtime.seed = seed
        for form in FORMS:
            if allowed(graph, form):
                check(runtime, graph, form)


@pytest.mark.parametrize("n", [1, 2, 31, 32, 33, 64, 65, 100])
def test_rows_of_any_length(runtime, n):
    """Rows around a warp's lanes; each row is full, self-loops among its arcs."""
    source, target = np.divmod(np.arange(n * n), n)
    weights = np.random.default_rng(n).integers(1, 255, n * n).astype(np.int32)
    graph = wp.Graph.from_edges(source, target, weights, n=n)
    runtime.seed = n
    for form in FORMS:
        if allowed(graph, form):
            check(runtime, graph, form)


def test_nothing(runtime):
    """No arcs; and no vertices, where nothing is launched."""
    for n in (5, 0):
        graph = wp.Graph.from_edges([], [], np.zeros(0, np.int32), n=n, directed=False)
        for form in FORMS:
            assert swept(runtime, graph, form).tolist() == [0] * n


def test_the_bench_asks_a_gpu(runtime, monkeypatch):
    """All but its clock, for which a GPU is needed: outside it, arrays are copied."""
    timed: list[Callable[[], None]] = []

    def on_device(call):
        before = runtime.launches
        timed.append(call)
        assert call() is None
        assert runtime.launches == before + 1
        return None, 0.5

    monkeypatch.setattr(clock, "on_device", on_device)
    graph = wp.generate.erdos_renyi(99, 400, weights=(1, 255), seed=2)
    for form in FORMS:
        found = representations.ask(graph, form, "sweep", "cuda")
        assert (found.seconds, found.questions) == (0.5, 99)
        assert found.found == representations.expected(graph, "sweep")
    assert len(timed) == len(FORMS)
    representations._on_gpu.cache_clear()  # whose arrays are the emulator's


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "the inverse order of a self-loop": (
        Fault("graph_sweeps.cuh", "if (each_once && u != v)", "if (each_once)"),
        "list of edges, each pair once",
    ),
    "an addition that is not atomic": (
        Fault(
            "graph_sweeps.cuh",
            "atomicAdd(a.sums + u, contribution(weight, v));",
            "const Count before = a.sums[u];\n"
            "    if (weight != 0) a.sums[u] = before + contribution(weight, v);",
        ),
        "list of edges, sorted",
    ),
    "rows without their padding": (
        Fault("graph_sweeps.cuh", "a.matrix + u * a.pitch", "a.matrix + u * a.vertices"),
        "adjacency matrix, padded",
    ),
    "entries without an arc": (
        Fault("graph_sweeps.cuh", "v < a.vertices && weight != a.none ?", "v < a.vertices ?"),
        "adjacency matrix",
    ),
    "columns behind the last": (
        Fault("graph_sweeps.cuh", "v < a.vertices && weight != a.none ?", "weight != a.none ?"),
        "adjacency matrix",
    ),
    "a list that ends too soon": (
        Fault(
            "graph_sweeps.cuh",
            "sum += mine < end ? one : 0;",
            "sum += mine + 1 < end ? one : 0;",
        ),
        "adjacency lists, AoS",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_sum_is_found(emulator, tmp_path, name):
    fault, form = MUTANTS[name]
    with (
        emulator.faulty_runtime(tmp_path, fault, KERNELS, threads=THREADS) as runtime,
        use(runtime),
    ):
        for seed in range(8):
            runtime.seed = seed
            for graph in map(graph_of, ("self-loops", "star", "path")):
                if allowed(graph, form):
                    check(runtime, graph, form)
