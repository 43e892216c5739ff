"""Voronoi cells are NetworkX's own, with its choice among centers that are as near."""

import networkx as nx
import pytest

from networkx_graphs import KINDS, compare, random_graph


@pytest.mark.parametrize("kind", KINDS)
def test_cells(kind):
    for seed, weights in enumerate(("integers", "zeros", "some missing", "floats")):
        G = random_graph(kind, weights, seed)
        names = list(G)
        for centers in ([names[0]], names[:6], names[20:30], set(names[3:9]), names):
            for weight in ("weight", "absent", None, lambda u, v, data: 1 + len(str(u))):
                compare("voronoi_cells", G, centers, weight=weight)


def test_bad_centers():
    for centers in ([], [9], [0, 9]):
        compare("voronoi_cells", nx.path_graph(4), centers)
