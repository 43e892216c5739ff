"""The certificate of a matrix takes right answers, and each wrong one by its name."""

import sys

import numpy as np
import pytest

from warpath import Graph, VerificationError, verify

# 0 → 1 → 2 → 3 and 0 → 2, a cycle of weight zero 4 ⇄ 5 that no other vertex reaches, 6 alone.
EDGES = ([0, 1, 2, 0, 4, 5], [1, 2, 3, 2, 5, 4], [1, 1, 2, 5, 0, 0])
FAR = np.iinfo(np.int64).max


def answer(dtype=np.int64):
    """(graph, distance, predecessor)."""
    graph = Graph.from_edges(*EDGES[:2], np.array(EDGES[2], dtype), n=7)
    none = np.inf if np.dtype(dtype).kind == "f" else np.iinfo(dtype).max
    distance, predecessor = np.full((7, 7), none, dtype), np.full((7, 7), -1, np.int32)
    np.fill_diagonal(distance, 0)
    for u, v, d, before in (
        (0, 1, 1, 0), (0, 2, 2, 1), (0, 3, 4, 2), (1, 2, 1, 1), (1, 3, 3, 2), (2, 3, 2, 2),
        (4, 5, 0, 4), (5, 4, 0, 5),
    ):  # fmt: skip
        distance[u, v], predecessor[u, v] = d, before
    return graph, distance, predecessor


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_right_answers(dtype, exact):
    graph, distance, predecessor = answer(dtype)
    verify.apsp(graph, distance, predecessor, exact=exact)
    verify.apsp(graph, distance, exact=exact)
    verify.apsp(Graph.from_edges([], [], n=0), np.empty((0, 0), dtype), exact=exact)


WRONG = [
    # (what is wrong, d or p, where, value, property, whether without predecessors too)
    ("a source", "d", (3, 3), 1, "source", True),
    ("a source below 0", "d", (3, 3), -1, "source", True),
    ("too far", "d", (0, 3), 5, "triangle", True),
    ("too near", "d", (0, 3), 3, "tight", True),
    ("reached, but is not", "d", (3, 6), 7, "predecessor", False),
    ("reached by nothing", "d", (3, 6), 7, "tight", True),
    ("unreached, but is", "d", (2, 3), "none", "unreached", False),
    ("unreached, with an arc to it", "d", (2, 3), "none", "closed", True),
    ("another predecessor", "p", (0, 2), 0, "tight", False),
    ("no arc from the predecessor", "p", (0, 3), 1, "tight", False),
    ("no predecessor", "p", (0, 3), -1, "predecessor", False),
    ("no vertex", "p", (0, 3), 7, "predecessor", False),
    ("no vertex, below 0", "p", (0, 3), -2, "predecessor", False),
    ("a vertex of another row's copy", "p", (0, 3), 9, "predecessor", False),
    ("a source with a predecessor", "p", (1, 1), 0, "source", False),
]


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("what", "which", "where", "value", "broken", "alone"), WRONG)
def test_wrong_answers(what, which, where, value, broken, alone, exact):
    graph, distance, predecessor = answer(np.float64)
    changed = distance if which == "d" else predecessor
    changed[where] = np.inf if value == "none" else value
    if alone:
        with pytest.raises(VerificationError, match=f"from {where[0]}: ") as caught:
            verify.apsp(graph, distance, exact=exact)
        assert caught.value.broken == broken
    else:
        with pytest.raises(VerificationError, match=f"from {where[0]}: ") as caught:
            verify.apsp(graph, distance, predecessor, exact=exact)
        # Without exactness fewer names do: what holds a tree together is one.
        others = {"unreached": "predecessor", "source": "predecessor"}
        assert caught.value.broken in {broken} | ({others.get(broken)} if not exact else set())


@pytest.mark.parametrize("exact", [True, False])
def test_a_cycle_of_weight_zero_that_hangs_in_the_air(exact):
    graph, distance, predecessor = answer(np.float64)
    distance[0, 4] = distance[0, 5] = 3
    predecessor[0, 4], predecessor[0, 5] = 5, 4
    for parents in (predecessor, None):
        with pytest.raises(VerificationError) as caught:
            verify.apsp(graph, distance, parents, exact=exact)
        assert caught.value.broken == "rooted"


def test_rounding_is_allowed_where_it_is_said_to_be():
    n = 40
    graph = Graph.from_edges(np.arange(n - 1), np.arange(1, n), np.full(n - 1, 0.1), n=n)
    u, v = np.indices((n, n))
    once = np.where(v >= u, 0.1 * (v - u), np.inf)  # rounded once, not at each step
    parents = np.where(v > u, v - 1, -1).astype(np.int32)
    verify.apsp(graph, once, parents, exact=False)
    verify.apsp(graph, once, exact=False)
    with pytest.raises(VerificationError):
        verify.apsp(graph, once, parents)
    once[3, 30] *= 1 + 1e-9
    for given in (parents, None):
        with pytest.raises(VerificationError):
            verify.apsp(graph, once, given, exact=False)


def test_other_algebras():
    graph, _, _ = answer()
    widest = np.full((7, 7), np.iinfo(np.int64).min)
    np.fill_diagonal(widest, FAR)
    for u, v, width in (
        (0, 1, 1), (0, 2, 5), (0, 3, 2), (1, 2, 1), (1, 3, 1), (2, 3, 2), (4, 5, 0), (5, 4, 0),
    ):  # fmt: skip
        widest[u, v] = width
    verify.apsp(graph, widest, algebra="widest")
    widest[0, 3] = 1
    with pytest.raises(VerificationError, match="from 0: "):
        verify.apsp(graph, widest, algebra="widest")
    with pytest.raises(ValueError, match="unknown algebra 'tropical'"):
        verify.apsp(graph, widest, algebra="tropical")


def test_form():
    graph, distance, predecessor = answer()
    for bad, parents, message in (
        (distance[:6], None, r"distance has shape \(6, 7\)"),
        (distance, predecessor[:, :3], r"predecessor has shape \(7, 3\)"),
        (distance, predecessor.astype(np.int64), "predecessor has dtype int64"),
        (distance.astype(np.int16), None, "dtype int16"),
    ):
        with pytest.raises(VerificationError, match=message) as caught:
            verify.apsp(graph, bad, parents)
        assert caught.value.broken == "form"


def test_rows_in_several_batches(monkeypatch):
    monkeypatch.setattr(sys.modules["warpath.verify.apsp"], "_ARCS_AT_ONCE", 30)
    monkeypatch.setattr(sys.modules["warpath.verify.rounded"], "_AT_ONCE", 30)
    graph, distance, predecessor = answer(np.float64)
    for exact in (True, False):
        verify.apsp(graph, distance, predecessor, exact=exact)
        distance[5, 4] = 1
        with pytest.raises(VerificationError, match="from 5: "):
            verify.apsp(graph, distance, predecessor, exact=exact)
        distance[5, 4] = 0
