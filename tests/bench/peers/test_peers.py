"""Every peer's answer is warpath's, which is verified."""

import importlib.util
import stat
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import warpath as wp
from warpath.bench.peers import PEERS
from warpath.bench.peers.peer import has_parallel_arcs

LIBRARIES = ("scipy", "networkx", "igraph", "networkit", "graphblas")
WEIGHTS = {"int32": (1, 255), "float64": (0.0, 1.0), "none": None}


def peer_of(name):
    """The peer, or a visible skip where it cannot run."""
    peer = PEERS[name]
    why = peer.missing()
    if why is not None:
        pytest.skip(f"{name}: {why}")
    return peer


def search(graph, algorithm, source):
    """Verified distances, infinite or −1 where nothing leads."""
    result = getattr(wp, algorithm)(graph, source)
    result.verify()
    distance = result.distance
    if algorithm == "sssp" and distance.dtype.kind == "i":
        distance = np.where(distance == np.iinfo(distance.dtype).max, np.inf, distance)
    return distance


@pytest.mark.parametrize("algorithm", ["bfs", "sssp"])
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", LIBRARIES)
def test_a_librarys_distances_are_ours(name, directed, weights, algorithm):
    peer = peer_of(name)
    graph = wp.generate.rmat(8, 4, weights=WEIGHTS[weights], directed=directed, simple=True, seed=3)
    assert graph.num_vertices == 256
    source = int(graph.degree.argmax())
    ours = graph
    if weights == "none" and algorithm == "sssp":
        ours = graph.with_weights(np.ones(graph.num_arcs, np.int32))
    wanted = search(ours, algorithm, source)
    assert np.any(wanted == (-1 if algorithm == "bfs" else np.inf))
    distance, seconds = peer.run(peer.prepare(graph), algorithm, source)
    np.testing.assert_array_equal(distance, wanted)
    if algorithm == "bfs":
        assert distance.dtype == np.int32
    assert seconds > 0


@pytest.mark.parametrize("name", ["scipy", "networkx", "igraph"])
def test_those_with_bellman_ford_take_negative_weights(name):
    peer = peer_of(name)
    graph = wp.generate.rmat(8, 4, weights=(1, 255), directed=True, simple=True, seed=3)
    graph = wp.generate.negative_weights(graph, seed=1)
    source = int(graph.degree.argmax())
    distance, _ = peer.run(peer.prepare(graph), "sssp", source)
    np.testing.assert_array_equal(distance, search(graph, "sssp", source))
    assert distance.min() < 0


@pytest.mark.parametrize("name", ["networkit", "graphblas"])
def test_the_others_refuse_negative_weights(name):
    peer = peer_of(name)
    graph = wp.Graph.from_edges([0, 1], [1, 2], [3, -1])
    with pytest.raises(ValueError, match="takes no negative weights: -1 is one"):
        peer.prepare(graph)


@pytest.mark.parametrize("name", ["scipy", "graphblas"])
def test_parallel_arcs_are_refused_where_they_would_be_added_up(name):
    peer = peer_of(name)
    with pytest.raises(ValueError, match="parallel"):
        peer.prepare(wp.Graph.from_edges([0, 0, 1], [1, 1, 2], [3, 1, 1]))


@pytest.mark.parametrize(
    ("source", "target", "parallel"),
    [([0, 0], [1, 1], True), ([0, 1], [1, 1], False), ([0, 1, 2, 2], [2, 2, 2, 2], True),
     ([], [], False), ([1, 3], [0, 0], False)],
)  # fmt: skip
def test_parallel_arcs(source, target, parallel):
    graph = wp.Graph.from_edges(np.array(source, int), np.array(target, int), n=5)
    assert has_parallel_arcs(graph) == parallel


def test_networkx_gets_no_graph_that_it_would_take_for_ever(monkeypatch):
    from warpath.bench.peers import networkx as module

    monkeypatch.setattr(module, "_MOST_ARCS", 5)
    with pytest.raises(ValueError, match="6 arcs: NetworkX gets no more than 5"):
        peer_of("networkx").prepare(wp.generate.named("cycle", 3))


def test_each_peer_is_here_or_says_why_not():
    assert all(peer.name == name and peer.missing() != "" for name, peer in PEERS.items())
    assert PEERS["scipy"].missing() is PEERS["networkx"].missing() is None


def test_rules_and_versions_are_stated():
    for peer in PEERS.values():
        assert "time" in peer.rules
        assert peer.missing() or peer.version
    assert PEERS["scipy"].version == importlib.import_module("scipy").__version__


def test_a_library_that_is_not_installed_says_how_to_install_it(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "igraph" else find(name)
    )
    assert PEERS["igraph"].missing() == "not installed: pip install igraph"


# -- programs --------------------------------------------------------------------------------------


def program(folder, name, text):
    """A program in Python."""
    file = folder / name
    file.write_text(f"#!{sys.executable}\nimport sys\narguments = sys.argv[1:]\n{text}")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


GAPBS = """
import pathlib
given = dict(zip(arguments[::2], arguments[1::2]))
with (pathlib.Path(__file__).parent / "calls").open("a") as calls:
    print(pathlib.Path(__file__).name, *arguments[2:], file=calls)
assert pathlib.Path(given["-f"]).is_file()
delta = int(given.get("-d", 32))
for trial in range(int(given["-n"])):
    print("Trial Time:          ", f"{(trial + 1) * (1 if delta == 32 else 9) / 1000:.5f}")
if arguments[-1] == "-v":
    print("Verification:           ", VERDICT)
"""


@pytest.fixture
def gapbs(tmp_path, monkeypatch):
    for name in ("bfs", "sssp"):
        program(tmp_path, name, GAPBS.replace("VERDICT", '"PASS"'))
    monkeypatch.setenv("WARPATH_GAPBS", str(tmp_path))
    return tmp_path


def test_gapbs_is_called_with_the_graphs_file_and_its_trials_are_read(gapbs):
    peer = peer_of("gapbs")
    handle = peer.prepare(wp.generate.grid(5, weights=(1, 9)))
    assert wp.read(handle.files["sssp"]).num_vertices == 25
    assert peer.run(handle, "bfs", 7) == (None, 0.002)
    assert peer.run(handle, "bfs", 8) == (None, 0.002)
    assert peer.run(handle, "sssp", 7) == (None, 0.002)
    calls = (gapbs / "calls").read_text().splitlines()
    # The verifier once a graph and algorithm; the best Δ of five, found once.
    assert calls[:3] == ["bfs -r 7 -n 1 -v", "bfs -r 7 -n 3", "bfs -r 8 -n 3"]
    assert [call.split()[4] for call in calls[3:]] == ["8", "32", "128", "512", "2048", "32", "32"]
    folder = handle.folder
    assert folder.is_dir()
    del handle
    assert not folder.exists()


def test_gapbs_takes_int32_weights_alone(gapbs):
    peer = peer_of("gapbs")
    for graph, message in (
        (wp.generate.grid(3), "no weights"),
        (wp.generate.grid(3, weights=(0.0, 1.0)), "int32"),
    ):
        handle = peer.prepare(graph)
        assert peer.run(handle, "bfs", 0)[1] > 0
        with pytest.raises(ValueError, match=message):
            peer.run(handle, "sssp", 0)


def test_a_program_whose_own_verifier_fails(gapbs):
    program(gapbs, "bfs", GAPBS.replace("VERDICT", '"FAIL"'))
    peer = peer_of("gapbs")
    with pytest.raises(RuntimeError, match="own verifier refuses its bfs from 7"):
        peer.run(peer.prepare(wp.generate.grid(3)), "bfs", 7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sys.exit('out of memory')", "ended with 1: out of memory"),
        ("print('nothing to say')", "no line like .* 'nothing to say"),
    ],
)
def test_a_program_that_fails(gapbs, text, message):
    program(gapbs, "bfs", text)
    peer = peer_of("gapbs")
    with pytest.raises(RuntimeError, match=message):
        peer.run(peer.prepare(wp.generate.grid(3)), "bfs", 0)


def test_where_a_program_is_said_by_the_environment(tmp_path, monkeypatch):
    monkeypatch.delenv("WARPATH_GAPBS", raising=False)
    assert PEERS["gapbs"].missing().startswith("set WARPATH_GAPBS to the folder")
    monkeypatch.setenv("WARPATH_GAPBS", str(tmp_path))
    assert PEERS["gapbs"].missing().endswith("which has no bfs, sssp")


GUNROCK = """
given = dict(zip(arguments[::2], arguments[1::2]))
assert open(given["--market"]).readline().startswith("%%MatrixMarket")
assert (given["--src"], given["--num_runs"]) == ("7", "3")
if arguments[-1] == "--validate":
    print("CPU Elapsed Time : 9.5 (ms)\\nNumber of errors : ERRORS")
print("GPU Elapsed Time : 2.5 (ms)")
"""


@pytest.fixture
def gunrock(tmp_path, monkeypatch):
    from warpath import devices

    monkeypatch.setattr(devices, "missing", lambda: None)
    monkeypatch.setenv("WARPATH_GUNROCK", str(tmp_path))
    for name in ("bfs", "sssp"):
        program(tmp_path, name, GUNROCK.replace("ERRORS", "0"))
    return tmp_path


def test_gunrock_is_called_with_the_graphs_file_and_its_last_run_is_read(gunrock):
    peer = peer_of("gunrock")
    handle = peer.prepare(wp.generate.grid(3, weights=(1, 9)))
    assert peer.run(handle, "sssp", 7) == (None, 0.0025)
    program(gunrock, "sssp", "sys.exit('called again')")
    assert peer.run(handle, "sssp", 7) == (None, 0.0025)
    program(gunrock, "bfs", GUNROCK.replace("ERRORS", "3"))
    with pytest.raises(RuntimeError, match="finds 3 errors in its bfs; if nvcc"):
        peer.run(handle, "bfs", 7)


# -- cuGraph ---------------------------------------------------------------------------------------


def test_cugraphs_answers_are_put_in_order(monkeypatch):
    """Against modules that answer as its documentation says: vertices in any order."""
    from warpath import devices
    from warpath.bench.peers.cugraph import CuGraph

    graph = wp.Graph.from_edges([0, 1], [1, 2], [2, 3], n=4)
    order = np.array([2, 0, 3, 1], np.int32)

    class Event:
        def record(self):
            pass

        def synchronize(self):
            pass

    cupy = ModuleType("cupy")
    cupy.asarray, cupy.asnumpy, cupy.int32 = np.asarray, np.asarray, np.int32
    cupy.cuda = SimpleNamespace(Event=Event, get_elapsed_time=lambda begin, end: 1500.0)
    fake = ModuleType("pylibcugraph")
    fake.ResourceHandle = lambda: "resources"
    fake.GraphProperties = dict

    def make(resources, properties, offsets, indices, **options):
        assert properties == {"is_symmetric": False, "is_multigraph": False}
        assert options["input_array_format"] == "CSR"
        np.testing.assert_array_equal(options["weight_array"], [2.0, 3.0])
        return "graph"

    def bfs(resources, there, sources, optimizing, depth, predecessors, check):
        assert (sources.tolist(), optimizing) == ([0], False)
        levels = np.array([0, 1, 2, np.iinfo(np.int32).max], np.int32)
        return levels[order], None, order

    def sssp(resources, there, source, cutoff, predecessors, check):
        assert source == 0
        return order, np.array([0.0, 2.0, 5.0, np.finfo(np.float64).max])[order], None

    fake.SGGraph, fake.bfs, fake.sssp = make, bfs, sssp
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setitem(sys.modules, "pylibcugraph", fake)
    monkeypatch.setattr(devices, "missing", lambda: None)
    peer = CuGraph()
    handle = peer.prepare(graph)
    level, seconds = peer.run(handle, "bfs", 0)
    assert (level.tolist(), level.dtype, seconds) == ([0, 1, 2, -1], np.int32, 1.5)
    distance, _ = peer.run(handle, "sssp", 0)
    assert distance.tolist() == [0, 2, 5, np.inf]
    assert peer.version == "unknown"


@pytest.mark.gpu
@pytest.mark.parametrize("algorithm", ["bfs", "sssp"])
@pytest.mark.parametrize("directed", [False, True])
def test_cugraph_on_a_gpu(algorithm, directed):
    peer = peer_of("cugraph")
    graph = wp.generate.rmat(10, 4, weights=(1, 255), directed=directed, simple=True, seed=3)
    source = int(graph.degree.argmax())
    distance, seconds = peer.run(peer.prepare(graph), algorithm, source)
    np.testing.assert_array_equal(distance, search(graph, algorithm, source))
    assert seconds > 0
