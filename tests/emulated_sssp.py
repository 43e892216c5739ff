"""Searches for shortest paths by their driver in the emulator."""

from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from scipy.sparse import csgraph

from emulated_runtime import EmulatedRuntime
from multigraphs import NAMES, multigraph
from oracles import lightest, unreachable
from warpath import Graph, verify
from warpath.balance import DEFAULT, TECHNIQUES, Technique, lookup
from warpath.cuda import program
from warpath.cuda import sssp as driver
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.edge_classes import edge_classes
from warpath.cuda.instances import edge_class_kernel, sssp_kernel
from warpath.cuda.runtime import use
from warpath.schedule.optimizations import default

DTYPES = {"int32": np.int32, "int64": np.int64, "float32": np.float32, "float64": np.float64}
ALL = 2**32 - 1
SWEEP = None  # Δ of the workfront sweep: infinite


_DEFAULT = lookup(DEFAULT)


@dataclass(frozen=True)
class Case:
    """What the driver is asked for."""

    method: str = "delta-stepping"
    weights: str = "int32"
    dtype: str = "int32"
    offset_bytes: int = 4
    parents: bool = False
    tree: bool = False
    asynchronous: bool = False
    prefilter: bool = False
    path_limit: bool = False
    optimizations: frozenset[str] | None = None
    balance: Technique = _DEFAULT
    algebra: str = "shortest"
    compute_capability: tuple[int, int] = (9, 0)

    def __post_init__(self):
        if self.method == "h-bf" and self.optimizations is None:
            object.__setattr__(self, "optimizations", default(np.dtype(self.dtype)))

    def instances(self, runtime):
        """The kernels that it takes."""
        optimizations = self.optimizations
        with use(runtime):
            runtime.compute_capability = self.compute_capability
            relaxing = driver._relaxing(self.method, np.dtype(self.dtype), optimizations)
        relaxing = driver.variant(
            relaxing, tree=self.tree, limited=self.path_limit, prefiltered=self.prefilter
        )
        made = [
            ("algorithms/sssp.cuh", sssp_kernel(
                self.offset_bytes, relaxing, self.weights, self.dtype, self.balance, self.parents,
                self.asynchronous, True, self.algebra, threads=64,
            ))
        ]  # fmt: skip
        if "edge-classification" in (optimizations or ()):
            for name, types in (
                ("count_in_degrees", (self.weights,)), ("classify_edges", (self.weights,)),
                ("relax_deferred_edges", (self.weights, self.dtype)),
            ):  # fmt: skip
                kernel = edge_class_kernel(name, self.offset_bytes, *types, threads=64)
                made.append(("edge_classes.cuh", kernel))
        return made


class Children(TECHNIQUES["dynamic-virtual-warp"]):
    """A child grid for rows of more than 8 arcs, which the knob does not offer."""

    kernel = "DynamicVirtualWarp<4, 8>"


def same_types(**options):
    """A case for each dtype of weights and distances."""
    return {name: Case(weights=name, dtype=name, **options) for name in DTYPES}


class StepwiseRuntime(EmulatedRuntime):
    """Ends launches of shortest paths after some iterations, and goes on in others.

    Attributes
    ----------
    iterations : int
        Of a launch.
    most_launches : int
        After which a search is left as it is.
    """

    iterations, most_launches, arguments, control = ALL, 10**6, None, None

    def allocate(self, nbytes):
        memory = super().allocate(nbytes)
        self.allocated[memory.address] = memory
        return memory

    def __init__(self, *options, **more):
        super().__init__(*options, **more)
        self.allocated = WeakValueDictionary()

    def persistent(self, header, *options, **more):
        kernel = super().persistent(header, *options, **more)
        return _Stepwise(kernel, self) if header.startswith("algorithms/sssp") else kernel


class _Stepwise:
    def __init__(self, kernel, runtime):
        self.kernel, self.runtime = kernel, runtime

    @property
    def blocks(self):
        return self.kernel.blocks

    def launch(self, arguments):
        runtime, of = self.runtime, self.runtime.arguments
        (given,) = np.frombuffer(bytearray(arguments), of.dtype)
        if runtime.iterations == ALL or given["run"]["iterations"] != ALL:
            self.kernel.launch(arguments)
            return
        given["run"]["iterations"] = runtime.iterations
        control = runtime.allocated[int(given["space"]["control"])]
        for _ in range(runtime.most_launches):
            control.clear(0, 4)  # the grid barrier's count
            self.kernel.launch(given.tobytes())
            given["run"]["resumes"] = True
            size = runtime.control.offset("progress", "size")
            if control.fetch(size, size + 4).view(np.uint32)[0] == 0:
                return


def cases_runtime(emulator, *cases, **options):
    """A runtime with the kernels of some cases, each iterable of them a program."""
    probe = EmulatedRuntime(emulator)
    made = [[one for case in each for one in case.instances(probe)] for each in cases]
    return StepwiseRuntime(emulator, *made, **options)


def make(name):
    """A graph with weights 0 to 11."""
    source, target, n, directed = multigraph(name, path=70, star=1500, hub=2000, beside_hub=700)
    weights = (np.minimum(source, target) * 31 + np.maximum(source, target) * 17) % 12
    return Graph.from_edges(source, target, weights.astype(np.int32), n=n, directed=directed)


GRAPHS = {name: make(name) for name in NAMES}


def in_dtype(graph, dtype):
    """The graph with weights in ``dtype``; floats round."""
    weights = graph.weights.astype(dtype)
    return graph.with_weights(weights * dtype(0.1) if weights.dtype.kind == "f" else weights)


def answer(graph, sources, dtype):
    """Distances from the nearest source, by NumPy: each arc in each round. Close to SciPy's."""
    tail, head, weight = graph.coo()
    wide = np.dtype(dtype if np.dtype(dtype).kind == "f" else np.int64)
    weight = weight.astype(wide)
    distance = np.full(graph.num_vertices, np.inf if wide.kind == "f" else 2**62, wide)
    distance[sources] = 0
    for _ in range(graph.num_vertices):
        before = distance.copy()
        np.minimum.at(distance, head, before[tail] + weight)
        if np.array_equal(before, distance):
            break
    if graph.weight_range[0] < 0:
        found = csgraph.bellman_ford(lightest(graph), indices=np.unique(sources)).min(axis=0)
    else:
        found = csgraph.dijkstra(lightest(graph), indices=np.unique(sources), min_only=True)
    reached = np.isfinite(found)
    assert np.allclose(distance[reached], found[reached], rtol=1e-5, atol=1e-5)
    return np.where(reached, distance, unreachable(np.dtype(dtype))).astype(dtype)


@dataclass
class Found:
    """What a search left."""

    distance: np.ndarray
    report: Any
    launches: int
    parents: np.ndarray | None = None
    marks: Any = None

    @property
    def progress(self):
        return self.report.control()["progress"]

    @property
    def level(self):
        return int(self.progress["level"])


def run(
    runtime, case, graph, sources, delta=SWEEP, *,
    seed=0, blocks=2, wider=1, beyond=3, ahead=3, iterations=ALL, launches=10**6, cutoff=None, target=-1, signed=None,
    check=None, loop="device",
):  # fmt: skip
    """Search by the driver; a prefilter's limit is as many keys ``beyond`` a bucket, one of paths ``ahead``."""
    dtype, n = np.dtype(case.dtype), graph.num_vertices
    runtime.seed, runtime.blocks = seed, blocks
    runtime.compute_capability = case.compute_capability
    runtime.iterations, runtime.most_launches = iterations, launches
    runtime.arguments = program.program_arguments(dtype, **driver.problem_of(case.method))
    runtime.control = program.program_control(case.offset_bytes, dtype.itemsize)
    if signed is None:
        signed = check is not None or (
            case.algebra == "shortest" and graph.weight_range[0] < 0 and iterations == ALL
        )
    with use(runtime):
        there = DeviceGraph.from_arrays(
            graph.row_offsets, graph.column_indices, graph.weights, directed=graph.directed,
            wide=case.offset_bytes == 8,
        )  # fmt: skip
        distance = runtime.xp.empty(n, dtype)
        parents = runtime.xp.empty(n, np.int32) if case.parents or case.tree else None
        sources = np.array(sources, np.int32)
        report = driver.sssp(
            there, there.weights, sources, case.method, delta,
            unreachable(dtype) if cutoff is None else cutoff, target, distance, case.balance,
            loop, signed=signed, parents=parents, tree=case.tree, check=check, optimizations=case.optimizations, asynchronous=case.asynchronous,
            max_delta=None if delta is None else delta * wider,
            prefilter_width=beyond if case.prefilter else None,
            path_limit_width=ahead if case.path_limit else None, algebra=case.algebra,
        )  # fmt: skip
        classified = "edge-classification" in (case.optimizations or ())
        return Found(
            distance.get(), report, runtime.launches, None if parents is None else parents.get(),
            edge_classes(there) if classified else None,
        )  # fmt: skip


def search(runtime, case, graph, sources, delta=SWEEP, **options):
    """Search to the end, and check the answer and its certificate."""
    found = run(runtime, case, graph, sources, delta, **options)
    assert found.progress["size"] == 0
    assert np.array_equal(found.distance, answer(graph, sources, DTYPES[case.dtype]))
    verify.sssp(
        graph, np.array(sources, np.int32), found.distance, found.parents if case.tree else None
    )
    return found


def dense(n=40):
    """Every arc there is: many lower the same vertex in one iteration."""
    source, target = np.divmod(np.arange(n * n), n)
    weights = np.random.default_rng(1).integers(1, 1000, n * n).astype(np.int32)
    return Graph.from_edges(source, target, weights, n=n, directed=True)
