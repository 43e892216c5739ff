"""All pairs on several devices: one that has several shares, and several that there are."""

import numpy as np
import pytest

import warpath as wp
from arc_matrices import (
    ALGEBRAS,
    DTYPES,
    check_trees,
    closed,
    drawn,
    ends,
    in_components,
    tree_of,
)
from warpath import devices

pytestmark = pytest.mark.gpu
COUNT = len(devices.devices())
two = pytest.mark.skipif(COUNT < 2, reason=f"{COUNT} GPUs: two are needed")
# Shares that one GPU has; what two or all have, by either transport.
PLACES = [
    pytest.param((0,), None, id="one"),
    pytest.param((0, 0), "peer", id="two shares"),
    pytest.param((0, 0, 0), "peer", id="three shares"),
    pytest.param((0, 1), "peer", id="two GPUs by copies", marks=two),
    pytest.param((1, 0), "nccl", id="two GPUs by NCCL", marks=two),
    pytest.param(tuple(range(COUNT)), None, id="all GPUs", marks=two),
]


def run(
    arcs, where, transport, *, predecessors=True, algebra="shortest", block=128, host=False,
    lazy=False,
):  # fmt: skip
    import cupy

    from shares import close_in_shares

    xp = np if host else cupy
    distance = xp.array(arcs)
    tree = xp.array(tree_of(arcs, ends(algebra, arcs.dtype)[0])) if predecessors else None
    close_in_shares(
        distance, tree, algebra, devices=where, block=block, transport=transport, lazy=lazy
    )
    return cupy.asnumpy(distance), None if tree is None else cupy.asnumpy(tree)


def check(arcs, where, transport, algebra="shortest", **options):
    expected = closed(arcs, algebra)
    alone, _ = run(arcs, where, transport, predecessors=False, algebra=algebra, **options)
    assert np.array_equal(alone, expected)
    distance, tree = run(arcs, where, transport, algebra=algebra, **options)
    assert np.array_equal(distance, expected)
    check_trees(arcs, distance, tree, algebra)


@pytest.mark.parametrize(("where", "transport"), PLACES)
@pytest.mark.parametrize("n", [1, 64, 65, 300, 1024])
def test_every_size(n, where, transport):
    for host in (False, True):
        check(drawn(n, "float32", min(1, 4 / n), n), where, transport, host=host)


@pytest.mark.parametrize(("where", "transport"), PLACES)
@pytest.mark.parametrize("negative", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_and_sign(dtype, negative, where, transport):
    n = 400 if dtype == "int16" else 700  # paths of 18 · n must be below 2¹³
    check(drawn(n, dtype, 0.02, 1, negative=negative), where, transport)


@pytest.mark.parametrize(("where", "transport"), PLACES)
@pytest.mark.parametrize("algebra", [name for name in ALGEBRAS if name != "shortest"])
def test_algebras(algebra, where, transport):
    check(drawn(500, "float32", 0.02, 3, algebra=algebra), where, transport, algebra)


@pytest.mark.parametrize(("where", "transport"), PLACES)
def test_lazily(where, transport):
    arcs = in_components(drawn(900, "int32", 0.01, 5), np.iinfo(np.int32).max, 4)
    check(arcs, where, transport, lazy=True)


@pytest.mark.parametrize(("where", "transport"), PLACES)
def test_rounding_does_not_depend_on_how_many_there_are(where, transport):
    import cupy

    from warpath.cuda.apsp import floyd_warshall

    rng = np.random.default_rng(5)
    arcs = rng.exponential(size=(3000, 3000)).astype(np.float32)  # sums of them round
    np.fill_diagonal(arcs, 0)
    here, tree = cupy.asarray(arcs), cupy.asarray(tree_of(arcs, np.inf))
    # Groups of the same size on one device.
    from warpath.cuda.several import _layout

    size = _layout(3000, np.dtype(np.float32), len(where), 256).size
    floyd_warshall(here, tree, block=size)
    for host in (False, True):
        distance, other = run(arcs, where, transport, block=256, host=host)
        assert np.array_equal(distance, here.get())
        assert np.array_equal(other, tree.get())


@pytest.mark.parametrize(("where", "transport"), PLACES)
def test_many_groups_again_and_again(where, transport):
    """Copies and work that overlap: what comes too early or too late would show."""
    arcs = drawn(2048, "int32", 0.003, 7)
    expected = closed(arcs, "shortest")
    for block in (64, 128, 256):
        for _ in range(3):
            distance, _ = run(arcs, where, transport, predecessors=False, block=block)
            assert np.array_equal(distance, expected)


@pytest.mark.parametrize(("where", "transport"), PLACES)
def test_negative_cycles_show_on_the_diagonal(where, transport):
    arcs = drawn(300, "float32", 0.05, 4, negative=True)
    cycle = [5, 140, 77, 290]
    for u, v in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        arcs[u, v] = -1
    distance, _ = run(arcs, where, transport)
    assert (np.diagonal(distance)[cycle] < 0).all()


def test_what_raises_waits_for_what_is_queued():
    from shares import close_in_shares

    def stop(done, groups):
        raise KeyboardInterrupt

    arcs = drawn(1000, "float32", 0.1, 10)
    with pytest.raises(KeyboardInterrupt):
        close_in_shares(arcs, devices=(0, 0), transport="peer", block=64, progress=stop)


def test_no_more_memory_than_said():
    import cupy

    from warpath.cuda.several import Shares, share_nbytes

    for dtype in DTYPES:
        arcs = drawn(1000, dtype, 0.05, 11)
        pool = cupy.cuda.MemoryPool()
        with cupy.cuda.using_allocator(pool.malloc):
            shares = Shares(1000, arcs.dtype, True, (0,), block=256)
            none = ends("shortest", arcs.dtype)[0]
            shares.load(arcs, tree_of(arcs, none), none)
            shares.close()
        said = share_nbytes(1000, arcs.dtype, True, 1, 256)
        assert pool.total_bytes() <= said + (1 << 20)


def test_bad_input_is_named():
    arcs = drawn(10, "int32", 1, 0)
    for change, message in (
        ({"where": ()}, "at least one"),
        ({"block": 0}, "block=0"),
        ({"transport": "mail", "where": (0, 0)}, "nccl, peer"),
    ):
        with pytest.raises(ValueError, match=message):
            run(arcs, **{"where": (0,), "transport": None, **change})


@pytest.mark.parametrize("count", [1, pytest.param(2, marks=two)])
@pytest.mark.parametrize("predecessors", [False, True])
def test_apsp(count, predecessors, tmp_path, monkeypatch):
    graph = wp.generate.erdos_renyi(1111, 9000, directed=True, weights=(1, 99), seed=1)
    for weighted in (graph, graph.without_weights(), wp.generate.negative_weights(graph, seed=1)):
        options = {"method": "blocked-floyd-warshall", "predecessors": predecessors}
        expected = wp.apsp(weighted, device="cpu", **options)
        found = wp.apsp(weighted, device="cuda", devices=count, **options)
        assert not isinstance(found.distance, np.ndarray)
        assert ("2 GPUs" in found.stats.why) == (count == 2)
        assert np.array_equal(found.to_numpy().distance, expected.distance)
        if predecessors:
            found.verify()
        filed = wp.apsp(weighted, devices=count, out=tmp_path / "d.npy", **options)
        assert np.array_equal(filed.distance, expected.distance)


@two
@pytest.mark.parametrize("algebra", ["widest", "minimax", "most-reliable"])
def test_apsp_of_other_algebras(algebra):
    graph = wp.generate.erdos_renyi(500, 4000, directed=True, weights=(1, 99), seed=2)
    if algebra == "most-reliable":
        graph = graph.with_weights(0.5 ** (graph.weights % 3))
    found = wp.apsp(graph, algebra=algebra, devices=2, predecessors=True)
    assert found.stats.method == "blocked-floyd-warshall"
    found.verify()


@two
def test_a_negative_cycle_on_two():
    graph = wp.Graph.from_edges([0, 3, 4, 5], [1, 4, 5, 3], [1, 2, -9, 4], n=200)
    with pytest.raises(wp.NegativeCycleError) as caught:
        wp.apsp(graph, devices=2)
    assert sorted(caught.value.cycle) == [3, 4, 5]


@two
def test_large_ones_are_spread_by_themselves(monkeypatch):
    monkeypatch.setattr("warpath.algorithms.all_pairs.several_gpus._PAYS_FROM", 500)
    graph = wp.generate.erdos_renyi(600, 90_000, directed=True, weights=(1, 99), seed=3)
    found = wp.apsp(graph, device="cuda", method="blocked-floyd-warshall")
    assert f"{COUNT} GPUs" in found.stats.why
    found.verify()


def test_the_current_gpu_is_the_case_of_one():
    graph = wp.generate.erdos_renyi(300, 9000, directed=True, weights=(1, 99), seed=3)
    for asked in (1, (0,)):
        assert "GPUs" not in wp.apsp(graph, device="cuda", devices=asked).stats.why


def test_too_many_are_refused():
    graph = wp.generate.erdos_renyi(300, 9000, directed=True, weights=(1, 99), seed=3)
    with pytest.raises(ValueError, match=f"there are {COUNT} GPUs"):
        wp.apsp(graph, devices=COUNT + 1)
