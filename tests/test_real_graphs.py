"""The loaders of real graphs give the graphs that the published answers are of.

Oracle: SciPy, so that a failure here is a loader's or a reader's, not an algorithm's.
"""

import numpy as np
import pytest
from scipy.sparse import csgraph

import real_graphs
from exhaustive import few
from oracles import distances, levels, lightest


@pytest.mark.parametrize("name", real_graphs.names())
def test_is_the_graph_of_expected_json(name):
    graph, about = real_graphs.load(name), real_graphs.expected(name)
    assert graph.num_vertices == about["nodes"]
    assert graph.num_arcs == about["arcs"]
    assert graph.num_edges == about["edges_in_file"]
    assert graph.directed == about["directed"]
    assert graph.weights is not None
    assert graph.weight_range == (about["min_w"], about["max_w"])
    assert np.count_nonzero(graph.weights == 0) == about["zero_w"]
    assert graph.weights.dtype == (np.float64 if about["weights"] == "float" else np.int32)
    assert graph.num_self_loops == about["self_loops"]
    assert graph.degree.max() == about["max_out_degree"]
    matrix = lightest(graph)
    assert graph.num_arcs - matrix.nnz == about["parallel_arcs"]
    # Of the simple graph: SciPy's strong components loop for ever on some parallel arcs.
    strong, _ = csgraph.connected_components(matrix, connection="strong")
    weak, _ = csgraph.connected_components(matrix, connection="weak")
    assert (weak, strong) == (about["wcc"], about["scc"])


@pytest.mark.parametrize("name", few(real_graphs.names(), real_graphs.small_names()))
def test_answers_are_of_this_graph(name):
    graph, about = real_graphs.load(name), real_graphs.expected(name)
    answer = about["sources"][0]
    source = answer["source"]
    assert real_graphs.sha256(levels(graph, source)) == answer["bfs_levels_sha256_i32le"]
    if "sssp_sum" not in answer:  # negative cycles
        return
    found = distances(graph, source, np.float64)
    reached = np.isfinite(found)
    assert reached.sum() == answer["sssp_reached"]
    if "sssp_dist_sha256_i64le" not in answer:
        assert found[reached].sum() == pytest.approx(answer["sssp_sum"], rel=1e-12)
        return
    whole = np.where(reached, found, -1).astype("<i8")
    assert real_graphs.sha256(whole) == answer["sssp_dist_sha256_i64le"]
    p = real_graphs.potential(graph.num_vertices)
    twin = np.where(reached, whole + p[source] - p, np.iinfo(np.int64).max)
    assert real_graphs.sha256(twin) == answer["negtwin_dist_sha256_i64le_unreached_maxint"]
    weights = real_graphs.negative_twin(name).weights
    assert np.count_nonzero(weights < 0) == about["negtwin_negative_arcs"]


@pytest.mark.parametrize("name", real_graphs.ldbc_names())
def test_ldbc(name):
    case = real_graphs.ldbc(name)
    assert case.levels is not None or case.distances is not None
    if case.levels is not None:
        assert np.array_equal(levels(case.graph, case.source), case.levels)
    if case.distances is not None:
        found = distances(case.graph, case.source, np.float64)
        np.testing.assert_allclose(found, case.distances, rtol=1e-12)


@pytest.mark.parametrize("name", real_graphs.library_checker_names())
def test_library_checker(name):
    graph, s, t, answer = real_graphs.library_checker(name)
    found = distances(graph, s, np.float64)[t]
    assert found == (np.inf if answer is None else answer)


@pytest.mark.parametrize("name", real_graphs.dijkstra_names())
def test_stanford_dijkstra(name):
    graph, source, vertices, answers = real_graphs.dijkstra(name)
    found = distances(graph, source, np.float64)[vertices]
    assert np.array_equal(np.where(np.isinf(found), -1, found), answers)


@pytest.mark.parametrize(
    "name", [n for n in real_graphs.apsp_names() if int(n.split("_")[-1]) <= 64]
)
def test_stanford_apsp(name):
    graph, answer = real_graphs.apsp(name)
    try:
        found = csgraph.johnson(lightest(graph))
    except csgraph.NegativeCycleError:
        assert answer is None
        return
    np.fill_diagonal(found, np.inf)
    assert found.min() == answer
