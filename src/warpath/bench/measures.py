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
from warpath.algorithms.centrality.pagerank import pagerank_problem, ranks_and_iterations
from warpath.algorithms.primitives.arrays import GraphArrays, arrays_of, simple_graph
from warpath.bench.answers import Answers
from warpath.bench.task import Call, Task
from warpath.graph.arrays import module_for, module_of, to_host, to_module
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
    """What a kernel found for the vertices, from some sources or from none; its iterations where they are known."""

    values: Any
    sources: tuple[int, ...] = ()
    iterations: int | None = None


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
        """Iterations, where they are known."""
        return {} if answer.iterations is None else {"iterations": answer.iterations}

    def arcs(self, answers: Answers, source: int | None) -> int | None:
        """None are counted: TEPS are of searches."""
        return None


class PageRank(Measure):
    """Ranks, which one more iteration changes by less than the tolerance: GAP's check."""

    def run(self, call: Call) -> Values:
        """Do what `warpath.pagerank` does, and count iterations."""
        problem = pagerank_problem(without_weights(call.graph), **call.options)
        rank, iterations = problem.run(lambda xp: ranks_and_iterations(problem, xp))
        return Values(rank, iterations=iterations)

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
    """Labels: vertices have one in common if SciPy gives them one; in large undirected graphs, by definition."""

    def run(self, call: Call) -> Values:
        """Call `warpath.connected_components`."""
        return Values(super().run(call).values[0])

    def wrong(self, answers: Answers, source: int | None, answer: Values) -> str | None:
        """Compare the smallest members of the parts; or follow edges, where the graph is."""
        graph = answers.graph
        if not graph.directed and graph.num_arcs > _CHEAP_ARCS:
            return _misjoined(answers, to_module(answer.values, module_for(graph.device)))
        right = answers.kept("components", lambda: _parts(graph))
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


def _misjoined(answers: Answers, label: Any) -> str | None:
    """Why labels of an undirected graph are not its components; None: they are.

    The ends of each edge have one label, and a search from a vertex of each label reaches all vertices. Labels
    that were found right are kept: later ones are mostly the same.
    """
    graph, xp = answers.graph, module_of(label)
    proved = answers.kept("components, proved", list[Any])
    if any(bool(xp.array_equal(label, one)) for one in proved):
        return None
    linked = arrays_of(graph, xp).degree > 0
    for by in ("min", "max"):
        other = warpath.aggregate(graph, _give, label, by=by)
        for v in xp.flatnonzero(linked & (other != label))[:1].tolist():
            return f"vertex {v} is in component {label[v]}, and a neighbour in {other[v]}"
    _, members = xp.unique(label, return_index=True)
    found = warpath.bfs(
        graph, to_host(members), nearest=True, predecessors=False, trace=False, device=graph.device
    )
    for v in xp.flatnonzero(found.distance < 0)[:1].tolist():
        return f"no path leads to vertex {v} from the first one of component {label[v]}"
    proved.append(label.copy())
    return None


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
        graph, found, sources = answers.graph, answer.values, answer.sources
        if graph.num_arcs <= _CHEAP_ARCS:
            found = to_host(found)
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
        passed = 0
        for source in sources:
            found_by = warpath.bfs(graph, source, predecessors=False, device=graph.device)
            passed += int((found_by.distance + 1)[found_by.distance > 0].sum(dtype=np.int64))
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
        xp, found = module_for(answers.graph.device), to_host(answer.values)
        graph = simple_graph(without_weights(answers.graph), xp)
        small = graph.num_arcs <= _CHEAP_PRODUCT
        vertices, right = answers.kept(
            "triangles", lambda: _all(graph) if small else _some(graph, xp)
        )
        for i in np.flatnonzero(found[vertices] != right)[:1]:
            return f"vertex {vertices[i]} is in {found[vertices[i]]} triangles, not in {right[i]}"
        return None


def _all(graph: Graph) -> tuple[NDArray[Any], NDArray[Any]]:
    """All vertices and their triangles."""
    offsets, columns, n = graph.row_offsets, graph.column_indices, graph.num_vertices
    adjacency = csr_array((np.ones(len(columns), np.int64), columns, offsets), shape=(n, n))
    product = (adjacency @ adjacency).multiply(adjacency)
    return np.arange(n), np.asarray(product.sum(axis=1)).ravel() // 2


def _some(graph: Graph, xp: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Some vertices and their triangles: pairs of neighbours that are neighbours."""
    arrays = arrays_of(graph, xp)
    few = xp.flatnonzero((arrays.degree > 1) & (arrays.degree <= _SAMPLED_DEGREE))
    places = np.random.default_rng(0).choice(len(few), min(_SAMPLED, len(few)), replace=False)
    vertices = to_host(few[xp.asarray(places)])
    steps = int(arrays.degree.max()).bit_length()
    found = [_joined_neighbours(arrays, v, steps, xp) for v in vertices.tolist()]
    return vertices, np.array(found, np.int64)


def _joined_neighbours(arrays: GraphArrays, v: int, steps: int, xp: Any) -> int:
    """How many pairs of v's neighbours are neighbours: each is searched for in the other's row, by ``steps`` halvings."""
    offsets, columns = arrays.offsets, arrays.columns
    row = columns[int(offsets[v]) : int(offsets[v + 1])]
    one, other = xp.triu_indices(len(row), 1)
    wanted, begin, end = row[other], offsets[row[one]], offsets[row[one] + 1]
    low, high = begin, end
    for _ in range(steps):  # the place of `wanted`, or of what follows it, is in low … high
        middle = (low + high) // 2
        before = (middle < high) & (columns[xp.minimum(middle, end - 1)] < wanted)
        low, high = xp.where(before, middle + 1, low), xp.where(before, high, middle)
    return int(((low < end) & (columns[xp.minimum(low, end - 1)] == wanted)).sum())


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
