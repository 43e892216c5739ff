"""The Graph500 benchmark: on the ranks that a launcher started, or in one process on a CPU or a GPU.

As its specification says: edges are drawn, a graph is made of them, and searches from 64 random roots with
an edge are timed, each of which is validated outside the clock. TEPS count the edges that were drawn,
parallel ones and self-loops included, in the component of the root. Output has the form of the
reference code, version 3.

As the graph is made, vertices get other numbers, by degree, if that is asked for. Roots are drawn from the numbers that edges
were drawn with, so they are the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.shortest_paths.sssp import sssp
from warpath.algorithms.traversal.bfs import bfs
from warpath.distributed.construct import part_of_edges
from warpath.distributed.context import current
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.multi_gpu import drawn_on
from warpath.distributed.part import values_at
from warpath.generate.edges import DrawnEdges, renumbered_by_degree
from warpath.generate.rmat import RmatEdges
from warpath.graph.arrays import Csr, module_for, module_of, to_host
from warpath.graph.degree_order import numbers_by_degree
from warpath.graph.graph import Graph
from warpath.graph.on_gpus import GraphOnGpus
from warpath.graph.sort import self_loops_at
from warpath.typing import BuildDeviceName

Array = NDArray[Any]

ROOTS = 64
_QUARTERS = 0.57, 0.19, 0.19, None
_WEIGHTS = 0.0, 1.0
_WARM_SCALE = 10  # of a graph that is large enough for all kernels
_SEARCHES: dict[str, Callable[..., Any]] = {"bfs": bfs, "sssp": sssp}


class Subject(Protocol):
    """A graph that is searched: on one device, or in parts.

    Attributes
    ----------
    ranks : int
    number : int32 array, shape (n,), or None
        What the graph calls the vertices that edges were drawn with, when they are counted; None: the same.
    """

    ranks: int
    number: Array | None = None

    def generate(self, edges: RmatEdges) -> None:
        """Draw the edges, or this rank's share."""

    def construct(self) -> None:
        """Make the graph of them."""

    def count(self) -> None:
        """Count the edges of each vertex."""

    def search(self, kernel: str, root: int) -> Any:
        """The paths from a root, complete when it returns."""

    def edges_of(self, answer: Any) -> int:
        """Edges that were drawn in the component that a search reached."""

    def has_edge(self, vertices: Array) -> NDArray[np.bool_]:
        """Whether vertices have an edge that is no self-loop."""

    def slowest(self, seconds: float) -> float:
        """The longest time of all ranks."""


class OnDevice(Subject):
    """A graph in one piece, on a CPU or a GPU."""

    ranks = 1

    def __init__(self, device: BuildDeviceName, *, by_degree: bool = False) -> None:
        self._device, self._by_degree = device, by_degree

    def generate(self, edges: RmatEdges) -> None:
        """Draw the edges."""
        self._n, self._edges = edges.n, edges.drawn(module_for(self._device), 0, edges.count)
        self._wait()

    def construct(self) -> None:
        """Make the graph."""
        edges = self._edges
        del self._edges
        if self._by_degree:
            self.number = numbers_by_degree(module_for(self._device), self._n, [edges])
            edges = edges.renumbered(self.number)
        self._graph = Graph.from_edges(*edges, n=self._n, directed=False, device=self._device)
        self._wait()

    def count(self) -> None:
        """See `Subject`."""
        self._ends, has_edge = _counted(self._graph.resident)
        self._has_edge = to_host(has_edge)
        if self.number is not None:
            self.number = to_host(self.number)

    def search(self, kernel: str, root: int) -> Any:
        """The paths from a root."""
        answer = _SEARCHES[kernel](self._graph, root, device=self._device, trace=False)
        self._wait()
        return answer

    def edges_of(self, answer: Any) -> int:
        """Edges of the root's component."""
        return int(self._ends[answer.reached].sum()) // 2

    def has_edge(self, vertices: Array) -> NDArray[np.bool_]:
        """Whether vertices have one."""
        return self._has_edge[vertices]

    def slowest(self, seconds: float) -> float:
        """The time itself."""
        return seconds

    def _wait(self) -> None:
        """Until a GPU has done what is queued."""
        if self._device == "cuda":
            module_for("cuda").cuda.Device().synchronize()


class OnGpus(Subject):
    """A graph that several GPUs of this process make, a part each, and search together."""

    def __init__(self, devices: tuple[int, ...], *, by_degree: bool = False) -> None:
        self._devices, self.ranks, self._by_degree = devices, len(devices), by_degree

    def generate(self, edges: RmatEdges) -> None:
        """Remember which edges: they are drawn where they are needed, and lie nowhere."""
        self._edges = edges

    def construct(self) -> None:
        """Draw the edges, and make the parts."""
        edges: DrawnEdges = self._edges
        if self._by_degree:
            edges = renumbered_by_degree(edges, self._devices)
            self.number = edges.number
        self._parts = drawn_on(edges, edges.n, self._devices, directed=False)

    def count(self) -> None:
        """See `Subject`."""
        graph = self._parts.graph
        assert isinstance(graph, GraphOnGpus)
        self._ends, has_edge = [], []
        for device, first, rows in zip(self._devices, graph.bounds, graph.rows, strict=False):
            with module_for("cuda").cuda.Device(device):
                ends, there = _counted(rows.forward, first)
                self._ends.append(ends)
                has_edge.append(to_host(there))
        self._has_edge = np.concatenate(has_edge)
        if self.number is not None:
            self.number = to_host(self.number)

    def search(self, kernel: str, root: int) -> Any:
        """The paths from a root."""
        answer = _SEARCHES[kernel](self._parts, root, trace=False)
        cuda = module_for("cuda").cuda
        for device in self._devices:
            with cuda.Device(device):
                cuda.get_current_stream().synchronize()
        return answer

    def edges_of(self, answer: Any) -> int:
        """Edges of the root's component."""
        total = 0
        for device, ends, part in zip(self._devices, self._ends, answer.parts, strict=True):
            with module_for("cuda").cuda.Device(device):
                total += int(ends[part.reached].sum())
        return total // 2

    def has_edge(self, vertices: Array) -> NDArray[np.bool_]:
        """Whether vertices have one."""
        return self._has_edge[vertices]

    def slowest(self, seconds: float) -> float:
        """The time itself."""
        return seconds


class InParts(Subject):
    """A graph in parts, one on each rank, which is searched there on a CPU or a GPU."""

    def __init__(self, device: BuildDeviceName, *, by_degree: bool = False) -> None:
        self._device, self._by_degree = device, by_degree
        self._transport = current()
        self.ranks = self._transport.size

    def generate(self, edges: RmatEdges) -> None:
        """Draw this rank's share."""
        self._n, self._share = edges.n, edges.share(self._transport.rank, self.ranks)

    def construct(self) -> None:
        """Make the parts, where they are searched."""
        with self._transport.together("graph500.construct", vertices=self._n):
            share = self._share
            del self._share
            if self._by_degree:
                self.number = numbers_by_degree(
                    np, self._n, share, self.ranks, self._transport.reduce
                )
                share = [batch.renumbered(self.number) for batch in share]
            part = part_of_edges(self._transport, self._n, share, directed=False)
            self._graph = DistributedGraph(self._transport, part, directed=False)
            if self._device == "cuda":
                from warpath.distributed.gpu.part import on_gpu

                on_gpu(self._graph)

    def count(self) -> None:
        """See `Subject`; of the vertices that this rank owns."""
        part = self._graph.part
        self._ends, self._has_edge = (one[part.owned] for one in _counted(part.graph.resident))

    def search(self, kernel: str, root: int) -> Any:
        """The paths from a root."""
        answer = _SEARCHES[kernel](self._graph, root, device=self._device)
        if self._device == "cuda":
            module_for("cuda").cuda.get_current_stream().synchronize()
        return answer

    def edges_of(self, answer: Any) -> int:
        """Edges of the root's component, on all ranks."""
        ends = int(self._ends[to_host(answer.reached)].sum())
        with self._transport.together("graph500.edges"):
            return int(self._transport.reduce(np.array([ends]))[0]) // 2

    def has_edge(self, vertices: Array) -> NDArray[np.bool_]:
        """Whether vertices have one, wherever they are."""
        part = self._graph.part
        with self._transport.together("graph500.roots"):
            return values_at(self._transport, part.bounds, self._has_edge, vertices)

    def slowest(self, seconds: float) -> float:
        """The longest time of all ranks."""
        with self._transport.together("graph500.time"):
            return float(self._transport.reduce(np.array([seconds]), "max")[0])


def _renumbered(subject: Subject, vertices: Any) -> Any:
    """What the graph calls vertices that edges were drawn with."""
    return vertices if subject.number is None else subject.number[vertices]


def _counted(csr: Csr, first: int = 0) -> tuple[Array, Array]:
    """How many ends of edges each vertex has, and whether it has an edge that is no self-loop.

    A self-loop, which is one arc, has two ends.

    Parameters
    ----------
    csr : Csr
        The rows of consecutive vertices, on the host or on the current GPU.
    first : int
        Which vertex the first row is of.
    """
    xp = module_of(csr.column_indices)
    loops = xp.bincount(self_loops_at(xp, csr, first), minlength=len(csr.row_offsets) - 1)
    degree = csr.row_offsets[1:] - csr.row_offsets[:-1]
    return (degree + loops).astype(np.int64), degree > loops


@dataclass(frozen=True)
class Result:
    """What was measured; times in seconds.

    Attributes
    ----------
    scale, edge_factor, roots, ranks : int
    generation, construction : float
    edges : int array, shape (roots,)
        Edges of each root's component.
    times, validation : dict of str to float array, shape (roots,)
        Those of the searches of each kernel, "bfs" and "sssp".
    """

    scale: int
    edge_factor: int
    roots: int
    ranks: int
    generation: float
    construction: float
    edges: Array
    times: dict[str, Array]
    validation: dict[str, Array]

    def harmonic_mean(self, kernel: str) -> float:
        """TEPS of a kernel."""
        return float(1 / np.mean(self.times[kernel] / self.edges))

    def lines(self) -> list[str]:
        """In the form of the reference code."""
        said = {
            "SCALE": self.scale,
            "edgefactor": self.edge_factor,
            "NBFS": self.roots,
            "graph_generation": self.generation,
            "num_mpi_processes": self.ranks,
            "construction_time": self.construction,
        }
        for kernel, times in self.times.items():
            said |= _statistics(f"{kernel:<4} ", "time", times)
        said |= _statistics("", "nedge", self.edges)
        for kernel, times in self.times.items():
            per_edge = _statistics("", "s", times / self.edges)
            mean, deviation = per_edge["mean_s"], per_edge["stddev_s"]
            said |= {
                f"{kernel:<4} {name}_TEPS": 1 / per_edge[f"{of}_s"]
                for name, of in zip(_ORDER, reversed(_ORDER), strict=True)
            }
            said[f"{kernel:<4} harmonic_mean_TEPS"] = 1 / mean
            # Norris: The standard errors of the geometric and harmonic means, 1940.
            said[f"{kernel:<4} harmonic_stddev_TEPS"] = deviation / (
                mean**2 * max(self.roots - 1, 1) ** 0.5
            )
        for kernel, times in self.validation.items():
            said |= _statistics(f"{kernel:<4} ", "validate", times)
        return [_line(name, value) for name, value in said.items()]


_ORDER = "min", "firstquartile", "median", "thirdquartile", "max"


def _statistics(kernel: str, what: str, values: Array) -> dict[str, float]:
    found = dict(zip(_ORDER, np.percentile(values, [0, 25, 50, 75, 100]).tolist(), strict=True))
    found["mean"] = float(np.mean(values))
    found["stddev"] = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return {f"{kernel}{name}_{what}": value for name, value in found.items()}


def _line(name: str, value: float) -> str:
    mark = "!  " if "harmonic_mean" in name else ""
    text = f"{value:.11g}" if "nedge" in name else f"{value:g}"
    return f"{name + ':':<{32 - len(mark)}}{mark}{text}"


def run(
    subject: Subject,
    scale: int,
    edge_factor: int = 16,
    *,
    roots: int = ROOTS,
    kernels: tuple[str, ...] = ("bfs",),
    seed: int = 0,
) -> Result:
    """Run the benchmark; all ranks call it.

    Raises
    ------
    ValueError
        If no vertex has an edge.
    VerificationError
        If an answer is wrong.
    """
    weights = _WEIGHTS if "sssp" in kernels else None

    def timed(call: Callable[..., Any], *args: Any) -> tuple[Any, float]:
        began = perf_counter()
        answer = call(*args)
        return answer, subject.slowest(perf_counter() - began)

    def edges(size: int) -> RmatEdges:
        return RmatEdges.of(size, edge_factor, _QUARTERS, None, weights, seed, True)

    subject.generate(edges(_WARM_SCALE))  # kernels are compiled
    subject.construct()
    for kernel in kernels:
        subject.search(kernel, 0).verify()
    _, generation = timed(subject.generate, edges(scale))
    _, construction = timed(subject.construct)
    subject.count()
    starts = _roots(subject, 1 << scale, roots, seed)
    counts = np.zeros(len(starts), np.int64)
    times = {kernel: np.zeros(len(starts)) for kernel in kernels}
    validation = {kernel: np.zeros(len(starts)) for kernel in kernels}
    for kernel in kernels:
        subject.search(kernel, int(_renumbered(subject, starts[0])))  # as the reference code does
        for i, root in enumerate(starts):
            answer, times[kernel][i] = timed(
                subject.search, kernel, int(_renumbered(subject, root))
            )
            _, validation[kernel][i] = timed(answer.verify)
            counts[i] = subject.edges_of(answer)
    return Result(
        scale,
        edge_factor,
        len(starts),
        subject.ranks,
        generation,
        construction,
        counts,
        times,
        validation,
    )


def _roots(subject: Subject, n: int, count: int, seed: int) -> list[int]:
    """Different random vertices with an edge, fewer if there are fewer."""
    order = np.random.default_rng(seed)
    candidates = order.permutation(n) if n <= 1 << 16 else order.integers(0, n, 64 * count)
    found = candidates[subject.has_edge(_renumbered(subject, candidates))]
    _, first = np.unique(found, return_index=True)
    roots: list[int] = found[np.sort(first)][:count].tolist()
    if not roots:
        raise ValueError("no vertex has an edge")
    return roots
