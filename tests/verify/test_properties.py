"""For each property a wrong answer that it alone catches."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from warpath import Graph, VerificationError, verify
from warpath.verify import claim as claim_module
from warpath.verify.claim import Claim
from warpath.verify.properties import broken

INT32_MAX = np.iinfo(np.int32).max
INT64 = np.iinfo(np.int64)
SOME = (np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.float32), np.dtype(np.float64))


@dataclass
class Case:
    """A right answer's graph, and a wrong answer to it."""

    broken: str
    about: str
    arcs: list[tuple[int, int, int | float]]
    distance: Any
    predecessor: Any = None
    source: int | tuple[int, ...] = 0
    limit: Any = None
    bfs: bool = False
    dtype: Any = np.int32

    def graph(self) -> Graph:
        u, v, w = zip(*self.arcs, strict=True)
        n = len(np.asarray(self.distance).ravel())
        weight = np.array(w, None if isinstance(w[0], float) else self.weight_dtype())
        return Graph.from_edges(u, v, weight, n=n)

    def weight_dtype(self) -> Any:
        return np.int64 if np.dtype(self.dtype) == np.int64 else np.int32

    def claim(self) -> Claim:
        distance = np.asarray(self.distance, self.dtype)
        kind = distance.dtype.kind
        return Claim(
            self.graph().without_weights() if self.bfs else self.graph(),
            np.atleast_1d(np.array(self.source, np.int64)),
            distance,
            None if self.predecessor is None else np.asarray(self.predecessor, np.int32),
            unreachable=-1 if self.bfs else np.inf if kind == "f" else np.iinfo(self.dtype).max,
            dtypes=SOME[:1] if self.bfs else SOME,
            limit=self.limit,
        )

    def verify(self) -> None:
        distance = np.asarray(self.distance, self.dtype)
        pred = None if self.predecessor is None else np.asarray(self.predecessor, np.int32)
        source = list(self.source) if isinstance(self.source, tuple) else self.source
        if self.bfs:
            verify.bfs(self.graph(), source, distance, pred, depth_limit=self.limit)
        else:
            verify.sssp(self.graph(), source, distance, pred, cutoff=self.limit)


# 0 →1 1 →1 2 →1 3, and a detour 0 →5 2; vertex 4 is alone.
CHAIN = [(0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 2, 5)]
FAR = INT32_MAX
# 0 →1 1, and 1 ⇄ 2 by arcs of weight 0.
ZERO_CYCLE = [(0, 1, 1), (1, 2, 0), (2, 1, 0)]

CASES = [
    Case("form", "levels of 64 bits", CHAIN, [0, 1, 1, 2, -1], [-1, 0, 0, 2, -1], bfs=True,
         dtype=np.int64),
    Case("source", "all too far by 7", CHAIN, [7, 8, 9, 10, FAR], [-1, 0, 1, 2, -1]),
    Case("source", "the same, without predecessors", CHAIN, [7, 8, 9, 10, FAR]),
    Case("source", "the source has a predecessor", CHAIN, [0, 1, 2, 3, FAR], [4, 0, 1, 2, -1]),
    Case("source", "the second source is not at 0", CHAIN, [0, 1, 2, 3, FAR], [-1, 0, 1, 2, -1],
         source=(0, 2)),
    Case("unreached", "another value than the agreed one", CHAIN, [0, 1, 1, 2, -7],
         [-1, 0, 0, 2, -1], bfs=True),
    Case("unreached", "NaN", CHAIN, [0, 1, 2, 3, np.nan], [-1, 0, 1, 2, -1], dtype=np.float64),
    Case("unreached", "minus infinity", CHAIN, [0, 1, 2, 3, -np.inf], dtype=np.float32),
    Case("unreached", "an unreached vertex with a predecessor", CHAIN, [0, 1, 2, 3, FAR],
         [-1, 0, 1, 2, 3]),
    Case("limit", "an answer that knows no depth limit", CHAIN, [0, 1, 1, 2, -1],
         [-1, 0, 0, 2, -1], limit=1, bfs=True),
    Case("limit", "an answer that knows no cutoff", CHAIN, [0, 1, 2, 3, FAR],
         [-1, 0, 1, 2, -1], limit=2),
    Case("closed", "stopped too early", CHAIN, [0, 1, 2, FAR, FAR], [-1, 0, 1, -1, -1]),
    Case("closed", "stopped short of the cutoff", CHAIN, [0, 1, 2, FAR, FAR], [-1, 0, 1, -1, -1],
         limit=3),
    Case("closed", "a distance that does not fit", [(0, 1, INT32_MAX - 1), (1, 2, 1)],
         [0, INT32_MAX - 1, FAR], [-1, 0, -1]),
    Case("overflow", "the smallest integer for what is below it",
         [(0, 1, INT64.min), (0, 2, INT64.min + 1), (2, 1, -2)],
         [0, INT64.min, INT64.min + 1], [-1, 0, 0], dtype=np.int64),
    Case("triangle", "a path, but no shortest one", CHAIN, [0, 1, 5, 6, FAR], [-1, 0, 0, 2, -1]),
    Case("triangle", "the same, without predecessors", CHAIN, [0, 1, 5, 6, FAR]),
    Case("triangle", "the heavier of two parallel arcs", [(0, 1, 4), (0, 1, 3)], [0, 4], [-1, 0]),
    Case("triangle", "too far by one bit", [(0, 1, 0.3), (0, 1, float(np.nextafter(0.3, 1)))],
         [0, np.nextafter(0.3, 1)], [-1, 0], dtype=np.float64),
    Case("predecessor", "none", CHAIN, [0, 1, 2, 3, FAR], [-1, 0, 1, -1, -1]),
    Case("predecessor", "beyond the last vertex", CHAIN, [0, 1, 2, 3, FAR], [-1, 0, 1, 5, -1]),
    Case("predecessor", "below -1", CHAIN, [0, 1, 2, 3, FAR], [-1, 0, 1, -2, -1]),
    Case("tight", "no arc from the predecessor", CHAIN, [0, 1, 2, 3, FAR], [-1, 0, 1, 1, -1]),
    Case("tight", "an arc, but a longer one", CHAIN, [0, 1, 2, 3, FAR], [-1, 0, 0, 2, -1]),
    Case("tight", "nearer than any path", CHAIN, [0, 1, 2, 2, FAR], [-1, 0, 1, 2, -1]),
    Case("tight", "the same, without predecessors", CHAIN, [0, 1, 2, 2, FAR]),
    Case("tight", "nearer by one bit", [(0, 1, 0.3)], [0, np.nextafter(0.3, 0)], [-1, 0],
         dtype=np.float64),
    Case("tight", "summed in double precision", [(0, 1, 0.1), (1, 2, 0.2), (2, 3, 0.4)],
         np.float32([0, 0.1, 0.1 + 0.2, np.nextafter(np.float32(0.7), np.float32(0))]),
         [-1, 0, 1, 2], dtype=np.float32),
    Case("tight", "a sum that wraps to the distance", [(0, 1, INT64.max - 1), (1, 2, 3),
         (0, 2, INT64.max - 1)],
         [0, INT64.max - 1, INT64.min + 1], [-1, 0, 1], dtype=np.int64),
    Case("rooted", "two predecessors of each other", ZERO_CYCLE, [0, 1, 1], [-1, 2, 1]),
    Case("rooted", "its own predecessor", [(0, 1, 1), (1, 1, 0)], [0, 1], [-1, 1]),
    Case("rooted", "a cycle that no path leads to", [(1, 2, 0), (2, 1, 0)], [0, 3, 3], [-1, 2, 1]),
    Case("rooted", "the same, without predecessors", [(1, 2, 0), (2, 1, 0)], [0, 3, 3]),
    Case("rooted", "a cycle of both signs", [(1, 2, 4), (2, 1, -4)], [0, 3, 7], [-1, 2, 1]),
    Case("rooted", "the same, without predecessors", [(1, 2, 4), (2, 1, -4)], [0, 3, 7]),
    Case("rooted", "a tail on a cycle", [(1, 2, 0), (2, 3, 0), (3, 1, 0), (3, 4, 2)],
         [0, 3, 3, 3, 5]),
    Case("rooted", "an arc too light to be seen by the sum",
         [(1, 2, 1.0), (2, 1, 1.0)], [0, 1e300, 1e300], [-1, 2, 1], dtype=np.float64),
]  # fmt: skip


def _names(case: Case) -> str:
    return f"{case.broken}: {case.about}"


@pytest.mark.parametrize("case", CASES, ids=_names)
def test_one_property_alone_catches(case: Case) -> None:
    claim = case.claim()
    assert [name for name, _ in broken(claim)] == [case.broken]


@pytest.mark.parametrize("case", CASES, ids=_names)
def test_the_answer_is_refused_by_that_name(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claim_module, "ARCS_AT_ONCE", 2)
    with pytest.raises(VerificationError) as error:
        case.verify()
    assert error.value.broken == case.broken
    assert any(digit in str(error.value) for digit in "0123456789")


def test_each_property_has_its_case() -> None:
    assert {case.broken for case in CASES} == set(verify.PROPERTIES)


@pytest.mark.parametrize(
    ("distance", "predecessor"),
    [
        (np.zeros((2, 1), np.int32), None),
        (np.zeros(3, np.int32), None),
        (np.int32(0), None),
        (np.array([0, 1], np.uint32), None),
        (np.array([0, 1], object), None),
        (np.array(["0", "1"]), None),
        (np.array([0, 1], np.int32), np.array([-1], np.int32)),
        (np.array([0, 1], np.int32), np.array([-1, 0], np.int64)),
        (np.array([0, 1], np.int32), np.array([-1.0, 0.0])),
    ],
)
@pytest.mark.parametrize("check", [verify.bfs, verify.sssp])
def test_form(check: Any, distance: Any, predecessor: Any) -> None:
    with pytest.raises(VerificationError) as error:
        check(Graph.from_edges([0], [1]), 0, distance, predecessor)
    assert error.value.broken == "form"


@pytest.mark.parametrize("check", [verify.bfs, verify.sssp])
def test_what_is_no_array(check: Any) -> None:
    graph = Graph.from_edges([0], [1])
    with pytest.raises(TypeError, match="distance is None: give"):
        check(graph, 0, None)
    with pytest.raises(ValueError, match=r"distance has .*: these rows differ in length"):
        check(graph, [0, 1], [[0, 1], [0]])
    with pytest.raises(ValueError, match=r"predecessor has .*: these rows differ in length"):
        check(graph, [0, 1], [[0, 1], [-1, 0]], [[0], [-1, 0]])


def test_a_message_names_the_arc_and_its_figures() -> None:
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2], [3, 4, 9])
    with pytest.raises(VerificationError) as error:
        verify.sssp(graph, 0, np.array([0, 3, 9], np.int32), np.array([-1, 0, 0], np.int32))
    assert str(error.value) == (
        "triangle: distance[2] is 9, but the arc 1 → 2 of weight 4 leads there from distance 3, "
        "in all 7"
    )
