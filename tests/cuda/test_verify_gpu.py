"""Certificates that are checked on a device: they say what those on the host say."""

import numpy as np
import pytest

import warpath as wp
from warpath import verify
from warpath.errors import VerificationError
from warpath.graph.arrays import module_of, to_module

pytestmark = pytest.mark.gpu

ALGEBRAS = ("shortest", "widest", "most-reliable", "minimax", "reachability")


def said_of(graph, source, distance, predecessor, **options):
    """The property that a certificate finds broken, and how; None if all hold."""
    check = verify.sssp if options else verify.bfs
    try:
        check(graph, source, distance, predecessor, **options)
    except VerificationError as error:
        return error.broken, str(error)
    return None


def on_both(graph, answer, change=lambda distance, predecessor: None, **options):
    """What is said on the host and on the device of an answer that was changed."""
    distance, predecessor = answer.distance.get(), answer.predecessor.get()
    change(distance, predecessor)
    host = wp.Graph._from_parts(
        *(None if one is None else one.get() for one in graph.resident), graph.directed
    )
    xp = module_of(graph.resident.column_indices)
    return (
        said_of(host, answer.source, distance, predecessor, **options),
        said_of(
            graph, answer.source, to_module(distance, xp), to_module(predecessor, xp), **options
        ),
    )


@pytest.mark.parametrize("dtype", [None, np.int32, np.float32, np.float64])
@pytest.mark.parametrize("algebra", ALGEBRAS)
def test_what_is_said(algebra, dtype):
    whole = (0, 1) if algebra == "most-reliable" else (0, 7)
    weights = whole if dtype is None else tuple(map(dtype, whole))
    graph = wp.generate.rmat(12, 4, directed=True, weights=weights, seed=3, device="cuda")
    answer = wp.sssp(graph, 3, algebra=algebra, device="cuda")
    answer.verify()
    predecessor = answer.predecessor.get()
    far = int(np.flatnonzero((predecessor >= 0) & (predecessor != 3))[-1])
    near = int(predecessor[far])
    same = on_both(graph, answer, algebra=algebra)
    assert same == (None, None)

    def nearer(distance, predecessor):
        distance[far] = distance[3]

    def lost(distance, predecessor):
        distance[near] = distance[~answer.reached.get()][0]
        predecessor[near] = -1

    def circle(distance, predecessor):
        predecessor[near] = far

    for change in (nearer, lost, circle):
        host, device = on_both(graph, answer, change, algebra=algebra)
        assert host == device
        assert change is nearer or host is not None


def test_hops_and_a_limit():
    graph = wp.generate.rmat(14, 4, seed=3, device="cuda")
    answer = wp.bfs(graph, [3, 77], nearest=True, depth_limit=3, device="cuda")
    answer.verify()
    wrong = answer.distance.copy()
    wrong[wrong == 2] = 3
    with pytest.raises(VerificationError, match="triangle: distance"):
        verify.bfs(graph, [3, 77], wrong, answer.predecessor, depth_limit=3)


def test_many_steps(monkeypatch):
    from warpath.verify import claim

    monkeypatch.setattr(claim, "ARCS_AT_ONCE_ON_GPU", 1000)
    graph = wp.generate.rmat(10, 9, weights=(0, 9), seed=1, device="cuda")
    wp.sssp(graph, 0, device="cuda").verify()
    wp.bfs(graph, 0, device="cuda").verify()
