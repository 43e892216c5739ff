"""Isochrones of random graphs, at random points of edges, by NetworkX and fractions."""

from fractions import Fraction

import networkx as nx

import warpath as wp


def _drawn(generator):
    n, m = generator.integers(1, 8), generator.integers(0, 16)
    source, target = generator.integers(0, n, (2, m))
    weights = generator.integers(0, 12, m)
    directed = bool(generator.integers(2))
    graph = wp.Graph.from_edges(source, target, weights, n=n, directed=directed, edge_ids=True)
    other = (nx.MultiDiGraph if directed else nx.MultiGraph)()
    other.add_nodes_from(range(n))
    edges = list(zip(source.tolist(), target.tolist(), weights.tolist(), strict=True))
    other.add_weighted_edges_from(edges)
    return graph, other, edges


def _distance_at(edge, place, away, other, towards):
    """The distance of the point at a fraction of an edge; None if there is no way."""
    u, v, weight = edge
    from_source = away.get(u), place * weight
    from_target = away.get(v), (1 - place) * weight
    ways = [from_target if towards else from_source]
    if not other.is_directed():
        ways = [from_source, from_target]
    return min((d + w for d, w in ways if d is not None), default=None)


def test_each_point_is_in_the_band_of_its_distance(each_case):
    def check(generator):
        graph, other, edges = _drawn(generator)
        sources = generator.integers(0, graph.num_vertices, generator.integers(1, 3)).tolist()
        limits = generator.integers(0, 40, generator.integers(1, 4)) / 2
        towards = bool(generator.integers(2))
        found = wp.isochrone(graph, sources, limits, towards=towards)
        parts = found.parts
        searched = other.reverse() if towards and other.is_directed() else other
        away = nx.multi_source_dijkstra_path_length(searched, set(sources))
        assert set(found.vertices().tolist()) == {v for v, d in away.items() if d <= max(limits)}
        for i, edge in enumerate(edges):
            mine = parts.edge == i
            assert set(parts.source[mine]) <= set(edge[:2])
            turned = mine.any() and int(parts.source[mine][0]) != edge[0]
            for numerator in generator.integers(1, 1009, 3):
                place = Fraction(int(numerator), 1009)  # no part ends there
                distance = _distance_at(edge, place, away, other, towards)
                bands = [k for k, limit in enumerate(sorted(set(limits))) if distance is not None
                         and distance <= Fraction(limit)][:1]  # fmt: skip
                at = float(1 - place if turned else place)
                inside = mine & (parts.begin <= at) & (at <= parts.end)
                assert parts.band[inside].tolist() == bands

    each_case(check)
