from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exhaustive import slow
from small_graphs import assert_same_arrays, edge_lists
from warpath.graph import build


def csr_by_definition(source, target, weight, n):
    """Arcs in order of source, then target, then of their coming: a comparison sort."""
    order = np.lexsort((np.arange(len(source)), target, source))
    offsets = np.searchsorted(source[order], np.arange(n + 1))
    return offsets, target[order], None if weight is None else weight[order]


@given(edge_lists())
def test_csr(graph):
    csr = build.csr_from_arcs(*graph)
    assert_same_arrays(csr, csr_by_definition(*graph))
    assert csr[0].dtype == csr[1].dtype == np.int32
    if graph[2] is not None:
        assert csr[2].dtype == graph[2].dtype


@given(edge_lists())
def test_mirrored_csr(graph):
    source, target, weight, n = graph
    # Each arc with its reverse right behind it, but for self-loops.
    both = np.stack([source, target], axis=1)
    sources, targets = both.ravel(), both[:, ::-1].ravel()
    keep = np.ones(len(sources), bool)
    keep[1::2] = source != target
    weights = None if weight is None else np.repeat(weight, 2)[keep]
    wanted = csr_by_definition(sources[keep], targets[keep], weights, n)
    csr = build.csr_from_arcs(source, target, weight, n, mirror=True)
    assert_same_arrays(csr, wanted)
    # The same read backwards, order of parallels included.
    assert_same_arrays(build.transpose(*csr), csr)


@given(edge_lists())
def test_transpose(graph):
    source, target, weight, n = graph
    # Of parallel arcs the order is kept by both sorts, so twice is as never.
    csr = build.csr_from_arcs(source, target, weight, n)
    assert_same_arrays(build.transpose(*csr), csr_by_definition(target, source, weight, n))
    assert_same_arrays(build.transpose(*build.transpose(*csr)), csr)


@given(edge_lists())
def test_expanded_sources(graph):
    offsets, _indices, _ = csr = build.csr_from_arcs(*graph)
    sources = build.expand_sources(offsets)
    assert sources.dtype == np.int32
    np.testing.assert_array_equal(sources, np.repeat(np.arange(graph[3]), np.diff(offsets)))
    assert build.rows_are_sorted(*csr[:2])


def test_unsorted_rows():
    assert not build.rows_are_sorted(np.array([0, 1, 3]), np.array([5, 2, 1]))
    assert build.rows_are_sorted(np.array([0, 1, 3]), np.array([5, 1, 2]))
    assert build.rows_are_sorted(np.array([0]), np.array([], int))


@given(edge_lists(dtypes=["i4", "i8", "f8"]), st.sampled_from(["min", "sum"]))
def test_merged_arcs(graph, how):
    source, target, weight, _n = graph
    merged = {}
    for u, v, w in zip(source.tolist(), target.tolist(), weight.tolist(), strict=True):
        old = merged.get((u, v))
        merged[u, v] = w if old is None else min(old, w) if how == "min" else old + w
    offsets, indices, weights = build.merge_parallel(*build.csr_from_arcs(*graph), how)
    arcs_now = zip(build.expand_sources(offsets).tolist(), indices.tolist(), strict=True)
    assert dict(zip(arcs_now, weights.tolist(), strict=True)) == merged
    assert len(indices) == len(merged)
    assert weights.dtype == weight.dtype


@given(edge_lists(dtypes=[None]))
def test_merged_arcs_without_weights(graph):
    source, target, _, _n = graph
    offsets, indices, weights = build.merge_parallel(*build.csr_from_arcs(*graph), "min")
    assert weights is None
    found = set(zip(build.expand_sources(offsets).tolist(), indices.tolist(), strict=True))
    assert found == set(zip(source.tolist(), target.tolist(), strict=True))
    assert len(indices) == len(found)


def merge_pair(weights, how="sum"):
    """Two vertices, all arcs from 0 to 1."""
    zeros = np.zeros(len(weights), np.int32)
    return build.merge_parallel(*build.csr_from_arcs(zeros, zeros + 1, weights, 2), how)[2]


def test_a_sum_that_leaves_int32_becomes_int64():
    total = merge_pair(np.array([2**31 - 1, 2], np.int32))
    assert total.dtype == np.int64
    assert total.tolist() == [2**31 + 1]


@pytest.mark.parametrize(
    "weights",
    [
        [2**62, 2**62],
        [2**63 - 1, 1],
        [-(2**63), -1],
        [2**63 - 1025, *[400] * 4],  # as doubles these add up to less than 2⁶³
    ],
)
def test_a_sum_beyond_64_bits(weights):
    with pytest.raises(OverflowError, match="sum of some parallel edges' weights exceeds 64 bits"):
        merge_pair(np.array(weights, np.int64))


@pytest.mark.parametrize(
    "weights", [[2**63 - 2, 1], [-(2**63) + 1, -1], [2**63 - 1, 1, -1], [2**62, 2**62, -(2**63)]]
)
def test_a_sum_that_just_fits_in_64_bits(weights):
    assert merge_pair(np.array(weights, np.int64)).tolist() == [sum(weights)]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_a_sum_beyond_a_float(dtype):
    most = np.finfo(dtype).max
    assert merge_pair(np.array([most, most], dtype), "min").tolist() == [most]
    with pytest.raises(OverflowError, match=f"exceeds {np.dtype(dtype)}"):
        merge_pair(np.array([most, most], dtype))


@pytest.mark.parametrize("n", [1, 255, 256, 257, 5000, 300_000])
@pytest.mark.parametrize("mirror", [False, True])
def test_large_graphs_on_teams(n, mirror, threads):
    """Enough arcs for a team, around the number of buckets, with one busy vertex; and in one step."""
    rng = np.random.default_rng(n)
    source, target = rng.integers(0, n, (2, 200_000), dtype=np.int32)
    source[::3] = n - 1
    weight = np.arange(200_000, dtype=np.int64)
    arcs = build.Batch(source, target, weight)
    assert len(source) < build._ONE_STEP_EDGES
    found = build.csr_from_arcs(*arcs, n, mirror=mirror)
    assert_same_arrays(build.csr_from_batches([arcs], n, mirror=mirror), found)
    if mirror:
        back = source != target
        both = np.concatenate([source, target[back]]), np.concatenate([target, source[back]])
        source, target = both
        weight = np.concatenate([weight, weight[back]])
        order = np.argsort(weight, kind="stable")  # the weight says when an edge came
        source, target, weight = source[order], target[order], weight[order]
    assert_same_arrays(found, csr_by_definition(source, target, weight, n))


@given(edge_lists(), st.lists(st.integers(0, 80), max_size=5), st.booleans())
def test_arcs_in_batches(graph, cuts, mirror):
    source, target, weight, n = graph
    ends = [0, *sorted(min(cut, len(source)) for cut in cuts), len(source)]
    batches = [
        build.Batch(source[a:b], target[a:b], None if weight is None else weight[a:b])
        for a, b in pairwise(ends)
    ]
    wanted = build.csr_from_arcs(*graph, mirror=mirror)
    assert_same_arrays(build.csr_from_batches(batches, n, mirror=mirror), wanted)
    assert batches == []


@pytest.mark.parametrize("mirror", [False, True])
def test_a_large_batch_is_cut(mirror, monkeypatch):
    rng = np.random.default_rng(1)
    source, target = rng.integers(0, 50, (2, 400), dtype=np.int32)
    for weight in (None, rng.random(400)):
        wanted = build.csr_from_arcs(source, target, weight, 50, mirror=mirror)
        with monkeypatch.context() as patch:
            patch.setattr(build, "_BATCH", 7)
            batches = [build.Batch(source, target, weight)]
            assert_same_arrays(build.csr_from_batches(batches, 50, mirror=mirror), wanted)


@pytest.mark.parametrize("n", [300_000, *slow([5_000_000])])
@pytest.mark.parametrize("mirror", [False, True])
def test_large_batches_on_teams(n, mirror, threads, monkeypatch):
    """Arrays whose memory is given back slice by slice, in rows and in no order."""
    monkeypatch.setattr(build, "_BUCKETS_PER_THREAD", 1)
    monkeypatch.setattr("warpath.graph.scratch._MIN_BYTES", 1)
    rng = np.random.default_rng(n)
    source, target = rng.integers(0, n, (2, 300_000), dtype=np.int32)
    weight = rng.random(300_000)
    order = np.lexsort((target, source))
    order[200_000:] = rng.permutation(order[200_000:])
    arcs = source[order], target[order], weight[order]
    parts = (np.array_split(column, 3) for column in arcs)
    batches = [build.Batch(*columns) for columns in zip(*parts, strict=True)]
    wanted = build.csr_from_arcs(*arcs, n, mirror=mirror)
    assert_same_arrays(build.csr_from_batches(batches, n, mirror=mirror), wanted)
    if not mirror:
        assert_same_arrays(wanted, csr_by_definition(*arcs, n))


def test_read_only_views():
    array = np.arange(4)
    view = build.read_only(array)
    assert np.shares_memory(view, array)
    assert not view.flags.writeable
    assert array.flags.writeable


def test_read_only_copies_what_kernels_cannot_take():
    unaligned = np.frombuffer(bytes(8 * 3 + 1), np.uint8)[1:].view(np.int64)
    strided = np.arange(6)[::2]
    for array in (unaligned, strided):
        view = build.read_only(array)
        assert view.flags.aligned
        assert view.flags.c_contiguous
        assert not view.flags.writeable
        np.testing.assert_array_equal(view, array)
