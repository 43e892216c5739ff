"""The backend for NetworkX with ``device="cuda"``, on the emulator: NetworkX's own answers."""

from itertools import product

import networkx as nx
import pytest

from emulated_device import emulated_device
from exhaustive import few, slow
from networkx_graphs import KINDS, random_graph

pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs:UserWarning")


def on_gpu(runtime, name, G, **options):
    with emulated_device(runtime):
        found = getattr(nx, name)(G, backend="warpath", device="cuda", **options)
        return found if isinstance(found, (dict, int, bool)) else list(found)


NODES, EDGES = "betweenness_centrality", "edge_betweenness_centrality"


# By default without weights, which the test of measures has; other operators are other kernels.
@pytest.mark.parametrize(
    ("name", "kind", "weight"),
    few(
        product([NODES, EDGES], KINDS[:2], [None, "weight"]),
        [(NODES, KINDS[0], None), (EDGES, KINDS[1], None)],
    ),
)
def test_betweenness(runtime, distances_of_the_cpu, name, kind, weight):
    G = random_graph(kind, "integers", 3)
    found = on_gpu(runtime, name, G, weight=weight)
    assert found == pytest.approx(getattr(nx, name)(G, weight=weight), rel=1e-12)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("connected_components", nx.Graph),
        *slow(
            [
                ("weakly_connected_components", nx.DiGraph),
                ("strongly_connected_components", nx.DiGraph),
            ]
        ),
    ],
)
def test_components(runtime, name, kind):
    G = kind(nx.gnm_random_graph(60, 50, seed=3, directed=kind is nx.DiGraph))
    parts = on_gpu(runtime, name, G)
    assert sorted(map(sorted, parts)) == sorted(map(sorted, getattr(nx, name)(G)))
    assert [min(part) for part in parts] == sorted(min(part) for part in parts)
    assert on_gpu(runtime, f"number_{name}", G) == len(parts)
