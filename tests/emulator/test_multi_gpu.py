"""Graphs in parts on several GPUs of one process, which are the emulator's: the public functions."""

import inspect
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest

import real_graphs
import warpath as wp
from distributed_cases import GRAPHS
from emulated_arrays import DeviceArray
from exhaustive import slow
from warpath import devices
from warpath.cuda import bfs, multi_gpu, transport
from warpath.distributed.gpu import one_launch
from warpath.distributed.multi_gpu import parts_on
from warpath.errors import VerificationError
from warpath.graph import distance
from warpath.planning import bucket_width, path_limit, prefilter

# Graphs that differ in what they ask of an exchange; and the others if there is time.
OFTEN = {
    "one vertex": 2, "fewer vertices than ranks": 4, "no arcs": 2, "only weights of zero": 3,
    "parts that alternate": 2, "floats that vanish": 2, "power law, directed": 4,
}  # fmt: skip

OTHERS = [name for name in GRAPHS if name not in OFTEN]


def check(graph, source, gpus):
    """Answers are those of one process, to the bit, and certified where the parts lie."""
    for search in (wp.bfs, wp.sssp):
        expected = search(graph, source, device="cpu")
        answer = search(graph, source, devices=gpus)
        answer.verify()
        assert answer.distance.dtype == expected.distance.dtype
        np.testing.assert_array_equal(answer.distance, expected.distance)
        verify = wp.verify.bfs if search is wp.bfs else wp.verify.sssp
        verify(graph, source, answer.distance, answer.predecessor)
        np.testing.assert_array_equal(answer.reached, expected.reached)
    labels, count = wp.connected_components(graph, devices=gpus)
    expected_labels, expected_count = wp.connected_components(graph, device="cpu")
    np.testing.assert_array_equal(labels, expected_labels)
    assert count == expected_count


@pytest.mark.parametrize(("name", "count"), OFTEN.items())
def test_answers_are_those_of_one_process(gpus, name, count):
    graph = GRAPHS[name]()
    check(graph, graph.num_vertices // 2, count)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "count"), [*zip(OTHERS, cycle((4, 3, 2, 1)), strict=False)])
def test_answers_on_any_number_of_gpus(gpus, name, count):
    graph = GRAPHS[name]()
    gpus.seed = count - 1
    check(graph, graph.num_vertices // 2, count)


@pytest.mark.parametrize("name", ["p2p-Gnutella08", *slow([("rome99",), ("Anaheim_length",)])])
def test_real_graphs(gpus, name):
    check(real_graphs.load(name).without_labels(), 0, 3)


SEARCHES = {
    "several sources": (wp.bfs, {"source": [3, 0, 50]}),
    "nearest": (wp.bfs, {"source": [3, 60, 61], "nearest": True}),
    "weights, several sources": (wp.sssp, {"source": [3, 50]}),
    "weights, nearest": (wp.sssp, {"source": [3, 60], "nearest": True}),
    "target": (wp.sssp, {"source": [0, 7], "target": 20}),
    "target beyond a cutoff": (wp.sssp, {"source": [0, 7], "target": 63, "cutoff": 5}),
    "cutoff": (wp.sssp, {"source": 0, "cutoff": 17.5}),
    "cutoff of nearest": (wp.sssp, {"source": [0, 63], "nearest": True, "cutoff": 9}),
    "dtype": (wp.sssp, {"source": 0, "dtype": "int64"}),
}  # fmt: skip


@pytest.mark.parametrize("name", SEARCHES)
def test_options_are_those_of_one_process(gpus, name):
    search, options = SEARCHES[name]
    same_answers(search, wp.generate.grid(8, weights=(1, 9), seed=1), options)


@pytest.mark.parametrize("option", [{"target": 20}, {"cutoff": 3.5}, {"target": 63, "cutoff": 3.5}])
def test_options_where_each_arc_counts_1(gpus, option):
    same_answers(wp.sssp, wp.generate.grid(8), {"source": 0, **option})


@pytest.mark.parametrize("dtype", ["int32", *slow([("int64",), ("float64",)])])
def test_a_prefilter(gpus, monkeypatch, dtype):
    """Its bits of other GPUs' vertices are their owners'."""
    monkeypatch.setattr(prefilter, "_MANY_VERTICES", 0)
    weights = (0.0, 1.0) if dtype == "float64" else (1, 255)
    for seed, count in ((1, 2), (2, 3)):
        graph = wp.generate.rmat(8, 16, weights=weights, seed=seed)
        assert (
            prefilter.of_relaxation(graph, "delta-stepping", np.dtype(dtype), asynchronous=False)
            == "on"
        )
        for source in (0, 7):
            answer = wp.sssp(graph, source, dtype=dtype, devices=count)
            answer.verify()
            expected = wp.sssp(graph, source, dtype=dtype, device="cpu").distance
            np.testing.assert_array_equal(answer.distance, expected)


@pytest.mark.parametrize("dtype", ["int32", *slow([("int64",), ("float64",)])])
def test_a_limit_of_paths(gpus, monkeypatch, dtype):
    """Behind it vertices look back; where they are many, those before it look once more."""
    monkeypatch.setattr(path_limit, "_MANY_ARCS", 0)
    looked_back = again = 0
    run = multi_gpu.run_together

    def counted(companions, *others):
        nonlocal looked_back, again
        run(companions, *others)
        report = companions[0].report
        looked_back += report.direction.count("bottom-up")
        again += report.control()["progress"]["path_limits"] > 2

    monkeypatch.setattr(multi_gpu, "run_together", counted)
    weights = (0.0, 1.0) if dtype == "float64" else (1, 255)
    for seed, count, means in ((1, 2, 0.5), (2, 3, 0.3), (3, 3, 0.35), (4, 2, 0.4)):
        graph = wp.generate.erdos_renyi(300, 4_000, weights=weights, seed=seed)
        mean = graph.mean_weight
        width = replace(
            bucket_width.width_at_once(graph), first=mean / 16, widest=mean / 16, reach=means * mean
        )
        monkeypatch.setattr(one_launch, "width_at_once", lambda *_, width=width: width)
        for source in (0, 7):
            answer = wp.sssp(graph, source, dtype=dtype, devices=count)
            answer.verify()
            expected = wp.sssp(graph, source, dtype=dtype, device="cpu").distance
            np.testing.assert_array_equal(answer.distance, expected)
    assert looked_back > 0
    assert again > 0


@pytest.mark.parametrize("limit", [False, True], ids=["", "limit of paths"])
def test_a_tree_that_grows_with_the_search(gpus, monkeypatch, limit):
    """Of positive 32-bit integers no sweep finds predecessors afterwards."""

    def refused(*_, **__):
        raise AssertionError("a sweep")

    monkeypatch.setattr(one_launch, "tight_sweep", refused)
    monkeypatch.setattr(path_limit, "_MANY_ARCS", 0 if limit else 2**62)
    graph = wp.generate.rmat(8, 16, weights=(1, 255), seed=1)
    for count, options in ((2, {"source": 3}), (3, {"source": [0, 7], "nearest": True})):
        answer = wp.sssp(graph, **options, devices=count)
        answer.verify()
        expected = wp.sssp(graph, **options, device="cpu")
        np.testing.assert_array_equal(answer.distance, expected.distance)
        wp.verify.sssp(graph, options["source"], answer.distance, answer.predecessor)
    for option in ({"target": 200}, {"cutoff": 90}):
        same_answers(wp.sssp, graph, {"source": 3, **option})


def test_levels_that_write_distances_in_order(gpus, monkeypatch):
    monkeypatch.setattr(multi_gpu, "ordered_min_edges", lambda n: 1)
    for seed, count in ((1, 2), (2, 3)):
        check(wp.generate.rmat(8, 8, seed=seed), 3, count)


@pytest.mark.parametrize("shift", [0, 4])
def test_a_summary_of_what_is_reached(gpus, monkeypatch, shift):
    """Of all GPUs' vertices; asked in some bottom-up levels, and in all."""
    for most in (30, 2**32 - 1):
        summary = {"shift": shift, "max_vertices": most}
        monkeypatch.setattr(bfs, "summary_of", lambda n, summary=summary: summary)
        for count in (2, 3):
            check(
                wp.generate.rmat(8, 8, n=239, seed=shift), 3, count
            )  # layouts are kept: no other test has that many


@pytest.mark.parametrize("step", [1, 37])
def test_edges_to_vertices_of_other_gpus(gpus, step):
    """Many and few of them, so that a predecessor is the right one: hubs after more leaves, and far more edges that are not reached."""
    leaves, hubs, unreached = np.arange(1, 41), np.arange(41, 49), np.full(15_000, 4096)
    others = np.arange(49, 4096, step)
    whose = np.random.default_rng(step).choice(hubs, len(others))
    source = np.concatenate([0 * leaves, leaves, 0 * hubs + 1, whose, unreached])
    graph = wp.Graph.from_edges(
        source, np.concatenate([leaves, 0 * leaves, hubs, others, unreached])
    )
    expected = wp.bfs(graph, 0, device="cpu")
    for count in (2, 3):
        found = wp.bfs(wp.distribute(graph, count), 0)
        assert found.stats.direction[2] == "top-down"
        np.testing.assert_array_equal(found.distance, expected.distance)
        np.testing.assert_array_equal(found.predecessor, expected.predecessor)


def test_sums_that_32_bits_are_likely_to_hold(gpus, monkeypatch):
    """They are tried, and thrown away where a distance does not fit."""
    dtypes = []
    run = multi_gpu.sssp

    def noted(*args):
        given = inspect.signature(run).bind(*args).arguments
        dtypes.append(given["distance"].dtype)
        return run(*args)

    monkeypatch.setattr(multi_gpu, "sssp", noted)
    monkeypatch.setattr(distance, "_LONG_PATH", 3)
    n = 20  # those of a row of 8, and others
    for weight, expected in ((2**28, "i"), (2**29, "il")):
        dtypes.clear()
        path = wp.Graph.from_edges(np.arange(7), np.arange(1, 8), np.full(7, weight, np.int32), n=n)
        answer = wp.sssp(path, 0, devices=2)
        wp.verify.sssp(path, 0, answer.distance, answer.predecessor)
        assert answer.distance.dtype == np.int64
        assert "".join(dict.fromkeys(one.char for one in dtypes)) == expected


HEAVY = wp.Graph.from_edges([0, 1, 2, 0, 4], [1, 2, 3, 4, 3], [2**30, 2**30, 7, 5, 2**30], n=5)
DTYPES = {
    "of integers, as floats": (wp.generate.rmat(6, weights=(1, 2**26), seed=1), "float32"),
    "of floats, wider": (wp.Graph.from_edges([0, 1, 0], [1, 2, 2], np.float32([0.1, 0.2, 0.5])), "float64"),
    "of floats, narrower": (wp.generate.rmat(6, weights=(0.0, 1.0), seed=1), "float32"),
    "less than sums may be": (wp.Graph.from_edges([0, 1, 0], [1, 2, 2], [2**30, 2**30, 5]), "int32"),
    "each arc counts 1": (wp.generate.grid(8), "float64"),
}  # fmt: skip


@pytest.mark.parametrize("gpus_of_it", [3, [0, 0]], ids=["one launch", "ranks"])
@pytest.mark.parametrize("name", DTYPES)
def test_another_dtype(gpus, name, gpus_of_it):
    graph, dtype = DTYPES[name]
    answer = wp.sssp(graph, 0, dtype=dtype, devices=gpus_of_it)
    answer.verify()
    expected = wp.sssp(graph, 0, dtype=dtype, device="cpu").distance
    assert answer.distance.dtype == expected.dtype
    np.testing.assert_array_equal(answer.distance, expected)


@pytest.mark.parametrize("gpus_of_it", [3, [0, 0]], ids=["one launch", "ranks"])
def test_a_distance_beyond_its_dtype_is_named(gpus, gpus_of_it):
    with pytest.raises(OverflowError, match="vertex 2 does not fit in int32"):
        wp.sssp(HEAVY, 0, dtype="int32", devices=gpus_of_it)


WITHOUT = {
    "levels": (wp.bfs, wp.generate.rmat(6, seed=1), {"source": [3, 5]}),
    "asynchronous levels": (wp.bfs, wp.generate.grid(8), {"source": 0}),
    "weights": (wp.sssp, wp.generate.rmat(6, weights=(0, 2), seed=1), {"source": [3, 5], "nearest": True}),
    "each arc counts 1": (wp.sssp, wp.generate.rmat(6, seed=1), {"source": 3, "target": 9}),
}  # fmt: skip


@pytest.mark.parametrize("gpus_of_it", [3, [0, 0]], ids=["one launch", "ranks"])
@pytest.mark.parametrize("name", WITHOUT)
def test_without_predecessors(gpus, name, gpus_of_it):
    search, graph, options = WITHOUT[name]
    answer = search(graph, **options, predecessors=False, devices=gpus_of_it)
    assert answer.predecessor is None
    assert answer.to_numpy().predecessor is None
    answer.verify()
    np.testing.assert_array_equal(answer.distance, search(graph, **options, device="cpu").distance)
    with pytest.raises(
        ValueError, match=r"predecessors=False kept no predecessors|several sources"
    ):
        answer.path(3)
    kept = answer.stats.plan.memory["answer"]
    assert kept == search(graph, **options, devices=gpus_of_it).stats.plan.memory["answer"] // 2


def same_answers(search, graph, options):
    answer = search(graph, **options, devices=3)
    alone = search(graph, **options, device="cpu")
    answer.verify()
    np.testing.assert_array_equal(answer.distance, alone.distance)
    np.testing.assert_array_equal(answer.reached, alone.reached)
    assert answer.predecessor.shape == alone.predecessor.shape
    if answer.distance.ndim == 1:
        farthest = int(np.flatnonzero(answer.reached)[-1])
        assert answer.path(farthest)[-1] == farthest
    else:
        with pytest.raises(ValueError, match="from several sources"):
            answer.path(20)
        row = answer[1]
        row.verify()
        assert row.source == options["source"][1]


def test_one_gpu_may_have_several_parts(gpus):
    check(GRAPHS["self-loops"](), 0, [2, 2])


@pytest.mark.parametrize(
    "name",
    [
        "uniform, directed",
        *slow([("power law, directed",), ("grid",), ("only weights of zero",), ("hub",)]),
    ],
)
def test_gpus_that_do_not_reach_each_other(gpus, monkeypatch, name):
    """Then ranks exchange copies, a launch a level."""
    monkeypatch.setattr(gpus.xp.cuda, "peers_reach_each_other", False)
    transport.let_access.cache_clear()
    launched = []
    monkeypatch.setattr(multi_gpu, "run_together", lambda *_: launched.append(1))
    graph = GRAPHS[name]()
    check(graph, graph.num_vertices // 2, 3)
    assert not launched
    transport.let_access.cache_clear()


def test_another_allocator_s_memory_is_not_reached(gpus, monkeypatch):
    monkeypatch.setattr(gpus.xp.cuda, "get_allocator", lambda: bytearray)
    monkeypatch.setattr(multi_gpu, "run_together", None)
    check(GRAPHS["self-loops"](), 0, 2)


@pytest.mark.parametrize("count", [1, 4])
def test_a_search_is_one_launch_on_each(gpus, count):
    parts = wp.distribute(wp.generate.rmat(7, seed=1), count)
    before = gpus.launches
    wp.bfs(parts, 0)
    assert gpus.launches - before == count


def test_a_gpu_that_does_not_start_stops_the_others(gpus, monkeypatch):
    """They would wait for it at their first barrier."""
    graph = wp.generate.rmat(9, seed=1)
    launching = multi_gpu.Companion.launching

    def fail():
        raise RuntimeError("a kernel was not launched")

    with monkeypatch.context() as patch:
        patch.setattr(
            multi_gpu.Companion, "launching",
            lambda one, peers: fail if one._share.rank == 2 else launching(one, peers),
        )  # fmt: skip
        with pytest.raises(RuntimeError, match="not launched"):
            wp.bfs(graph, 0, devices=4)
    wp.bfs(graph, 0, devices=4).verify()  # the next call works


@pytest.mark.parametrize("buckets", [1, 2, 1000])
@pytest.mark.parametrize("weights", [None, (1, 255), (0.0, 1.0)])
def test_gpus_that_go_on_alone(gpus, monkeypatch, buckets, weights):
    """Whatever the horizon; paths cross from part to part again and again."""
    for name in ("_EQUAL_HORIZON", "_HORIZON"):
        monkeypatch.setattr(bucket_width, name, buckets)
    grid = wp.generate.grid(40, keep=0.9, seed=1, weights=weights or (1, 1))
    source, target, weight = grid.edges()
    mixed = (np.arange(1600) * 7) % 1600
    graph = wp.Graph.from_edges(
        mixed[source], mixed[target], None if weights is None else weight, n=1600, directed=False
    )
    for options in ({}, {"cutoff": 1000}, {"target": 800}):
        found = wp.sssp(graph, 0, devices=3, **options)
        found.verify()
        expected = wp.sssp(graph, 0, device="cpu", **options).distance
        np.testing.assert_array_equal(found.distance, expected)


@pytest.mark.parametrize("where", [3, (0, 0)], ids=str)
@pytest.mark.parametrize("name", ["grid", "power law, directed", *slow([("floats",), ("hub",)])])
def test_parts_of_metis(gpus, name, where):
    """Vertices have other numbers there, and are called by their own."""
    pytest.importorskip("pymetis")
    graph = GRAPHS[name]()
    parts, target = wp.distribute(graph, where, partition="metis"), graph.num_vertices - 1
    source = graph.num_vertices // 3
    for search, options in (
        (wp.bfs, {}), (wp.bfs, {"depth_limit": 2}), (wp.sssp, {}), (wp.sssp, {"target": target}),
    ):  # fmt: skip
        found, expected = (
            search(one, source, **options, **device)
            for one, device in ((parts, {}), (graph, {"device": "cpu"}))
        )
        found.verify()
        np.testing.assert_array_equal(found.distance, expected.distance)
        if not options:
            check = wp.verify.bfs if search is wp.bfs else wp.verify.sssp
            check(graph, source, found.distance, found.predecessor)
    labels, count = wp.connected_components(parts)
    expected_labels, expected_count = wp.connected_components(graph, device="cpu")
    np.testing.assert_array_equal(labels, expected_labels)
    assert count == expected_count


@pytest.mark.parametrize("n", [5, 45, 100])
def test_parts_of_metis_of_few_vertices(gpus, n):
    """No word of a bitmap is of two parts, however small these are."""
    pytest.importorskip("pymetis")
    graph = wp.generate.named("path", n)
    for count in (2, 4):
        parts = wp.distribute(graph, count, partition="metis")
        for search in (wp.bfs, wp.sssp):
            found = search(parts, n // 2)
            found.verify()
            expected = search(graph, n // 2, device="cpu").distance
            np.testing.assert_array_equal(found.distance, expected)


def test_a_distance_that_does_not_fit_in_parts_of_metis(gpus):
    """Callers know the vertex by another number than its part does."""
    pytest.importorskip("pymetis")
    order = np.random.default_rng(2).permutation(300)
    graph = wp.Graph.from_edges(order[:-1], order[1:], np.full(299, 2**30))
    parts = wp.distribute(graph, 2, partition="metis")
    with pytest.raises(OverflowError, match=f"vertex {min(order[2:])} does"):
        wp.sssp(parts, int(order[0]), dtype="int32")


def test_parts_of_metis_cut_few_edges_and_are_replaced(gpus):
    pytest.importorskip("pymetis")
    grid = wp.generate.grid(40)
    order = np.random.default_rng(1).permutation(1600)
    source, target, _ = grid.edges()
    graph = wp.Graph.from_edges(order[source], order[target], n=1600, directed=False)

    def crossing(partition):
        parts = wp.distribute(graph, 2, partition=partition)
        first = parts.parts[0].part
        columns = first.graph.column_indices.get()
        plan = wp.plan(parts, "bfs", 0)
        assert sum(one.arcs for one in plan.parts) == graph.num_arcs
        assert [one.end for one in plan.parts] == parts.parts[0].part.bounds[1:].tolist()
        assert ("cut by METIS" in str(plan)) == (partition == "metis")
        return int(((columns < first.begin) | (columns >= first.end)).sum())

    assert crossing("metis") < 200 < 1000 < crossing("blocks")
    assert crossing("metis") < 200
    with pytest.raises(ValueError, match="unknown partition 'slices'; choose one of blocks, metis"):
        wp.distribute(graph, 2, partition="slices")


@pytest.mark.parametrize("degree", [2, 300])
def test_few_and_many_vertices_that_are_told(gpus, degree):
    """Of a warp's words, whose bits are visited in two ways: a star's leaves, all or some of them."""
    n = 4096
    leaves = np.arange(1, n, max(1, 600 // degree))
    graph = wp.Graph.from_edges(np.zeros(len(leaves), int), leaves, leaves, n=n)
    for search in (wp.bfs, wp.sssp):
        found = search(graph, 0, devices=3)
        found.verify()
        np.testing.assert_array_equal(found.distance, search(graph, 0, device="cpu").distance)


def test_both_directions_are_taken_up_to_a_limit(gpus):
    graph = wp.generate.rmat(10)
    parts = wp.distribute(graph, 2)
    assert set(wp.bfs(parts, 0).stats.direction) == {"top-down", "bottom-up"}
    for limit in (0, 1, 2):
        shallow = wp.bfs(parts, 0, depth_limit=limit)
        shallow.verify()
        expected = wp.bfs(graph, 0, depth_limit=limit, device="cpu").distance
        np.testing.assert_array_equal(shallow.distance, expected)


def test_a_predecessor_is_any_by_one_launch_and_the_smallest_of_ranks(gpus):
    graph = wp.Graph.from_edges([0, 0, 0, 3, 2, 1], [3, 2, 1, 4, 4, 4])
    *others, last = wp.bfs(graph, 0, devices=3).predecessor.tolist()
    assert others == [-1, 0, 0, 0]
    assert last in (1, 2, 3)
    answer = wp.bfs(graph, 0, devices=[0, 0])
    assert answer.predecessor.tolist() == [-1, 0, 0, 0, 1]
    assert answer.path(4) == [0, 1, 4]
    with pytest.raises(ValueError, match="target 5 is out of range"):
        answer.path(5)


def test_a_graph_is_cut_once(gpus):
    graph = wp.generate.grid(8, weights=(1, 9))
    first = wp.bfs(graph, 0, devices=2)
    assert wp.sssp(graph, 0, devices=[0, 1]).parts[0].graph is first.parts[0].graph
    assert wp.distribute(graph).devices == (0, 1, 2, 3)
    assert "64 vertices, 112 edges, undirected, 2 parts on GPUs 1, 3" in repr(
        wp.distribute(graph, [1, 3])
    )
    assert wp.distribute(graph, 2).parts is wp.distribute(graph, [0, 1]).parts
    assert graph.memory()["on several GPUs"] >= graph.column_indices.nbytes
    assert "2 × the emulator" in repr(first.stats)
    assert "reached" in first._repr_html_()
    graph.release()
    assert "on several GPUs" not in graph.memory()


@pytest.mark.parametrize("wrong", ["distance", "predecessor"])
def test_the_certificate_is_checked_where_the_parts_lie(gpus, wrong):
    answer = wp.sssp(wp.generate.grid(8, weights=(1, 9)), 0, devices=2)
    array = getattr(answer.parts[1], f"own_{wrong}")
    array[-1] = array[-1] - 1
    with pytest.raises(VerificationError):
        answer.verify()


def test_distances_beyond_64_bits(gpus):
    heavy = 2**62
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], [heavy, heavy, heavy])
    with pytest.raises(OverflowError, match="vertex 2"):
        wp.sssp(graph, 0, devices=2)
    graph = wp.Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 3], [heavy, heavy - 2, heavy, 5])
    assert wp.sssp(graph, 0, devices=2).distance.tolist() == [0, heavy, 2 * heavy - 2, 5]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda g: wp.bfs(g, 9, devices=2), ValueError, "out of range"),
        (lambda g: wp.bfs(g, 0, devices=5), ValueError, "there are 4 GPUs"),
        (lambda g: wp.bfs(g, 0, devices=[0, 7]), ValueError, r"\[0, 7\]: some of 0, 1, 2, 3"),
        (lambda g: wp.bfs(g, 0, devices=()), ValueError, "some of"),
        (lambda g: wp.bfs(g, 0, devices="all"), TypeError, "a number of GPUs"),
        (lambda g: wp.bfs(g, 0, devices=2, device="cpu"), ValueError, "device='cpu' and devices=2"),
        (lambda g: wp.bfs(g, 0, devices=2, schedule="merge-path"), ValueError, "takes no schedule"),
        (lambda g: wp.bfs(g, 0, devices=2, schedule="direction=top-down"), ValueError, "takes no schedule"),
        (lambda g: wp.sssp(g, 0, devices=2, algebra="widest"), ValueError, "takes no algebra"),
        (lambda g: wp.sssp(g, 0, devices=2, method="h-bf"), ValueError, "takes no method"),
        (lambda g: wp.connected_components(g, devices=2, schedule="merge-path"), ValueError, "takes no schedule"),
        (lambda g: wp.sssp(wp.distribute(g, 2), 0, devices=3), ValueError, "lie on"),
        (lambda g: wp.bfs(wp.distribute(g, 2), 0, device="cpu"), ValueError, "device='cpu'"),
        (lambda g: wp.distribute([[0, 1]]), TypeError, r"warpath\.Graph"),
        (lambda g: wp.bfs(wp.distributed.distribute(g), 0, devices=2), ValueError, "on ranks"),
    ],
)  # fmt: skip
def test_bad_arguments_are_named(gpus, call, error, message):
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], [1, -2, 1])
    before = gpus.launches
    with pytest.raises(error, match=message):
        call(graph)
    assert gpus.launches == before


def test_an_error_of_one_part_ends_all(gpus, monkeypatch):
    parts = wp.distribute(wp.generate.grid(8), 3)

    def fail(part):
        if part.transport.rank == 1:
            raise MemoryError("no room")
        wp.bfs(part, 0)

    with pytest.raises(MemoryError, match="no room"):
        parts_on(parts.graph, parts.devices).run(fail)
    wp.bfs(parts, 0).verify()  # the next call works


def test_without_a_gpu_it_says_what_is_missing(monkeypatch):
    monkeypatch.setattr(devices, "missing", lambda: "there is no NVIDIA GPU")
    with pytest.raises(wp.DeviceUnavailableError, match="no NVIDIA GPU"):
        wp.bfs(wp.generate.grid(3), 0, devices=2)


NAMED = wp.Graph.from_edges(
    ["Ulm", "Bonn", "Kiel", "Ulm"], ["Bonn", "Kiel", "Jena", "Jena"], [3, 4, 1, 9], directed=False
)


def test_names_in_and_names_out(gpus):
    found = wp.sssp(NAMED, "Ulm", devices=2)
    found.verify()
    assert (found.source, found.path("Jena")) == ("Ulm", ["Ulm", "Bonn", "Kiel", "Jena"])
    assert found["Jena"] == 8
    expected = wp.sssp(NAMED, "Ulm").to_frame().drop("predecessor")
    assert found.to_frame().drop("predecessor").equals(expected)
    several = wp.bfs(wp.distribute(NAMED, 3), ["Ulm", "Kiel"])
    assert several.source.tolist() == ["Ulm", "Kiel"]
    assert several[1].path("Bonn") == ["Kiel", "Bonn"]
    assert wp.connected_components(NAMED, devices=2)[1] == 1
    with pytest.raises(ValueError, match="source 'Rom' is not in the graph"):
        wp.bfs(NAMED, "Rom", devices=2)


def test_a_distance_that_does_not_fit_names_the_vertex(gpus):
    heavy = 2**62
    graph = wp.Graph.from_edges(["a", "b", "c"], ["b", "c", "d"], [heavy] * 3)
    with pytest.raises(OverflowError, match="vertex c does not fit"):
        wp.sssp(graph, "a", devices=2)


def test_arrays_are_the_devices_if_that_is_named(gpus):
    graph = wp.generate.grid(8)
    found = wp.bfs(graph, 0, device="cuda", devices=2)
    assert isinstance(found.distance, DeviceArray)
    np.testing.assert_array_equal(
        found.to_numpy().distance, wp.bfs(graph, 0, devices=2).to_numpy().distance
    )
    assert isinstance(wp.connected_components(graph, device="cuda", devices=2)[0], DeviceArray)
    assert not isinstance(wp.bfs(graph, 0, devices=2).distance, DeviceArray)


def test_stats_without_rows(gpus):
    graph = wp.generate.grid(8)
    with_rows, without = (wp.bfs(graph, 0, devices=2, trace=keep).stats for keep in (True, False))
    assert with_rows.iterations == without.iterations == len(with_rows.edges) > 0
    assert with_rows.frontier.sum() >= graph.num_vertices
    assert set(with_rows.direction) == {"asynchronous"}
    assert with_rows.edges.sum() >= graph.num_arcs
    assert len(without.edges) == len(without.frontier) == len(without.direction) == 0


# Of each search: the options that several GPUs have, and a value of each that they refuse by name.
HAVE = {
    wp.bfs: {"depth_limit", "predecessors", "nearest", "device", "devices", "trace"},
    wp.sssp: {"target", "cutoff", "dtype", "predecessors", "nearest", "device", "devices", "trace"},
    wp.connected_components: {"device", "devices"},
}
REFUSED = {
    wp.bfs: {"schedule": "direction=top-down"},
    wp.sssp: {
        "algebra": "widest", "method": "delta-stepping", "schedule": "delta=3",
    },
    wp.connected_components: {"schedule": "merge-path"},
}  # fmt: skip


@pytest.mark.parametrize("search", HAVE)
def test_every_option_works_or_is_refused_by_name(gpus, search):
    """Those that work are tested above; a refusal comes before the graph is cut."""
    parameters = inspect.signature(search).parameters
    options = set(parameters) - {"graph", "source"}
    assert options == HAVE[search] | REFUSED[search].keys()
    graph = wp.generate.grid(5, weights=(1, 9))
    source = {"source": 0} if "source" in parameters else {}
    for whole in (graph, NAMED):
        given = {"source": "Ulm"} if source and whole is NAMED else source
        for name, value in REFUSED[search].items():
            with pytest.raises(
                ValueError, match=f"on several GPUs {search.__name__} takes no {name}"
            ):
                search(whole, **given, devices=2, **{name: value})
    assert "on several GPUs" not in graph.memory()
