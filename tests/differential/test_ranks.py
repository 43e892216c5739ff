"""Searches of graphs in parts, on ranks that are threads, against one process."""

import numpy as np

import warpath as wp
from exact_paths import DISTANCES, draw, is_negative, may_refuse, pick
from thread_ranks import on_ranks

DTYPES = (None, *DISTANCES)  # of weights: each is a kernel to compile


def outcome_of(search, graph, source, options):
    """Distances that are verified, or the type of what is raised."""
    try:
        found = search(graph, source, **options)
    except (OverflowError, wp.NegativeCycleError) as error:
        return type(error)
    found.verify()
    return np.asarray(found.distance)


def excused(graph):
    """Whether negative weights may leave the dtype, or round, on one way and not on another."""
    widest = np.float64 if graph.weight_dtype.kind == "f" else np.int64
    return is_negative(graph) and may_refuse(graph, widest)


def on_parts(rng, graph, call):
    """What ``call`` of the graph in parts returns on each of one to three ranks."""
    outcomes = on_ranks(int(rng.integers(1, 4)), lambda: call(wp.distributed.distribute(graph)))
    for one in outcomes:
        if isinstance(one, Exception):
            raise one
    return outcomes


def draw_source(rng, n):
    """One source, several, or several of which the nearest counts: with options."""
    if rng.random() < 0.6:
        return int(rng.integers(n)), {}
    return rng.integers(0, n, 3).tolist(), {"nearest": bool(rng.integers(2))}


def test_shortest_paths(each_case):
    def check(rng):
        graph = draw(rng, dtypes=DTYPES)
        source, options = draw_source(rng, graph.num_vertices)
        if not is_negative(graph) and not isinstance(source, list):
            limits = [{}, {"target": int(rng.integers(graph.num_vertices))}]
            options |= pick(rng, [*limits, {"cutoff": pick(rng, [0, 1, 2.5, 2**31, 1e300])}])
        expected = outcome_of(wp.sssp, graph, source, options)
        for found in on_parts(rng, graph, lambda g: outcome_of(wp.sssp, g, source, options)):
            if isinstance(found, type) or isinstance(expected, type):
                assert found is expected or excused(graph), (found, expected)
            elif "target" in options:
                assert found[options["target"]] == expected[options["target"]]
            else:
                assert found.dtype == expected.dtype
                assert np.array_equal(found, expected)

    each_case(check)


def test_levels_and_components(each_case):
    def check(rng):
        graph = draw(rng, dtypes=DTYPES)
        source, options = draw_source(rng, graph.num_vertices)
        options["depth_limit"] = pick(rng, [None, 0, 1, 3])
        expected = outcome_of(wp.bfs, graph, source, options)
        for found in on_parts(rng, graph, lambda g: outcome_of(wp.bfs, g, source, options)):
            assert np.array_equal(found, expected)
        labels, count = wp.connected_components(graph)
        own = on_parts(rng, graph, wp.connected_components)
        assert {number for _, number in own} == {count}
        assert np.array_equal(np.concatenate([part for part, _ in own]), labels)

    each_case(check)
