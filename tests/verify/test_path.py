from typing import Any

import numpy as np
import pytest

from warpath import Graph, VerificationError, verify

# 0 →7 1 →2 2 (and a heavier parallel arc) →1 3, 0 →9 2; 4 → 0.
GRAPH = Graph.from_edges([0, 1, 1, 2, 0, 4], [1, 2, 2, 3, 2, 0], [7, 2, 9, 1, 9, 1])
NONE = np.iinfo(np.int32).max
DISTANCE = np.array([0, 7, 9, 10, NONE], np.int32)
HOPS = np.array([0, 1, 1, 2, -1], np.int32)


@pytest.mark.parametrize("path", [[0, 1, 2, 3], (0, 2, 3), np.array([0, 2, 3])])
def test_right_paths_pass(path: Any) -> None:
    verify.path(GRAPH, path, 10, DISTANCE)


def test_of_one_vertex_and_of_the_fewest_arcs() -> None:
    verify.path(GRAPH, [0], 0, DISTANCE)
    verify.path(GRAPH, [0, 2, 3], 2, HOPS, weighted=False)


def test_up_to_a_limit() -> None:
    near = np.where(DISTANCE > 9, NONE, DISTANCE).astype(np.int32)
    verify.path(GRAPH, [0, 2], 9, near, limit=9)
    verify.path(
        GRAPH, [0, 2], 1, np.where(HOPS > 1, -1, HOPS).astype(np.int32), weighted=False, limit=1
    )


@pytest.mark.parametrize(
    ("path", "length", "distance", "broken"),
    [
        ([], 0, DISTANCE, "arc"),
        ([0, 3], 10, DISTANCE, "arc"),
        ([3, 2], 1, DISTANCE, "arc"),
        ([0, 0], 0, DISTANCE, "arc"),
        ([0, 1, 2, 3], 17, DISTANCE, "length"),  # by the heavier arc
        ([0, 2], 2, DISTANCE, "length"),
        # All distances from 0 are as right as the path is long, but it is not the shortest.
        ([0, 1, 2], 9, np.array([0, 7, 8, 9, NONE], np.int32), "tight"),
        ([0, 1, 2], 9, np.array([0, 7, 10, 10, NONE], np.int32), "triangle"),
        ([1, 2], 2, DISTANCE, "source"),
    ],
)
def test_wrong_paths(path: Any, length: int, distance: Any, broken: str) -> None:
    with pytest.raises(VerificationError) as error:
        verify.path(GRAPH, path, length, distance)
    assert error.value.broken == broken


def test_a_detour() -> None:
    graph = GRAPH.with_weights(np.array([7, 3, 9, 9, 1, 1]))  # CSR order: 0→1, 0→2, 1→2, …
    with pytest.raises(VerificationError, match="the path is 16 long, but 2 is at distance 3"):
        verify.path(graph, [0, 1, 2], 16, np.array([0, 7, 3, 4, NONE], np.int32))
    with pytest.raises(VerificationError, match="shortest"):
        verify.path(GRAPH, [0, 1, 2], 2, HOPS, weighted=False)


def test_floats_are_summed_from_the_source_in_their_dtype() -> None:
    weights = np.array([0.1, 0.2, 0.3], np.float32)
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], weights)
    distance = np.append(np.float32(0), np.cumsum(weights, dtype=np.float32))
    verify.path(graph, [0, 1, 2, 3], distance[3].item(), distance)
    with pytest.raises(VerificationError, match="length"):
        verify.path(graph, [0, 1, 2, 3], 0.6, distance)


def test_a_path_with_negative_weights() -> None:
    graph = Graph.from_edges([0, 0, 1], [1, 2, 2], [5, 1, -7])
    verify.path(graph, [0, 1, 2], -2, np.array([0, 5, -2], np.int32))


def test_vertices_that_are_none() -> None:
    with pytest.raises(ValueError, match="vertex 9 is out of range"):
        verify.path(GRAPH, [0, 9], 0, DISTANCE)
    with pytest.raises(ValueError, match="source 9 is out of range"):
        verify.no_path(GRAPH, 9, 0)
    with pytest.raises(ValueError, match="target -1 is out of range"):
        verify.no_path(GRAPH, 0, -1)


def test_no_path() -> None:
    verify.no_path(GRAPH, 0, 4)
    verify.no_path(GRAPH, 3, 0)
    for source, target in ((4, 3), (0, 0)):
        with pytest.raises(VerificationError, match=f"a path leads from {source} to {target}"):
            verify.no_path(GRAPH, source, target)


# -- by other algebras -----------------------------------------------------------------------

# 0 →0.5 1 →0.5 2, and 0 →0.2 2 and 1 →0.1 2; an arc of 0 to 3.
ODDS = Graph.from_edges([0, 1, 0, 1, 2], [1, 2, 2, 2, 3], [0.5, 0.5, 0.2, 0.1, 0.0])
BEST = {
    "widest": ([np.inf, 0.5, 0.5, 0.0], [0, 1, 2], 0.5),
    "most-reliable": ([1.0, 0.5, 0.25, 0.0], [0, 1, 2], 0.25),
    "minimax": ([-np.inf, 0.5, 0.2, 0.2], [0, 2], 0.2),
    "reachability": ([True, True, True, True], [0, 1, 2], True),
}


@pytest.mark.parametrize("algebra", BEST)
def test_paths_that_are_best_otherwise(algebra: str) -> None:
    distance, path, value = BEST[algebra]
    verify.path(ODDS, path, value, np.array(distance), algebra=algebra)
    verify.path(ODDS, [0], distance[0], np.array(distance), algebra=algebra)
    with pytest.raises(VerificationError) as error:
        verify.path(ODDS, path, 0, np.array(distance), algebra=algebra)
    assert error.value.broken == "length"


@pytest.mark.parametrize(
    ("algebra", "path", "value"),
    [("widest", [0, 2], 0.2), ("most-reliable", [0, 2], 0.2), ("minimax", [0, 1, 2], 0.5)],
)
def test_paths_that_are_not_the_best(algebra: str, path: list[int], value: float) -> None:
    with pytest.raises(VerificationError, match="but the best one to 2 is worth") as error:
        verify.path(ODDS, path, value, np.array(BEST[algebra][0]), algebra=algebra)
    assert error.value.broken == "shortest"


def test_an_arc_of_reliability_0_is_none() -> None:
    verify.no_path(ODDS, 0, 3, algebra="most-reliable")
    with pytest.raises(VerificationError, match="a path leads from 0 to 2"):
        verify.no_path(ODDS, 0, 2, algebra="most-reliable")
    with pytest.raises(VerificationError, match="a path leads from 0 to 3"):
        verify.no_path(ODDS, 0, 3, algebra="widest")


def test_algebras_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="unknown algebra 'longest'; choose one of shortest"):
        verify.path(GRAPH, [0], 0, DISTANCE, algebra="longest")
    with pytest.raises(ValueError, match="unknown algebra 'longest'"):
        verify.no_path(GRAPH, 0, 4, algebra="longest")
    with pytest.raises(ValueError, match="weighted=False counts arcs"):
        verify.path(GRAPH, [0], 0, HOPS, weighted=False, algebra="widest")
