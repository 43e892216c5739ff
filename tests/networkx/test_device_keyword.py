"""Every function takes ``device``, and says what is wrong with it and with its other keywords."""

import networkx as nx
import pytest

from _warpath_networkx.functions import FUNCTIONS
from networkx_close import rounded
from networkx_graphs import assert_plain, outcome
from warpath import DeviceUnavailableError, Schedule, devices

# NetworkX before 3.5 announces that answers for all pairs will be iterators.
pytestmark = pytest.mark.filterwarnings(
    "ignore:\\s*shortest_path will return an iterator:FutureWarning"
)

PAIR = ("bidirectional", "dijkstra_path", "bellman_ford_path", "has_path", "all_shortest")
NODE = (
    "ancestors", "bellman_ford_pred", "bfs_", "descendants", "dijkstra_pred", "find_negative",
    "goldberg", "node_connected", "predecessor", "single_",
)  # fmt: skip


def call(name, **how):
    """A function's answer for a tree, where no two paths lead from one node to another."""
    G = nx.random_labeled_tree(40, seed=3)
    nx.set_edge_attributes(G, {edge: 1 + k % 7 for k, edge in enumerate(G.edges)}, "weight")
    if "weakly" in name or "strongly" in name:
        G = G.to_directed()
    arguments = ()
    if name.startswith(PAIR):
        arguments = 3, 17
    elif name.startswith(NODE):
        arguments = (3,)
    elif name.startswith(("multi_source", "voronoi")):
        arguments = ([3, 30],)
    elif name == "maximal_independent_set":  # that has these nodes: there is one
        arguments = (nx.maximal_independent_set(G, seed=1),)
    if name == "descendants_at_distance":
        arguments = 3, 2
    return outcome(getattr(nx, name), G, *arguments, **how)


def unordered(value):
    """An answer in which the order of nodes as far away does not count."""
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, (list, tuple, set)):
        return sorted((unordered(part) for part in value), key=repr)
    if isinstance(value, nx.Graph):
        return sorted(value.edges)
    return rounded(value.tolist() if hasattr(value, "tolist") else value)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_takes_a_device(name):
    expected = call(name, backend="networkx")
    for device in ("auto", "cpu"):
        found = call(name, backend="warpath", device=device)
        assert repr(unordered(found)) == repr(unordered(expected))
    kind, (words,) = call(name, backend="warpath", device="gpu")
    assert issubclass(kind, ValueError)
    assert "unknown device 'gpu'" in words
    assert "cpu" in words


@pytest.mark.parametrize("name", [name for name, keys in FUNCTIONS.items() if "schedule" in keys])
def test_a_balance_needs_a_gpu(name, monkeypatch):
    monkeypatch.setattr(devices, "missing", lambda: "there is no NVIDIA GPU")
    kind, (words,) = call(name, backend="warpath", schedule="virtual-warp")
    assert kind is DeviceUnavailableError
    assert words == "only a GPU has balance='virtual-warp': there is no NVIDIA GPU"


@pytest.mark.parametrize("name", [name for name, keys in FUNCTIONS.items() if "schedule" in keys])
def test_a_balance_takes_the_way_of_gpus(name, monkeypatch):
    """With a GPU or the CPU in its place: searches in no particular order, which are put into one."""
    if devices.missing() is not None:
        monkeypatch.setattr(Schedule, "only_on_gpus", property(lambda _: ""))  # kept ones, too
    found = call(name, backend="warpath", schedule="virtual-warp:width=8")
    assert_plain(found)
    assert repr(unordered(found)) == repr(unordered(call(name, backend="networkx")))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_gpu_that_cannot_be_used_is_named(name):
    if devices.missing() is None:
        pytest.skip("there is a GPU")
    kind, _ = call(name, backend="warpath", device="cuda")
    assert kind is DeviceUnavailableError


@pytest.mark.parametrize("name", [name for name, keys in FUNCTIONS.items() if "method" in keys])
def test_unknown_methods_are_named(name):
    kind, (words,) = call(name, backend="warpath", method="magic")
    assert issubclass(kind, ValueError)
    assert "'magic'" in words


@pytest.mark.parametrize("name", [name for name, keys in FUNCTIONS.items() if "schedule" in keys])
def test_schedules_that_are_none_are_named(name):
    kind, (words,) = call(name, backend="warpath", schedule="fair")
    assert issubclass(kind, ValueError)
    assert "'fair'" in words


@pytest.mark.parametrize("name", FUNCTIONS)
def test_unknown_keywords_are_named(name):
    kind, (words,) = call(name, backend="warpath", speed="high")
    assert kind is TypeError
    adds = ", ".join(FUNCTIONS[name])
    assert words.startswith(f"{name}() got an unexpected keyword argument 'speed'")
    assert words.endswith(f"backend='warpath' adds {adds}")


@pytest.mark.gpu
@pytest.mark.skipif(devices.missing() is not None, reason=str(devices.missing()))
@pytest.mark.parametrize("name", FUNCTIONS)
def test_on_a_gpu(name):
    found = call(name, backend="warpath", device="cuda")
    assert_plain(found)
    assert repr(unordered(found)) == repr(unordered(call(name, backend="networkx")))
