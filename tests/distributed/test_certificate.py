"""Wrong answers are refused where the parts lie: for each property one that it alone catches."""

import numpy as np
import pytest

import warpath as wp
from thread_ranks import on_ranks
from warpath.distributed.certificate import Certificate

GRAPH = wp.Graph.from_edges(
    # 0 → 1 → 2 → 3 and a shortcut 0 → 2; 4 and 5 lead to each other for nothing, 2 → 4; 6 alone.
    [0, 1, 2, 0, 4, 5, 2],
    [1, 2, 3, 2, 5, 4, 4],
    [2, 2, 1, 5, 0, 0, 3],
    n=7,
)
NONE = np.iinfo(np.int32).max
DISTANCE = [0, 2, 4, 5, 7, 7, NONE]
PREDECESSOR = [-1, 0, 1, 2, 2, 4, -1]

WRONG = {
    "source": ({0: 1}, {}),
    "unreached": ({}, {6: 3}),
    "closed": ({3: NONE}, {3: -1}),
    "triangle": ({2: 5, 3: 6, 4: 8, 5: 8}, {2: 0}),
    "predecessor": ({}, {3: -1}),
    "tight": ({}, {3: 0}),
    "rooted": ({}, {4: 5}),
}


def outcomes(distances, parents, ranks):
    distance, predecessor = np.array(DISTANCE, np.int32), np.array(PREDECESSOR, np.int32)
    distance[list(distances)] = list(distances.values())
    predecessor[list(parents)] = list(parents.values())

    def checked():
        parts = wp.distributed.distribute(GRAPH)
        mine = slice(parts.vertices.start, parts.vertices.stop)
        Certificate(
            parts, np.array([0]), distance[mine], predecessor[mine], NONE, weighted=True
        ).check()

    return on_ranks(ranks, checked)


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_the_right_answer_passes(ranks):
    assert outcomes({}, {}, ranks) == [None] * ranks


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("broken", WRONG)
def test_a_wrong_answer_is_refused_by_all_ranks(broken, ranks):
    for error in outcomes(*WRONG[broken], ranks):
        assert isinstance(error, wp.VerificationError)
        assert error.broken == broken


WRONG_DISTANCES = {
    "source": {0: 1},
    "unreached": {6: -3},
    "closed": {3: NONE},
    "triangle": {2: 5, 3: 6, 4: 8, 5: 8},
    "tight": {3: 4},
    "rooted": {4: 6, 5: 6},
}


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("broken", [None, *WRONG_DISTANCES])
def test_distances_alone(broken, ranks):
    """Then arcs that make them lead from a source to each: none to 4 and 5, of which each makes the other's."""

    def checked():
        parts = wp.distributed.distribute(GRAPH)
        distance = np.array(DISTANCE, np.int32)
        for vertex, value in WRONG_DISTANCES.get(broken, {}).items():
            distance[vertex] = value
        mine = slice(parts.vertices.start, parts.vertices.stop)
        Certificate(parts, np.array([0]), distance[mine], None, NONE, weighted=True).check()

    for error in on_ranks(ranks, checked):
        assert error is None if broken is None else error.broken == broken


@pytest.mark.parametrize("claimed", [1, 2])
def test_a_depth_limit_is_checked(claimed):
    graph = wp.generate.named("path", 6)
    distance = np.array([0, 1, 2, -1, -1, -1], np.int32)
    parents = np.array([-1, 0, 1, -1, -1, -1], np.int32)

    def checked():
        parts = wp.distributed.distribute(graph)
        mine = slice(parts.vertices.start, parts.vertices.stop)
        Certificate(
            parts, np.array([0]), distance[mine], parents[mine], -1, weighted=False, limit=claimed
        ).check()

    for outcome in on_ranks(2, checked):
        assert (outcome is None) == (claimed == 2)
