"""The backend for NetworkX with ``device="cuda"``, on the emulator: NetworkX's own answers."""

import networkx as nx
import numpy as np
import pytest

from emulated_device import emulated_device
from emulated_runtime import EmulatedRuntime
from networkx_graphs import KINDS, random_graph
from warpath.algorithms.centrality import brandes

pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs:UserWarning")


@pytest.fixture(scope="module")
def runtime(emulator):
    with EmulatedRuntime(emulator) as runtime:
        yield runtime


def on_gpu(runtime, name, G, **options):
    with emulated_device(runtime):
        found = getattr(nx, name)(G, backend="warpath", device="cuda", **options)
        return found if isinstance(found, (dict, int, bool)) else list(found)


@pytest.mark.parametrize("kind", KINDS[:2])
@pytest.mark.parametrize("name", ["betweenness_centrality", "edge_betweenness_centrality"])
def test_betweenness(runtime, monkeypatch, name, kind):
    G = random_graph(kind, "integers", 3)
    of_the_cpu = brandes.distances

    def copied(graph, sources, xp):
        return xp.asarray(of_the_cpu(graph, sources, np))

    monkeypatch.setattr(brandes, "distances", copied)
    for weight in (None, "weight"):
        found = on_gpu(runtime, name, G, weight=weight)
        assert found == pytest.approx(getattr(nx, name)(G, weight=weight), rel=1e-12)


@pytest.mark.parametrize(("name", "kind"), [
    ("connected_components", nx.Graph), ("weakly_connected_components", nx.DiGraph),
    ("strongly_connected_components", nx.DiGraph),
])  # fmt: skip
def test_components(runtime, name, kind):
    G = kind(nx.gnm_random_graph(60, 50, seed=3, directed=kind is nx.DiGraph))
    parts = on_gpu(runtime, name, G)
    assert sorted(map(sorted, parts)) == sorted(map(sorted, getattr(nx, name)(G)))
    assert [min(part) for part in parts] == sorted(min(part) for part in parts)
    assert on_gpu(runtime, f"number_{name}", G) == len(parts)
