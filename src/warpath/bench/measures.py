"""GAP's kernels that are no searches: PageRank, components, betweenness, triangles.

Rules of the GAP benchmark suite (S. Beamer, K. Asanović, D. Patterson, arXiv 1508.03619): ranks until they change by less
than 10⁻⁴ all together, betweenness from four sources by hops, triangles of the undirected simple graph. The graph, its
reverse and the simple graph are made outside the clock; orienting edges by degree, for triangles, is inside.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph, csr_array

import warpath
from warpath.algorithms.primitives.arrays import arrays_of, simple_graph
from warpath.bench.answers import Answers
from warpath.bench.task import Call, Task
from warpath.graph.arrays import module_for, module_of, to_host
from warpath.graph.graph import Graph
from warpath.language import operator

TOLERANCE = 1e-4  # GAP's
SOURCES = 4  # of betweenness, GAP's
_ROUNDING = 1e-9  # relative, of sums of floats in another order
# A graph of more arcs takes Brandes' algorithm on the CPU, or SciPy's product, longer than some seconds.
_CHEAP_ARCS, _CHEAP_PRODUCT = 4_000_000, 500_000
_SAMPLED, _SAMPLED_DEGREE = 100, 1000  # vertices of larger ones whose triangles are counted again
_SCIPY_ARCS = 2**31 - 1


class Values(NamedTuple):
    """What a kernel found for the vertices, from some sources or from none."""

    values: Any
    sources: tuple[int, ...] = ()


@operator
def _give(u, v, share):  # type: ignore[no-untyped-def]
    return share[u]


def without_weights(graph: Graph) -> Graph:
    """The graph without weights, made once and kept with it."""
    if graph.weight_dtype is None:
        return graph
    if "bench: without weights" not in graph.derived:
        graph.derived["bench: without weights"] = graph.without_weights()
    return graph.derived["bench: without weights"]  # type: ignore[no-any-return]


class Measure(Task):
    """A kernel without a source."""

    def __init__(self, name: str, repetitions: int | None) -> None:
        super().__init__(name)
        self.repetitions = repetitions

    def run(self, call: Call) -> Values:
        """Call warpath's function."""
        return Values(getattr(warpath, self.name)(without_weights(call.graph), **call.options))

    def sources(self, source: int | None, every: Sequence[int]) -> tuple[int, ...]:
        """Those that a trial needs."""
        return ()

    def counts(self, answer: Values) -> dict[str, Any]:
        """None are known."""
        return {}

    def arcs(self, answers: Answers, source: int | None) -> int | None:
        """None are counted: TEPS are of searches."""
        return None


class PageRank(Measure):
    """Ranks, which one more iteration changes by less than the tolerance: GAP's check."""

    def wrong(self, answers: Answers, source: int | None, answer: Values) -> str | None:
        """Iterate once more, in floats."""
        rank, graph, damping = answer.values, without_weights(answers.graph), 0.85
        xp = module_of(rank)
        degree = arrays_of(graph, xp).degree
        share = xp.where(degree > 0, rank / xp.maximum(degree, 1), 0)
        lost = float(rank[degree == 0].sum())
        gathered = warpath.aggregate(graph, _give, share)
        new = damping * (gathered + lost / len(rank)) + (1 - damping) / len(rank)
        change = float(xp.abs(new - rank).sum())
        if change < TOLERANCE:
            return None
        return (
            f"one more iteration changes the ranks by {change:.3g}, not by less than {TOLERANCE:g}"
        )


class Components(Measure):
    """Labels: vertices have one in common if SciPy gives them one, or in a graph beyond it the CPU."""

    def run(self, call: Call) -> Values:
        """Call `warpath.connected_components`."""
        return Values(super().run(call).values[0])

    def wrong(self, answers: Answers, source: int | None, answer: Values) -> str | None:
        """Compare the smallest members of the parts."""
        right = answers.kept("components", lambda: _parts(answers.graph))
        found = smallest_of(to_host(answer.values))
        for v in np.flatnonzero(found != right)[:1]:
            return f"vertex {v} is in the component of {found[v]}, not of {right[v]}"
        return None


def _parts(graph: Graph) -> NDArray[np.int32]:
    """The smallest vertex of each vertex's component."""
    m, n = graph.num_arcs, graph.num_vertices
    if m > _SCIPY_ARCS:
        return warpath.connected_components(graph, device="cpu")[0]  # type: ignore[no-any-return]
    offsets = graph.row_offsets.astype(np.int32)
    matrix = csr_array((np.ones(m, np.int8), graph.column_indices, offsets), shape=(n, n))
    return smallest_of(csgraph.connected_components(matrix, connection="weak")[1])


class Betweenness(Measure):
    """The four sources from the trial's on, by hops."""

    def run(self, call: Call) -> Values:
        """Call `warpath.betweenness`."""
        sources = self.sources(call.source, call.sources)
        return Values(
            warpath.betweenness(
                call.graph, weighted=False, normalized=False, sources=sources, endpoints=True,
                **call.options,
            ),
            sources,
        )  # fmt: skip

    def sources(self, source: int | None, every: Sequence[int]) -> tuple[int, ...]:
        """Four that follow each other, or as many as there are."""
        assert source is not None
        begin, distinct = every.index(source), list(dict.fromkeys(every))
        rest = [*every[begin:], *every[:begin]]
        return tuple(one for one in dict.fromkeys(rest))[: min(SOURCES, len(distinct))]

    def wrong(self, answers: Answers, source: int | None, answer: Values) -> str | None:
        """Compare with the CPU's, or in a large graph the sum of all with that of the paths' vertices."""
        graph, found, sources = answers.graph, to_host(answer.values), answer.sources
        if graph.num_arcs <= _CHEAP_ARCS:
            right = answers.kept(
                ("betweenness", sources),
                lambda: warpath.betweenness(
                    graph, weighted=False, normalized=False, sources=sources, endpoints=True, device="cpu"
                ),
            )  # fmt: skip
            for v in np.flatnonzero(~np.isclose(found, right, rtol=_ROUNDING))[:1]:
                return f"vertex {v} has betweenness {found[v]}, not {right[v]}"
            return None
        # All shortest paths to a vertex have as many vertices: one more than edges.
        levels = [warpath.bfs(graph, source, predecessors=False).distance for source in sources]
        passed = sum(int((level[level > 0].astype(np.int64) + 1).sum()) for level in levels)
        total = float(found.sum()) * len(sources) / graph.num_vertices
        total *= 1 if graph.directed else 2
        if abs(total - passed) <= _ROUNDING * passed:
            return None
        return f"the betweenness of all vertices is {total}, and paths have {passed} vertices"


class Triangles(Measure):
    """How many each vertex is a corner of, in the simple graph."""

    def run(self, call: Call) -> Values:
        """Call `warpath.triangles`."""
        graph = simple_graph(without_weights(call.graph), module_for(call.options["device"]))
        return Values(warpath.triangles(graph, **call.options))

    def wrong(self, answers: Answers, source: int | None, answer: Values) -> str | None:
        """Compare with SciPy's product, or some vertices of a large graph with their neighbours' rows."""
        xp, found = module_of(answer.values), to_host(answer.values)
        graph = simple_graph(without_weights(answers.graph), xp)
        small = graph.num_arcs <= _CHEAP_PRODUCT
        vertices, right = answers.kept("triangles", lambda: (_all if small else _some)(graph))
        for i in np.flatnonzero(found[vertices] != right)[:1]:
            return f"vertex {vertices[i]} is in {found[vertices[i]]} triangles, not in {right[i]}"
        return None


def _all(graph: Graph) -> tuple[NDArray[Any], NDArray[Any]]:
    """All vertices and their triangles."""
    offsets, columns, n = graph.row_offsets, graph.column_indices, graph.num_vertices
    adjacency = csr_array((np.ones(len(columns), np.int64), columns, offsets), shape=(n, n))
    product = (adjacency @ adjacency).multiply(adjacency)
    return np.arange(n), np.asarray(product.sum(axis=1)).ravel() // 2


def _some(graph: Graph) -> tuple[NDArray[Any], NDArray[Any]]:
    """Some vertices and their triangles: pairs of neighbours that are neighbours."""
    offsets, columns = graph.row_offsets, graph.column_indices

    def row(v: int) -> NDArray[Any]:
        return columns[offsets[v] : offsets[v + 1]]

    rng, degree = np.random.default_rng(0), np.diff(offsets)
    vertices = np.flatnonzero((degree > 1) & (degree <= _SAMPLED_DEGREE))
    vertices = rng.choice(vertices, min(_SAMPLED, len(vertices)), replace=False)
    found = [sum(np.isin(row(w), row(v)).sum() for w in row(v)) // 2 for v in vertices.tolist()]
    return vertices, np.array(found, np.int64)


def smallest_of(labels: NDArray[Any]) -> NDArray[np.int32]:
    """The smallest vertex of each vertex's part, whatever numbers the parts have."""
    _, first, part = np.unique(labels, return_index=True, return_inverse=True)
    return first[part].astype(np.int32)


MEASURES: dict[str, Task] = {
    "pagerank": PageRank("pagerank", 16),
    "components": Components("connected_components", 16),
    "betweenness": Betweenness("betweenness", None),
    "triangles": Triangles("triangles", 3),
}
"""By the name of the algorithm; with the trials that GAP makes."""
