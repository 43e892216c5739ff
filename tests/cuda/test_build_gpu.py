"""Graphs drawn and built on a device are the CPU's, and stay there."""

from itertools import product

import numpy as np
import pytest

import warpath as wp
from foreign import OnlyDlpack
from warpath.graph import sort

pytestmark = pytest.mark.gpu
ARRAYS = ("row_offsets", "column_indices", "weights")
OPTIONS = [
    {"directed": directed, "symmetrize": symmetrize, "drop_self_loops": drop, "merge": merge}
    for directed, symmetrize, drop, merge in product(
        (True, False), (True, False), (True, False), ("keep", "min", "sum")
    )
]
WEIGHTS = (None, "i4", "i8", "f4", "f8")


def assert_same(there, here):
    assert (there.device, here.device) == ("cuda", "cpu")
    assert there.directed == here.directed
    assert repr(there) == repr(here)
    assert fetched(there) == set()
    for name in ARRAYS:
        one, two = getattr(there, name), getattr(here, name)
        assert (one is None) == (two is None)
        if one is not None:
            assert one.dtype == two.dtype
            np.testing.assert_array_equal(one, two)


def fetched(graph):
    """Which of a graph's arrays were copied to the host."""
    return vars(graph).keys() & set(ARRAYS)


def some_edges(n, m, dtype, seed=0):
    rng = np.random.default_rng(seed)
    weight = None if dtype is None else rng.normal(0, 1000, m).astype(dtype)
    return *rng.integers(0, n, (2, m), dtype=np.int32), weight


# -- building --------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_same_graph_by_every_option(options):
    for (n, m), dtype in product(((1, 0), (1, 5), (7, 500), (3000, 20_000)), WEIGHTS):
        given = some_edges(n, m, dtype)
        there = wp.Graph.from_edges(*given, n=n, device="cuda", **options)
        assert_same(there, wp.Graph.from_edges(*given, n=n, **options))


def test_no_vertices():
    assert_same(wp.Graph.from_edges([], [], device="cuda"), wp.Graph.from_edges([], []))


@pytest.mark.parametrize("dtype", WEIGHTS)
@pytest.mark.parametrize("directed", [True, False])
def test_slabs(directed, dtype, monkeypatch):
    monkeypatch.setattr(sort, "_SLAB", 5000)
    monkeypatch.setattr(sort, "_EDGES_AT_A_TIME", 3000)
    given = some_edges(500, 30_000, dtype)
    for merge in ("keep", "sum"):
        options = {"n": 500, "directed": directed, "merge": merge}
        there = wp.Graph.from_edges(*given, device="cuda", **options)
        assert_same(there, wp.Graph.from_edges(*given, **options))


class OnlyInterface:
    """Like another library's array: Numba's, PyTorch's, …"""

    def __init__(self, array):
        self.array = array

    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_arrays_of_all_kinds(device):
    import cupy

    source, target, weight = some_edges(100, 1000, "f4")
    wanted = wp.Graph.from_edges(source, target, weight)
    wide, high = np.repeat(source, 2)[::2].astype("i8"), target.astype("u1")
    kinds = [
        (source.tolist(), target, weight),
        (cupy.asarray(source), cupy.asarray(target), cupy.asarray(weight)),
        (source, cupy.asarray(target), weight),
        (cupy.asarray(wide), cupy.asarray(high), weight.astype("f4")),
        (cupy.asarray(np.repeat(source, 2))[::2], target, cupy.asarray(np.repeat(weight, 3))[::3]),
        tuple(OnlyInterface(cupy.asarray(array)) for array in (source, target, weight)),
        tuple(OnlyDlpack(cupy.asarray(array)) for array in (source, target, weight)),
    ]
    for kind in kinds:
        graph = wp.Graph.from_edges(*kind, device=device)
        assert graph.device == device
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(graph, name), getattr(wanted, name))


def test_pytorchs_tensors():
    torch = pytest.importorskip("torch")
    source, target, weight = some_edges(100, 1000, "f8")
    tensors = [torch.from_numpy(array).cuda() for array in (source, target, weight)]
    here = wp.Graph.from_edges(source, target, weight)
    assert_same(wp.Graph.from_edges(*tensors, device="cuda"), here)


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u2", "u4", "u8", "f2"])
def test_narrow_and_unsigned_weights(dtype):
    import cupy

    source, target, weight = some_edges(30, 200, "f8")
    weight = (np.abs(weight) % 50).astype(dtype)
    here = wp.Graph.from_edges(source, target, weight)
    assert_same(wp.Graph.from_edges(source, target, cupy.asarray(weight), device="cuda"), here)


def test_errors_are_the_same_wherever_the_arrays_are():
    import cupy

    for arguments, options in [
        (([0, -1], [1, 1]), {}),
        (([0, 1], [1, -2]), {}),
        (([0, 3], [1, 1]), {"n": 3}),
        (([0, 1], [4, 1]), {"n": 3}),
        (([0], [2**31 - 1]), {"n": 2**31}),
        (([0, 1], [1]), {}),
        (([0], [1], [1, 2]), {}),
        (([0.5], [1]), {}),
        (([[0]], [1]), {}),
        (([0, 1], [1, 0], [1, np.nan]), {}),
        (([0], [1], [-np.inf]), {}),
        (([0], [1], np.array([2**63], np.uint64)), {}),
        (([0, 0], [1, 1], [2**62, 2**62]), {"merge": "sum"}),
        (([0, 0], [1, 1], np.full(2, 3e38, np.float32)), {"merge": "sum"}),
    ]:
        messages = set()
        arrays = [np.asarray(argument) for argument in arguments]
        for device, given in [
            ("cpu", arguments),
            ("cuda", arguments),
            ("cuda", [cupy.asarray(array) for array in arrays]),
        ]:
            with pytest.raises((ValueError, OverflowError)) as caught:
                wp.Graph.from_edges(*given, **options, device=device)
            messages.add((caught.type, str(caught.value)))
        assert len(messages) == 1, messages


def test_subnormal_weights_are_not_zero():
    source, target = np.zeros(3, np.int32), np.ones(3, np.int32)
    weight = np.array([3e-45, 1e-45, 1e-45], np.float32)
    for merge in ("min", "sum"):
        here = wp.Graph.from_edges(source, target, weight, merge=merge)
        assert_same(wp.Graph.from_edges(source, target, weight, merge=merge, device="cuda"), here)
        assert here.weights[0] > 0


def test_what_does_not_fit_is_said():
    import cupy

    pool = cupy.get_default_memory_pool()
    pool.free_all_blocks()
    pool.set_limit(size=pool.used_bytes() + 2**24)
    try:
        with pytest.raises(MemoryError, match=r"drawing 16,777,216 times: .*bytes are free"):
            wp.generate.rmat(20, device="cuda")
    finally:
        pool.set_limit(size=0)


# -- generators ------------------------------------------------------------------------------

GENERATED = [
    ("rmat", (10,), {}),
    ("rmat", (10, 8), {"directed": True, "weights": (1, 255)}),
    ("rmat", (11, 8), {"simple": True, "weights": (0.0, 1.0)}),
    ("rmat", (9, 3), {"permute": False, "a": 0.4, "b": 0.3, "c": 0.2, "weights": (-5, 5)}),
    ("rmat", (10,), {"n": 700}),
    ("rmat", (12, 8), {"by_degree": True, "weights": (1, 9)}),
    ("rmat", (0, 4), {}),
    ("rmat", (5, 0), {"weights": (1, 2)}),
    ("rmat", (16, 16), {"simple": True, "seed": 2**64 - 1}),
    ("erdos_renyi", (5000, 40_000), {}),
    ("erdos_renyi", (5000, 40_000), {"directed": True, "weights": (0.1, 0.7)}),
    ("erdos_renyi", (500, 40_000), {"replace": True, "weights": (0, 2**31 - 1)}),
    ("erdos_renyi", (46, 1035), {}),
    ("erdos_renyi", (0, 0), {}),
    ("erdos_renyi", (2**22, 1000), {"directed": True, "seed": 7}),
    ("grid", (150,), {"keep": 0.9}),
    ("grid", (40, 77), {"directed": True, "keep": 0.5, "weights": (1, 9)}),
    ("grid", (1, 9), {"weights": (0.5, 2)}),
    ("grid", (9, 1), {}),
    ("grid", (0,), {}),
    ("grid", (30,), {"keep": 0.0}),
]


@pytest.mark.parametrize(("name", "arguments", "options"), GENERATED, ids=str)
def test_generators_draw_the_same_graph(name, arguments, options):
    generator = getattr(wp.generate, name)
    assert_same(generator(*arguments, device="cuda", **options), generator(*arguments, **options))


def test_weights_of_negative_graphs():
    there, here = (
        wp.generate.negative_weights(
            wp.generate.rmat(8, directed=True, weights=(1, 9), device=device), 3
        )
        for device in ("cuda", "cpu")
    )
    np.testing.assert_array_equal(there.weights, here.weights)


# -- a graph on the device ---------------------------------------------------------------------


@pytest.mark.parametrize("directed", [True, False])
def test_a_traversal_copies_no_array(directed):
    from warpath.cuda.device_graph import on_device

    graph = wp.generate.rmat(12, 8, directed=directed, weights=(1, 9), device="cuda")
    paths = wp.bfs(graph, 3, device="cuda", schedule="direction=bottom-up")
    assert graph.weight_range == (1, 9)
    assert graph.mean_arc_degree > 1
    assert fetched(graph) == fetched(graph.reverse) == set()
    for one in (graph, graph.reverse):
        for name in ARRAYS:
            mine, its = getattr(one.resident, name), getattr(on_device(one), name)
            assert mine.data.ptr == its.data.ptr
    paths.verify()


def test_numbers_and_other_graphs_made_of_it():
    there, here = (
        wp.generate.rmat(10, 8, directed=True, weights=(0.0, 3), device=device)
        for device in ("cuda", "cpu")
    )
    assert there.weight_range == here.weight_range
    assert there.mean_weight == pytest.approx(here.mean_weight)
    assert there.mean_arc_degree == pytest.approx(here.mean_arc_degree)
    assert there.nbytes == here.nbytes
    assert there.num_self_loops == here.num_self_loops
    assert_same(there.reverse, here.reverse)
    assert there.reverse.reverse is there
    assert_same(there.without_weights(), here.without_weights())
    assert there.reverse.num_self_loops == here.num_self_loops
    sorted_there, sorted_here = there.by_degree(), here.by_degree()
    assert np.array_equal(sorted_there.labels, sorted_here.labels)
    assert_same(sorted_there, sorted_here)


def test_other_weights():
    import cupy

    there, here = (wp.generate.rmat(8, device=device) for device in ("cuda", "cpu"))
    source, target, _ = here.coo()
    weights = (source + target).astype(np.int64)
    wanted = here.with_weights(weights)
    assert_same(there.with_weights(weights), wanted)
    assert_same(there.with_weights(cupy.asarray(weights)), wanted)
    weights[np.flatnonzero(source != target)[5]] += 1
    with pytest.raises(ValueError, match="has no reverse"):
        there.with_weights(weights)
    with pytest.raises(ValueError, match="weights has 1 entry for"):
        there.with_weights([1])


def test_parallel_edges_may_weigh_in_another_order_on_the_way_back():
    graph = wp.Graph.from_edges([0, 0], [1, 1], directed=False, device="cuda")
    assert graph.with_weights([3, 4, 4, 3]).weights.tolist() == [3, 4, 4, 3]
    with pytest.raises(ValueError, match="has no reverse"):
        graph.with_weights([3, 4, 4, 4])


def test_device_graphs_of_arrays():
    import cupy

    from warpath.cuda.device_graph import DeviceGraph, on_device

    here = wp.generate.rmat(10, 8, directed=True, weights=(1, 99))
    graph = on_device(here)
    assert "weights" not in vars(graph)  # not copied yet
    assert on_device(here.without_weights()).weights is None
    np.testing.assert_array_equal(graph.weights.get(), here.weights)
    for wide in (False, True):
        copy = DeviceGraph.from_arrays(*here.resident, directed=True, wide=wide)
        assert copy.row_offsets.dtype == (np.uint64 if wide else np.uint32)
        for one, two in [(copy, here), (copy.reverse, here.reverse)]:
            assert one.row_offsets.dtype == copy.row_offsets.dtype
            source, target, weight = two.coo()
            np.testing.assert_array_equal(one.sources.get(), source)
            np.testing.assert_array_equal(one.column_indices.get(), target)
            np.testing.assert_array_equal(one.weights.get(), weight)
            assert isinstance(one.sources, cupy.ndarray)


@pytest.mark.parametrize("direction", ["optimizing", "top-down", "bottom-up"])
def test_wide_offsets(direction, monkeypatch):
    """64-bit offsets, as for graphs of 2³² arcs."""
    from warpath.cuda import device_graph

    monkeypatch.setattr(device_graph, "_MAX_32_BIT_ARCS", 0)
    for device in ("cpu", "cuda"):
        graph = wp.generate.rmat(11, 8, directed=True, device=device)
        assert device_graph.on_device(graph).row_offsets.dtype == np.uint64
        paths = wp.bfs(graph, 1, device="cuda", schedule=wp.Schedule(direction=direction))
        paths.verify()
        assert np.array_equal(paths.to_numpy().distance, wp.bfs(graph, 1, device="cpu").distance)


# -- 2³¹ arcs and more --------------------------------------------------------------------------

_ARCS_AT_A_TIME = 2**27


def certify(csr, source, distance):
    """Prove the levels of an undirected graph, arc by arc, on the device."""
    import cupy

    offsets, indices, _ = csr
    nearer = distance <= 0  # whether a vertex has a neighbour that is one level nearer
    for begin in range(0, len(indices), _ARCS_AT_A_TIME):
        end = min(begin + _ARCS_AT_A_TIME, len(indices))
        arcs = cupy.arange(begin, end, dtype=np.int64)
        tails = cupy.searchsorted(offsets, arcs, side="right") - 1
        tail, head = distance[tails], distance[indices[begin:end]]
        assert bool(((tail < 0) == (head < 0)).all()), "an arc leads from a reached vertex away"
        assert bool((cupy.abs(tail - head) <= 1).all()), "an arc skips a level"
        nearer[tails[(tail > 0) & (head == tail - 1)]] = True
    assert bool(nearer.all()), "a reached vertex has no neighbour one level nearer"
    assert int(distance[source]) == 0
    assert int(cupy.count_nonzero(distance == 0)) == 1


def test_the_certificate_sees_faults():
    import cupy

    graph = wp.generate.rmat(12, 16, device="cuda")
    source = int(graph.degree.argmax())
    distance = wp.bfs(graph, source, device="cuda", predecessors=False).distance
    certify(graph.resident, source, distance)
    last = int(cupy.argmax(distance))
    for vertex, level in [(last, int(distance[last]) + 1), (last, -1), (last, 0), (source, 1)]:
        wrong = distance.copy()
        wrong[vertex] = level
        with pytest.raises(AssertionError):
            certify(graph.resident, source, wrong)


@pytest.mark.slow
def test_more_than_two_to_the_31_arcs(monkeypatch):
    """R-MAT 26, edge factor 20: 2.7 · 10⁹ arcs, of 32-bit and of 64-bit offsets."""
    import cupy

    from warpath.cuda import device_graph

    graph = wp.generate.rmat(26, 20, seed=1, device="cuda")
    csr = graph.resident
    assert graph.num_edges == 20 * 2**26
    assert graph.num_arcs == 2 * graph.num_edges - graph.num_self_loops > 2**31
    assert csr.row_offsets.dtype == np.int64
    assert int(csr.row_offsets[-1]) == graph.num_arcs
    assert bool((csr.row_offsets[1:] >= csr.row_offsets[:-1]).all())
    source = int(cupy.argmax(csr.row_offsets[1:] - csr.row_offsets[:-1]))

    assert device_graph.on_device(graph).row_offsets.dtype == np.uint32
    narrow = wp.bfs(graph, source, device="cuda", predecessors=False).distance
    certify(csr, source, narrow)
    assert int(cupy.count_nonzero(narrow >= 0)) > 2**24  # the big component

    monkeypatch.setattr(device_graph, "_MAX_32_BIT_ARCS", 0)
    other = graph.without_weights()
    assert device_graph.on_device(other).row_offsets.dtype == np.uint64
    wide = wp.bfs(other, source, device="cuda", predecessors=False).distance
    assert bool((wide == narrow).all())
    assert fetched(graph) == fetched(other) == set()


def test_csr_arrays_stay_where_they_are():
    import cupy

    from warpath.cuda.device_graph import on_device
    from warpath.cuda.weights import weights_as

    here = wp.generate.rmat(10, 8, directed=True, weights=(1, 99))
    arrays = [cupy.asarray(array) for array in here.resident]
    for given in (arrays, [OnlyDlpack(array) for array in arrays]):
        graph = wp.Graph.from_csr(*given, device="cuda")
        assert graph.device == "cuda"
        there = on_device(graph)
        taken = there.row_offsets, there.column_indices, weights_as(there, np.dtype(np.int32))
        assert [a.data.ptr for a in taken] == [a.data.ptr for a in arrays]
        assert_same(graph, here)
    paths = wp.sssp(graph, 0, device="cuda")
    assert np.array_equal(paths.distance.get(), wp.sssp(here, 0, device="cpu").distance)
    for array in (paths.distance, paths.predecessor):
        assert cupy.from_dlpack(array).data.ptr == array.data.ptr
    graph = wp.Graph.from_csr(*here.resident, device="cuda")  # NumPy's are copied
    assert_same(graph, here)


def test_csr_arrays_that_cannot_be_read_where_they_are_are_copied():
    import cupy

    here = wp.generate.rmat(8, 8, directed=True)
    offsets, indices, _ = here.resident
    shifted = cupy.zeros(len(indices) + 1, np.int32)[1:]
    shifted[...] = cupy.asarray(indices)
    graph = wp.Graph.from_csr(cupy.asarray(offsets), shifted, device="cuda")
    assert graph.resident.column_indices.data.ptr != shifted.data.ptr
    assert_same(graph, here)
    backwards = indices.copy()
    for u in range(here.num_vertices):
        backwards[offsets[u] : offsets[u + 1]] = backwards[offsets[u] : offsets[u + 1]][::-1]
    assert_same(wp.Graph.from_csr(offsets, cupy.asarray(backwards), device="cuda"), here)
    with pytest.raises(ValueError, match="row_offsets must run from 0"):
        wp.Graph.from_csr(cupy.asarray(offsets[1:]), cupy.asarray(indices), device="cuda")


def test_matrices_of_cupy():
    import cupy
    import cupyx.scipy.sparse

    here = wp.Graph.from_edges([0, 0, 2], [1, 2, 0], np.float32([5, 1, 7]))
    for matrix in (
        cupyx.scipy.sparse.csr_matrix(here.to_scipy()),
        cupyx.scipy.sparse.coo_matrix(here.to_scipy()),
        cupy.asarray(here.to_scipy().toarray()),
    ):
        assert_same(wp.Graph(matrix, device="cuda"), here)
        graph = wp.Graph(matrix)
        assert graph.device == "cpu"
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(graph, name), getattr(here, name))


def test_tensors_of_pytorch():
    torch = pytest.importorskip("torch", reason="PyTorch's tensors: pip install torch")
    if not torch.cuda.is_available():
        pytest.skip("a PyTorch without CUDA")
    here = wp.generate.rmat(10, 8, directed=True, weights=(1, 99))
    tensors = [torch.from_numpy(array.copy()).cuda() for array in here.resident]
    graph = wp.Graph.from_csr(*tensors, device="cuda")
    assert [a.data.ptr for a in graph.resident] == [tensor.data_ptr() for tensor in tensors]
    paths = wp.sssp(graph, 0, device="cuda")
    assert torch.from_dlpack(paths.distance).data_ptr() == paths.distance.data.ptr
    ends = torch.from_numpy(np.stack(here.coo()[:2]).astype(np.int64)).cuda()
    assert_same(wp.Graph(ends, n=here.num_vertices, device="cuda"), here.without_weights())
