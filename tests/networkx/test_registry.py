"""Which calls can be run, and which are faster."""

import networkx as nx
import pytest

from warpath.networkx import from_networkx, interface, registry
from warpath.networkx.registry import is_cached


def test_small_graphs_are_left_to_networkx():
    assert isinstance(interface.should_run("bfs_edges", (nx.path_graph(5), 0), {}), str)
    assert isinstance(interface.should_run("has_path", (), {"G": nx.path_graph(5)}), str)


def test_a_single_search_is_worth_no_conversion_but_a_cached_one_is_used():
    G = nx.path_graph(5000)
    name = "single_source_shortest_path_length"
    assert isinstance(interface.should_run(name, (G, 0), {}), str)
    nx.has_path(G, 0, 1, backend="warpath")
    assert is_cached(G)
    assert interface.should_run(name, (G, 0), {}) is True
    G.add_node(-1)
    assert not is_cached(G)


def test_a_search_that_may_stop_soon_is_networkxs():
    H = from_networkx(nx.path_graph(5000))
    for name, limit in (
        ("single_source_shortest_path_length", "cutoff"),
        ("all_pairs_dijkstra_path_length", "cutoff"),
        ("bfs_edges", "depth_limit"),
    ):
        source = () if name.startswith("all") else (0,)
        assert isinstance(interface.should_run(name, (H, *source), {limit: 2}), str)
        assert interface.should_run(name, (H, *source), {limit: None}) is True
    name = "single_source_shortest_path_length"
    assert isinstance(interface.should_run(name, (H, 0, 2), {}), str)
    assert interface.should_run(name, (H, 0, None), {}) is True


def test_converted_graphs_need_no_conversion():
    assert is_cached(from_networkx(nx.path_graph(2)))


def test_a_failed_conversion_is_none():
    G = nx.Graph([(0, 1, {"weight": "heavy"})])
    with pytest.raises(NotImplementedError):
        nx.dijkstra_path(G, 0, 1, backend="warpath")
    assert not is_cached(G)


def test_sorting_neighbours_is_networkxs():
    G = nx.path_graph(5)
    assert isinstance(interface.can_run("bfs_edges", (G, 0), {"sort_neighbors": sorted}), str)
    assert isinstance(interface.can_run("bfs_tree", (G, 0, False, None, sorted), {}), str)
    assert interface.can_run("bfs_tree", (G, 0, False, None, None), {}) is True


def test_naming_the_backend_is_optional():
    G = nx.gnm_random_graph(300, 900, seed=1)
    with nx.config.backend_priority(algos=["warpath"]):
        lengths = dict(nx.all_pairs_shortest_path_length(G))
    assert G.__networkx_cache__["backends"]["warpath"]
    assert lengths == dict(nx.all_pairs_shortest_path_length(G, backend="networkx"))


CLASSES = [value for value in vars(registry).values() if isinstance(value, registry.WorthIt)]


@pytest.mark.parametrize("worth", CLASSES)
def test_a_converted_graph_is_never_needed_to_be_larger_than_a_fresh_one(worth):
    assert worth.fresh is None or (worth.cached is not None and worth.cached <= worth.fresh)


def test_graphs_of_a_few_nodes_are_networkxs():
    assert len(CLASSES) > 5
    assert all(worth.cached is None or worth.cached >= 30 for worth in CLASSES)


def test_functions_that_choose_another_are_worth_what_that_is():
    G = nx.path_graph(5000)

    def should(name, *args, **kwargs):
        return interface.should_run(name, (G, *args), kwargs) is True

    for name in ("shortest_path", "shortest_path_length"):
        assert should(name)
        assert should(name, weight="weight", method="bellman-ford")
        assert should(name, 0, weight="weight")
        assert should(name, target=0, weight="weight", method="bellman-ford")
        assert not should(name, 0)
        assert not should(name, 0, 1)
        assert not should(name, 0, 1, "weight")
        nx.has_path(G, 0, 1, backend="warpath")
        assert should(name, 0)
        assert should(name, 0, 1, "weight")
        assert not should(name, 0, 1)
        G.__networkx_cache__.clear()


def test_what_is_given_need_not_be_searched_for():
    G = nx.path_graph(500)
    far = dict.fromkeys(G, 1)
    for name in ("diameter", "radius", "center", "periphery"):
        assert interface.should_run(name, (G,), {}) is True
        assert isinstance(interface.should_run(name, (G, far), {}), str)
        assert isinstance(interface.should_run(name, (G,), {"e": far}), str)
    assert interface.should_run("eccentricity", (G,), {}) is True
    assert isinstance(interface.should_run("eccentricity", (G,), {"sp": {}}), str)
    assert isinstance(interface.should_run("eccentricity", (G, 3), {}), str)


def test_a_sample_of_few_nodes_is_networkxs():
    G = nx.path_graph(500)
    for name in ("betweenness_centrality", "edge_betweenness_centrality"):
        assert interface.should_run(name, (G,), {}) is True
        assert interface.should_run(name, (G, 400), {}) is True
        assert isinstance(interface.should_run(name, (G,), {"k": 2}), str)


def test_a_search_to_a_target_is_as_dear_as_between_two_nodes():
    G = nx.path_graph(3000)
    for name in ("single_source_dijkstra", "multi_source_dijkstra"):
        assert interface.should_run(name, (G, 0), {}) is True
        assert isinstance(interface.should_run(name, (G, 0, None, 3), {}), str)
        assert isinstance(interface.should_run(name, (G, 0, 9), {}), str)
        assert isinstance(interface.should_run(name, (G,), {"source": 0, "target": 9}), str)
