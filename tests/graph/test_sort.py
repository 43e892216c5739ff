"""Building by sorting, with NumPy where a GPU has CuPy, against the counting sort."""

from contextlib import nullcontext
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpath as wp
from small_graphs import assert_same_arrays, edge_lists
from warpath.graph import build, edges, sort

OPTIONS = [
    {"directed": directed, "symmetrize": symmetrize, "drop_self_loops": drop, "merge": merge}
    for directed, symmetrize, drop, merge in product(
        (True, False), (True, False), (True, False), ("keep", "min", "sum")
    )
]


@pytest.fixture
def numpy_for_cupy(monkeypatch):
    """Let ``device="cuda"`` build in the host's memory."""
    monkeypatch.setattr(edges, "module_for", lambda device: np)
    monkeypatch.setattr(edges, "made_on_gpu", nullcontext)


def built(source, target, weight, n, **options):
    return sort.rows_of(np, sort.GivenEdges(source, target, weight), 0, n, **options)


def assert_same(got, wanted):
    assert_same_arrays(got, wanted)
    assert all(a is None or a.dtype == b.dtype for a, b in zip(got, wanted, strict=True))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_same_graph_by_every_option(options, numpy_for_cupy):
    rng = np.random.default_rng(1)
    for n, m, dtype in product((1, 7, 200), (0, 1, 500), (None, "i4", "i8", "f4", "f8")):
        source, target = rng.integers(0, n, (2, m))
        weight = None if dtype is None else rng.normal(0, 1000, m).astype(dtype)
        there = wp.Graph.from_edges(source, target, weight, n=n, device="cuda", **options)
        here = wp.Graph.from_edges(source, target, weight, n=n, **options)
        assert_same(there.resident, here.resident)
        assert there.directed == here.directed
        assert vars(there)["num_self_loops"] == here.num_self_loops


@given(edge_lists(), st.booleans(), *[st.integers(1, 50)] * 3)
def test_slabs(edge_list, mirror, slab, chunk, sample):
    source, target, weight, n = edge_list
    if weight is not None and weight.dtype.kind == "f":
        weight *= weight.dtype.type(1.1)  # the order of sums matters
    wanted = build.csr_from_arcs(source, target, weight, n, mirror=mirror)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sort, "_SLAB", slab)
        patch.setattr(sort, "_EDGES_AT_A_TIME", chunk)
        patch.setattr(sort, "_SAMPLE", sample)
        csr, self_loops = built(source, target, weight, n, mirror=mirror)
        merged = {
            how: built(source, target, weight, n, mirror=mirror, merge=how)[0]
            for how in ("min", "sum")
        }
        reverse = sort.transpose(np, csr)
        sources = sort.expand_sources(np, csr.row_offsets, len(csr.column_indices))
        loops = sort.self_loops_at(np, csr, 0)
    assert_same(csr, wanted)
    assert self_loops == np.count_nonzero(source == target)
    assert loops.tolist() == sorted(source[source == target].tolist())
    for how, got in merged.items():
        assert_same(got, build.merge_parallel(*wanted, how))
    assert_same(reverse, build.transpose(*wanted))
    assert_same([sources], [build.expand_sources(csr.row_offsets)])


def test_slabs_are_about_as_large(monkeypatch):
    monkeypatch.setattr(sort, "_SLAB", 10_000)
    source = np.minimum(np.random.default_rng(0).geometric(0.001, 50_000), 9_999).astype(np.int32)
    edges = sort.GivenEdges(source, source, None)
    bounds = sort._slabs(np, edges, 0, 10_000, mirror=True)
    assert (bounds[0], bounds[-1]) == (0, 10_000)
    assert len(bounds) == 11
    assert bounds == sorted(set(bounds))
    sizes = 2 * np.histogram(source, bounds)[0]
    assert sizes.max() < 1.1 * 10_000


def test_a_sum_that_is_wide_in_one_slab_is_wide_in_all(monkeypatch):
    monkeypatch.setattr(sort, "_SLAB", 2)
    source, target = np.array([0, 0, 1, 1], np.int32), np.array([1, 1, 0, 0], np.int32)
    weight = np.array([2**31 - 1, 2**31 - 1, 1, 2], np.int32)
    csr, _ = built(source, target, weight, 2, merge="sum")
    assert csr.weights.dtype == np.int64
    assert csr.weights.tolist() == [2**32 - 2, 3]


def test_arrays_end_as_kernels_read_them():
    source = np.arange(5, dtype=np.int32)
    csr, _ = built(source, source, source, 5)
    for array in (csr.column_indices, csr.weights, sort.expand_sources(np, csr.row_offsets, 5)):
        assert len(array) == 5
        assert array.base.nbytes == 32


def test_errors_are_the_same(numpy_for_cupy):
    for arguments, options in [
        (([0, -1], [1, 1]), {}),
        (([0, 3], [1, 1]), {"n": 3}),
        (([0, 1], [1]), {}),
        (([0], [1], [1, 2]), {}),
        (([0], [1], [np.nan]), {}),
        (([0], [1]), {"merge": "max"}),
        (([0], [1]), {"labels": ["a"]}),
        (([0, 0], [1, 1], [2**62, 2**62]), {"merge": "sum"}),
    ]:
        messages = []
        for device in ("cpu", "cuda"):
            with pytest.raises((ValueError, OverflowError)) as caught:
                wp.Graph.from_edges(*arguments, **options, device=device)
            messages.append((caught.type, str(caught.value)))
        assert messages[0] == messages[1]


def test_keys_are_in_the_order_of_source_and_target():
    source, target = np.array([1, 0, 1], np.int32), np.array([0, 2**31 - 1, 2], np.int32)
    assert sort.keys_of(np, source, target).tolist() == [2**32, 2**31 - 1, 2**32 + 2]
