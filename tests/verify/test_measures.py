"""The certificate by every algebra: right answers pass, and each property catches its own."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from algebras import WITH_DTYPES, best_paths, probabilities
from warpath import Graph, VerificationError, verify
from warpath.verify import claim as claim_module
from warpath.verify.measure import MEASURES

INT32, INT64 = np.iinfo(np.int32), np.iinfo(np.int64)


def parents(graph: Graph, distance: np.ndarray, source: int, algebra: str) -> np.ndarray:
    """A tree of arcs that give the distances, grown from the source vertex by vertex."""
    measure = MEASURES[algebra]
    parent = np.full(graph.num_vertices, -1, np.int32)
    tails, heads, weights = graph.coo()
    assert weights is not None
    known, new = {source}, True
    while new:
        new = False
        for u, v, w in zip(tails.tolist(), heads.tolist(), weights, strict=True):
            value = measure.extend(distance[u], w.astype(distance.dtype))
            if algebra == "most-reliable" and w == 0:
                continue
            if u in known and v not in known and value == distance[v]:
                parent[v], new = u, True
                known.add(v)
    return parent


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("algebra", "dtype"), WITH_DTYPES)
def test_right_answers_pass(
    random_graph: Any, monkeypatch: Any, algebra: str, dtype: Any, seed: int
) -> None:
    monkeypatch.setattr(claim_module, "ARCS_AT_ONCE", 7)
    graph = random_graph(seed, dtype, low=-3)
    if algebra == "most-reliable":
        graph = probabilities(graph, seed)
    distance = best_paths(graph, 0, algebra, dtype)
    verify.sssp(graph, 0, distance, algebra=algebra)
    predecessor = parents(graph, distance, 0, algebra)
    verify.sssp(graph, 0, distance, predecessor, algebra=algebra)
    # And any change is caught.
    rng = np.random.default_rng(seed)
    for v in rng.integers(0, graph.num_vertices, 4).tolist():
        wrong = distance.copy()
        wrong[v] = (
            0.45 if algebra == "most-reliable" else wrong[v] - 1 if -99 < wrong[v] < 99 else 9
        )
        for given in (None, predecessor):
            with pytest.raises(VerificationError):
                verify.sssp(graph, 0, wrong, given, algebra=algebra)


def test_reachability() -> None:
    graph = Graph.from_edges([0, 1, 3], [1, 2, 4], [5, -1, 2])
    reached, parent = np.array([1, 1, 1, 0, 0], bool), np.int32([-1, 0, 1, -1, -1])
    verify.sssp(graph, 0, reached, parent, algebra="reachability")
    verify.sssp(graph, [0, 3], np.ones(5, bool), algebra="reachability")
    with pytest.raises(VerificationError, match="form: distance has dtype int32, not bool"):
        verify.sssp(graph, 0, reached.astype(np.int32), algebra="reachability")


def test_an_unknown_algebra() -> None:
    with pytest.raises(ValueError, match="unknown algebra 'longest'; choose one of shortest"):
        verify.sssp(Graph.from_edges([0], [1], [1]), 0, np.int32([0, 1]), algebra="longest")


@pytest.mark.parametrize(
    ("algebra", "cutoff", "reached"),
    [
        ("widest", 4, 2), ("widest", 4.2, 1), ("widest", 3.9, 2), ("widest", 1, 3),
        ("widest", -np.inf, 3), ("widest", np.inf, 1),
        ("minimax", 5, 2), ("minimax", 5.9, 2), ("minimax", 4.9, 1), ("minimax", np.inf, 3),
    ],
)  # fmt: skip
def test_cutoffs_are_values(algebra: str, cutoff: float, reached: int) -> None:
    weights = [4, 2] if algebra == "widest" else [5, 7]
    graph = Graph.from_edges([0, 1], [1, 2], weights)
    start, none = (INT64.max, INT64.min) if algebra == "widest" else (INT64.min, INT64.max)
    distance = np.array([start, *weights])
    for last in (1, 2, 3):
        kept = np.where(np.arange(3) < last, distance, none)
        if last == reached:
            verify.sssp(graph, 0, kept, cutoff=cutoff, algebra=algebra)
        else:
            broken = "closed" if last < reached else "limit"
            with pytest.raises(VerificationError, match=broken):
                verify.sssp(graph, 0, kept, cutoff=cutoff, algebra=algebra)


@dataclass
class Case:
    """A wrong answer to a graph, from vertex 0."""

    algebra: str
    broken: str
    about: str
    arcs: list[tuple[int, int, float]]
    distance: list[float]
    predecessor: list[int] | None = None
    limit: Any = None
    dtype: Any = np.float64

    def verify(self) -> None:
        u, v, w = zip(*self.arcs, strict=True)
        weights = np.array(w, self.dtype if np.dtype(self.dtype).kind == "f" else np.int64)
        graph = Graph.from_edges(u, v, weights, n=len(self.distance))
        distance = np.array(self.distance, self.dtype)
        parent = None if self.predecessor is None else np.int32(self.predecessor)
        verify.sssp(graph, 0, distance, parent, cutoff=self.limit, algebra=self.algebra)


INF = np.inf
# 0 →8 1 →4 2 →6 3, and a detour 0 →3 2; vertex 4 is alone.
CHAIN = [(0, 1, 8), (1, 2, 4), (2, 3, 6), (0, 2, 3)]
WIDEST = [INF, 8, 4, 4, -INF]
MINIMAX = [-INF, 8, 3, 6, INF]
# 0 →.5 1 →.5 2 →1 3, and a detour 0 →.2 2; vertex 4 behind an arc of 0.
CHANCES = [(0, 1, 0.5), (1, 2, 0.5), (2, 3, 1.0), (0, 2, 0.2), (3, 4, 0.0)]
RELIABLE = [1, 0.5, 0.25, 0.25, 0]

CASES = [
    Case("widest", "form", "integers for floats", [*CHAIN[:1], (1, 2, 0.5)], [9, 8, 0], dtype=bool),
    Case("widest", "source", "the widest weight", CHAIN, [8, *WIDEST[1:]]),
    Case("widest", "source", "a predecessor", CHAIN, WIDEST, [4, 0, 1, 2, -1]),
    Case("widest", "unreached", "NaN", CHAIN, [*WIDEST[:4], np.nan]),
    Case("widest", "unreached", "a predecessor", CHAIN, WIDEST, [-1, 0, 1, 2, 3]),
    Case("widest", "closed", "stopped too early", CHAIN, [*WIDEST[:3], -INF, -INF]),
    Case("widest", "tight", "no path as shortest paths say it", CHAIN, [*WIDEST[:4], INF]),
    Case("widest", "limit", "narrower than asked for", CHAIN, WIDEST, limit=5),
    Case("widest", "overflow", "weights beyond the dtype", [(0, 1, 2**40)], [INT32.max, 7],
         dtype=np.int32),
    Case("widest", "triangle", "the narrow way", CHAIN, [INF, 8, 3, 3, -INF], [-1, 0, 0, 2, -1]),
    Case("widest", "predecessor", "none", CHAIN, WIDEST, [-1, 0, 1, -1, -1]),
    Case("widest", "tight", "wider than any path", CHAIN, [INF, 8, 5, 5, -INF]),
    Case("widest", "tight", "by another predecessor", CHAIN, WIDEST, [-1, 0, 0, 2, -1]),
    Case("widest", "rooted", "a cycle beside the path", [(0, 1, 1), (1, 2, 9), (2, 1, 9)],
         [INF, 9, 9]),
    Case("widest", "rooted", "two predecessors of each other", [(0, 1, 5), (1, 2, 9), (2, 1, 9)],
         [INF, 5, 5], [-1, 2, 1]),
    Case("minimax", "source", "0", CHAIN, [0, *MINIMAX[1:]]),
    Case("minimax", "unreached", "NaN", CHAIN, [*MINIMAX[:4], np.nan]),
    Case("minimax", "closed", "stopped too early", CHAIN, [*MINIMAX[:3], INF, INF]),
    Case("minimax", "limit", "heavier than asked for", CHAIN, MINIMAX, limit=7),
    Case("minimax", "overflow", "weights beyond the dtype", [(0, 1, -(2**40))],
         [INT32.min, INT32.min], dtype=np.int32),
    Case("minimax", "triangle", "the heavy way", CHAIN, [-INF, 8, 8, 8, INF], [-1, 0, 1, 2, -1]),
    Case("minimax", "triangle", "the source's is no vertex's", CHAIN, [-INF, 8, 4, 6, INF]),
    Case("minimax", "tight", "lighter than any path", CHAIN, [-INF, 7, 3, 6, INF]),
    Case("minimax", "rooted", "a cycle", [(0, 1, 9), (1, 2, 4), (2, 1, 4)], [-INF, 4, 4]),
    Case("most-reliable", "source", "0", CHANCES, [0.0, *RELIABLE[1:]]),
    Case("most-reliable", "unreached", "NaN", CHANCES, [*RELIABLE[:4], np.nan]),
    Case("most-reliable", "unreached", "a predecessor", CHANCES, RELIABLE, [-1, 0, 1, 2, 3]),
    Case("most-reliable", "closed", "stopped too early", CHANCES, [1, 0.5, 0.25, 0, 0]),
    Case("most-reliable", "closed", "too small for the dtype", [(0, 1, 1e-200), (1, 2, 1e-200)],
         [1, 1e-200, 0], [-1, 0, -1]),
    Case("most-reliable", "limit", "less than asked for", CHANCES, RELIABLE, limit=0.3),
    Case("most-reliable", "triangle", "the unreliable way", CHANCES, [1, 0.5, 0.2, 0.2, 0]),
    Case("most-reliable", "predecessor", "none", CHANCES, RELIABLE, [-1, 0, 1, -1, -1]),
    Case("most-reliable", "tight", "by one bit", CHANCES,
         [1, 0.5, 0.25, np.nextafter(0.25, 1), 0]),
    Case("most-reliable", "rooted", "certain of each other", [(1, 2, 1), (2, 1, 1)],
         [1, 0.5, 0.5]),
    Case("reachability", "source", "unreached", CHAIN, [0, 0, 0, 0, 0], dtype=bool),
    Case("reachability", "closed", "stopped too early", CHAIN, [1, 1, 1, 0, 0], dtype=bool),
    Case("reachability", "tight", "alone and reached", CHAIN, [1, 1, 1, 1, 1], dtype=bool),
    Case("reachability", "rooted", "a cycle that no path leads to", [(1, 2, 1), (2, 1, 1)],
         [1, 1, 1], dtype=bool),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.algebra}: {c.broken}: {c.about}")
def test_a_wrong_answer_is_refused_by_that_name(case: Case, monkeypatch: Any) -> None:
    monkeypatch.setattr(claim_module, "ARCS_AT_ONCE", 2)
    with pytest.raises(VerificationError) as error:
        case.verify()
    assert error.value.broken == case.broken


@pytest.mark.parametrize("algebra", ["widest", "minimax", "most-reliable"])
def test_the_right_ones_beside_them_pass(algebra: str) -> None:
    distance = {"widest": WIDEST, "minimax": MINIMAX, "most-reliable": RELIABLE}[algebra]
    arcs = CHANCES if algebra == "most-reliable" else CHAIN
    middle = 0 if algebra == "minimax" else 1
    Case(algebra, "", "", arcs, distance, [-1, 0, middle, 2, -1]).verify()
