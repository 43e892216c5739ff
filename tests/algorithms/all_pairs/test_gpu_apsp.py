"""All pairs on a device, against the certificate and the CPU."""

import numpy as np
import pytest

import warpath as wp
from algebras import WITH_DTYPES, probabilities
from oracles import DTYPES, shape, signed, small_multigraph, unreachable, weighted
from warpath import devices
from warpath.algorithms.all_pairs.apsp import apsp_problem
from warpath.algorithms.all_pairs.problem import rows_for
from warpath.planning.all_pairs import METHODS

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(devices.missing() is not None, reason=f"no GPU: {devices.missing()}"),
]
DENSE = tuple(name for name, one in METHODS.items() if one.dense)
ALL = ("auto", *DENSE, "johnson", "sssp")


def check(graph, **options):
    """The answer of the device, verified, and the CPU's."""
    found = wp.apsp(graph, device="cuda", predecessors=True, **options)
    assert not isinstance(found.distance, np.ndarray)
    found.verify()
    alone = wp.apsp(graph, device="cuda", **options).to_numpy()
    found = found.to_numpy()
    assert np.array_equal(alone.distance, found.distance)
    exact = "sssp" if graph.weight_dtype is not None else "bfs"
    if options.get("algebra", "shortest") == "shortest" and graph.weight_range[0] < 0:
        exact = "johnson"
    here = wp.apsp(graph, device="cpu", method=exact, algebra=options.get("algebra", "shortest"))
    if found.exact:
        assert np.array_equal(found.distance, here.distance)
    else:
        assert np.allclose(found.distance, here.distance, rtol=1e-4, atol=1e-4)
    return found


@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_method_and_dtype(dtype, method):
    for name in ("one vertex", "no arcs", "self-loop", "complete", "karate"):
        check(weighted(name, dtype), method=method)
    check(signed("directed cycle", dtype), method=method)
    check(small_multigraph(5, dtype), method=method)


@pytest.mark.parametrize("method", DENSE)
def test_built_on_the_device_and_not_a_multiple_of_any_tile(method):
    graph = wp.generate.erdos_renyi(777, 20_000, weights=(1, 99), device="cuda")
    check(graph, method=method)


@pytest.mark.parametrize("method", ["auto", "bfs", "sssp", "r-kleene"])
def test_where_each_arc_counts_one(method):
    check(shape("karate"), method=method)


@pytest.mark.parametrize("method", ["auto", *DENSE, "sssp"])
@pytest.mark.parametrize(("algebra", "dtype"), WITH_DTYPES)
def test_every_algebra(algebra, dtype, method):
    graph = small_multigraph(3, dtype)
    if algebra == "most-reliable":
        graph = probabilities(graph)
    check(graph, method=method, algebra=algebra)


def test_reachability():
    check(small_multigraph(4, np.int32), algebra="reachability")


@pytest.mark.parametrize("method", ALL)
def test_a_negative_cycle(method):
    graph = wp.Graph.from_edges([0, 3, 4, 5], [1, 4, 5, 3], [1, 2, -9, 4], n=200)
    with pytest.raises(wp.NegativeCycleError) as caught:
        wp.apsp(graph, method=method, device="cuda")
    assert sorted(caught.value.cycle) == [3, 4, 5]


@pytest.mark.parametrize("method", ALL)
def test_no_distance_wraps(method):
    for most in (2**28, 2**29, 2**30, 2**31 - 2):
        graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([most, most, -most], np.int32))
        found = check(graph, method=method)
        assert found.distance[0].tolist() == [0, most, 2 * most, most]


def test_a_reliability_below_what_floats_can_say():
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([1e-30, 1e-30, 0], np.float32))
    with pytest.raises(OverflowError):
        wp.apsp(graph, method="r-kleene", algebra="most-reliable", device="cuda")


def test_exact_sums_are_the_cpu_s():
    graph = weighted("karate", np.float32)
    with pytest.raises(ValueError, match="use device='cpu', or method='sssp'"):
        wp.apsp(graph, method="r-kleene", exact=True, device="cuda")
    assert wp.apsp(graph, method="sssp", exact=True, device="cuda").exact


def test_a_file(tmp_path):
    graph = weighted("karate", np.int32)
    out = tmp_path / "d.npy"
    found = wp.apsp(graph, method="r-kleene", out=out, predecessors=True, device="cuda")
    found.verify()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.npy", "d.predecessor.npy"]
    assert np.array_equal(np.load(out), wp.apsp(graph, device="cpu").distance)


def test_auto_answers_in_numpy_s_arrays():
    graph = wp.generate.erdos_renyi(2500, 50_000, weights=(1, 99), device="cuda")
    found = wp.apsp(graph)
    assert isinstance(found.distance, np.ndarray)
    assert found.stats.device != "cpu"
    assert (found.distance != unreachable(found.distance.dtype)).any()


@pytest.mark.parametrize("method", DENSE)
@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_lazy_answers_are_the_same(dtype, method):
    """Of several components, one-way arcs, and negative weights, to the bit."""
    parts = wp.generate.erdos_renyi(300, 280, directed=True, weights=(1, 9), seed=2)
    for graph in (parts, wp.generate.negative_weights(parts, seed=3)):
        graph = graph.with_weights(graph.weights.astype(dtype))
        check(graph, method=method, lazy=True)
        options = {"method": method, "predecessors": True, "device": "cuda"}
        lazily = wp.apsp(graph, lazy=True, **options).to_numpy()
        expected = wp.apsp(graph, **options).to_numpy()
        assert np.array_equal(lazily.distance, expected.distance)
        assert np.array_equal(lazily.predecessor, expected.predecessor)


@pytest.mark.parametrize("dtype", DTYPES)
def test_together_with_the_cpu(dtype, tmp_path):
    graph = wp.generate.erdos_renyi(1111, 20_000, directed=True, weights=(1, 99), seed=1)
    for one in (graph, wp.generate.negative_weights(graph, seed=1)):
        one = one.with_weights(one.weights.astype(dtype))
        calls = []
        found = wp.apsp(
            one, device="hybrid", predecessors=True,
            progress=lambda *call, calls=calls: calls.append(call),
        )  # fmt: skip
        found.verify()
        assert isinstance(found.distance, np.ndarray)
        assert "threads of the CPU made" in found.stats.why
        assert [done for done, _ in calls] == sorted(done for done, _ in calls)
        assert calls[-1][0] == calls[-1][1]
        expected = wp.apsp(one, method="johnson", device="cpu").distance  # whole numbers
        assert np.array_equal(found.distance, expected)
        file = tmp_path / "d.npy"
        wp.apsp(one, device="hybrid", out=file)
        assert np.array_equal(np.load(file), expected)


@pytest.mark.parametrize("method", ALL)
def test_a_negative_self_loop_is_a_cycle(method):
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 2], [1, 2, -1])
    with pytest.raises(wp.NegativeCycleError) as caught:
        wp.apsp(graph, method=method, device="cuda")
    assert list(caught.value.cycle) == [2]


@pytest.fixture
def little_memory(monkeypatch):
    """Let apsp believe that the device has this number of bytes."""

    def believe(nbytes):
        monkeypatch.setattr("warpath.cuda.out_of_core.free_bytes", lambda: nbytes)

    return believe


def half(graph, dtype, predecessors):
    """Of what the matrices take."""
    return graph.num_vertices**2 * (np.dtype(dtype).itemsize + 4 * predecessors) // 2


@pytest.mark.parametrize(
    ("method", "n", "negative"),
    [
        ("blocked-floyd-warshall", 1111, False),
        ("blocked-floyd-warshall", 1111, True),
        ("johnson", 150, True),
        ("sssp", 150, False),
    ],
)
@pytest.mark.parametrize("dtype", DTYPES)
def test_what_does_not_fit(dtype, method, n, negative, little_memory, tmp_path):
    graph = wp.generate.erdos_renyi(n, 20 * n, directed=True, weights=(1, 99), seed=1)
    if negative:
        graph = wp.generate.negative_weights(graph, seed=1)
    graph = graph.with_weights(graph.weights.astype(dtype))
    fits = wp.apsp(graph, method=method, device="cuda")
    assert not isinstance(fits.distance, np.ndarray)
    fits = fits.to_numpy()
    for predecessors in (False, True):
        little_memory(half(graph, fits.distance.dtype, predecessors))
        for out in (None, tmp_path / "d.npy"):
            calls = []
            found = wp.apsp(
                graph, method=method, predecessors=predecessors, device="cuda", out=out,
                progress=lambda *call, calls=calls: calls.append(call),
            )  # fmt: skip
            assert isinstance(found.distance, np.ndarray)
            assert "larger than the GPU's memory" in found.stats.why
            assert np.array_equal(found.distance, fits.distance)
            assert calls[-1][0] == calls[-1][1]
            if predecessors:
                found.verify()


@pytest.mark.parametrize("algebra", ["widest", "minimax", "most-reliable"])
def test_other_algebras_that_do_not_fit(algebra, little_memory):
    graph = wp.generate.erdos_renyi(1111, 30_000, directed=True, weights=(1, 99), seed=2)
    graph = graph.with_weights(graph.weights.astype(np.float64))
    if algebra == "most-reliable":
        graph = probabilities(graph)
    options = {"method": "blocked-floyd-warshall", "algebra": algebra, "predecessors": True}
    fits = wp.apsp(graph, device="cuda", **options).to_numpy()
    little_memory(half(graph, np.float64, True))
    found = wp.apsp(graph, device="cuda", **options)
    assert isinstance(found.distance, np.ndarray)
    assert np.allclose(found.distance, fits.distance, rtol=1e-12)
    found.verify()


def test_a_method_for_what_fits_names_the_one_for_what_does_not(little_memory):
    little_memory(1_000_000)
    graph = wp.generate.erdos_renyi(1111, 30_000, weights=(1, 99))
    with pytest.raises(MemoryError, match=r"1,000,000 bytes.*'blocked-floyd-warshall'"):
        wp.apsp(graph, method="r-kleene", device="cuda")


def test_too_much_memory():
    graph = wp.generate.grid(1000, weights=(1, 9))
    with pytest.raises(MemoryError, match="all pairs of 1,000,000 vertices"):
        wp.apsp(graph, device="cuda")


@pytest.mark.parametrize("method", ALL)
def test_no_method_takes_more_than_its_plan_says(method):
    from warpath.algorithms.all_pairs.gpu_apsp import _device_bytes

    for side, dtype, predecessors in (
        (3, np.int32, True),
        (10, np.int64, False),
        (50, np.float64, True),
    ):
        graph = wp.generate.grid(side, weights=(1, 9))
        options = {"method": method, "dtype": dtype, "predecessors": predecessors, "device": "cuda"}
        problem = apsp_problem(graph, **options)
        how = problem.run("cuda")
        memory = problem.plan(problem.place).memory
        assert _device_bytes(how, rows_for(how), ()) <= memory["answer"] + memory["workspace"]
