"""Ranks with a GPU each, which is the emulator's: threads of this process, and processes of MPI."""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import real_graphs
import warpath as wp
from distributed_cases import GRAPHS, check, with_potentials
from emulated_cuda import Event
from exhaustive import slow
from fake_nccl import FakeNccl
from thread_ranks import answers_on, on_ranks
from warpath import devices
from warpath.bench import graph500
from warpath.cuda import multi_gpu
from warpath.cuda import runtime as cuda_runtime
from warpath.distributed import gpu
from warpath.distributed.context import current
from warpath.distributed.gpu_exchange import GpuOptions
from warpath.distributed.peers import Watch

PROGRAM = Path(__file__).with_name("gpu_rank.py")
MPIEXEC = shutil.which("mpiexec", path=sysconfig.get_path("scripts")) or shutil.which("mpiexec")

# Empty parts, predecessors in several rounds, a hub of a third of the arcs; and the others if there is time.
OFTEN = [
    ("fewer vertices than ranks", 4, "nccl"),
    *slow([("hub", 3, "nccl")]),
    ("floats that vanish", 2, "host"),
]


@pytest.fixture
def installed(monkeypatch):
    """Install NCCL for some ranks."""

    def install(ranks):
        library = FakeNccl(ranks)
        monkeypatch.setattr(gpu.nccl, "nccl", lambda: library)
        return library

    return install


def on_gpus(function, **options):
    """``function`` on a rank that has called `init` with these options."""

    def call():
        current().gpu_options = GpuOptions(**options)
        return function()

    return call


def check_on(ranks, graph, source, exchange="host"):
    """Answers are those of one process, to the bit; predecessors do not depend on the number of ranks."""
    trees = answers_on(
        ranks, on_gpus(lambda: check(graph, source, device="cuda"), exchange=exchange)
    )
    (expected,) = answers_on(1, lambda: check(graph, source))
    for rank in trees:
        for tree, other in zip(rank, expected, strict=True):
            np.testing.assert_array_equal(tree, other)


@pytest.mark.parametrize(("name", "ranks", "exchange"), OFTEN)
def test_answers_are_those_of_one_process(gpus, installed, name, ranks, exchange):
    graph = GRAPHS[name]()
    installed(ranks)
    check_on(ranks, graph, graph.num_vertices // 2, exchange=exchange)


@pytest.mark.slow
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize(
    ("ranks", "exchange"), [(1, "nccl"), (2, "host"), (3, "nccl"), (4, "host")]
)
def test_answers_on_any_number_of_ranks(gpus, installed, name, ranks, exchange):
    graph = GRAPHS[name]()
    installed(ranks)
    check_on(ranks, graph, graph.num_vertices // 2, exchange=exchange)


@pytest.mark.parametrize(
    "name", ["SiouxFalls_length", pytest.param("p2p-Gnutella08", marks=pytest.mark.slow)]
)
def test_real_graphs(gpus, name):
    check_on(3, real_graphs.load(name).without_labels(), 0)


@pytest.mark.parametrize("name", ["fewer vertices than ranks", *slow([("grid",), ("floats",)])])
def test_parts_of_metis(gpus, name):
    pytest.importorskip("pymetis")
    graph = GRAPHS[name]()
    search = on_gpus(
        lambda: check(graph, graph.num_vertices // 3, "metis", "cuda"), exchange="host"
    )
    answers_on(3, search)


@pytest.mark.parametrize(
    ("name", "ranks"),
    [("hub", 2), ("grid", 3), *slow([("star", 4), ("power law, directed", 3), ("floats", 1)])],
)
def test_ranks_that_reach_each_other_launch_once(gpus, name, ranks):
    graph = GRAPHS[name]()
    answers_on(ranks, lambda: check(graph, graph.num_vertices // 2, device="cuda"))

    def launches():
        parts = wp.distributed.distribute(graph)
        wp.bfs(parts, 0, predecessors=False, device="cuda")  # copied to GPUs
        with current().together("test"):
            current().reduce(0)
            before = gpus.launches
            current().reduce(0)
        wp.bfs(parts, 0, predecessors=False, device="cuda")
        return gpus.launches - before

    assert max(answers_on(ranks, launches)) == ranks


@pytest.mark.parametrize(
    "options",
    [{"target": 1700}, {"cutoff": 2500}, {"dtype": "float32"}, {"dtype": "int64"}, {"nearest": True}],
    ids=str,
)  # fmt: skip
def test_options_of_ranks_that_launch_once(gpus, options):
    """Of METIS's parts, where vertices have other numbers."""
    pytest.importorskip("pymetis")
    graph = GRAPHS["grid"]()
    source = [5, 900] if "nearest" in options else 5

    def search():
        parts = wp.distributed.distribute(graph, "metis")
        answer = wp.sssp(parts, source, device="cuda", **options)
        answer.verify()
        return answer.distance

    expected = wp.sssp(graph, source, device="cpu", **options).distance
    for distance in answers_on(3, search):
        assert distance.dtype == expected.dtype
        np.testing.assert_array_equal(distance, expected)


def test_negative_weights_of_ranks_that_reach_each_other(gpus):
    graph = with_potentials(900, 4000, np.int32)
    expected = wp.sssp(graph, 0).distance

    def search():
        answer = wp.sssp(wp.distributed.distribute(graph), 0, device="cuda")
        answer.verify()
        return answer.distance

    for distance in answers_on(3, search):
        np.testing.assert_array_equal(distance, expected)


def test_a_distance_beyond_its_dtype_is_named_by_ranks_that_launch_once(gpus):
    pytest.importorskip("pymetis")
    order = np.random.default_rng(2).permutation(800)
    graph = wp.Graph.from_edges(order[:-1], order[1:], np.full(799, 2**30))

    def search():
        wp.sssp(
            wp.distributed.distribute(graph, "metis"), int(order[0]), dtype="int32", device="cuda"
        )

    for error in on_ranks(2, search):
        assert isinstance(error, OverflowError)
        assert f"vertex {min(order[2:])} does" in str(error)


def test_a_rank_that_does_not_launch_stops_the_others(gpus, monkeypatch):
    """They would wait for it at their first barrier."""
    graph = wp.generate.rmat(10, seed=1)
    launching, failed = multi_gpu.Companion.launching, []

    def fail():
        failed.append(1)
        raise MemoryError("a kernel was not launched")

    def fails_once(one, peers):
        return fail if one._share.rank == 1 and not failed else launching(one, peers)

    monkeypatch.setattr(multi_gpu.Companion, "launching", fails_once)

    def search():
        parts = wp.distributed.distribute(graph)
        with pytest.raises(MemoryError, match="not launched"):
            wp.bfs(parts, 0, device="cuda")
        wp.bfs(parts, 0, device="cuda").verify()  # the next call works

    answers_on(3, search)


def test_ranks_that_do_not_reach_each_other_exchange(gpus, monkeypatch):
    monkeypatch.setattr(gpu.ranks.RankGroup, "of", lambda transport, device: None)
    monkeypatch.setattr(multi_gpu, "bfs", None)
    graph = wp.generate.grid(30)
    answers_on(2, lambda: check(graph, 0, device="cuda"))


def test_vertices_of_metis_s_parts_are_named_as_they_are_called(gpus):
    """The number of a vertex in its part is another."""
    pytest.importorskip("pymetis")
    rng = np.random.default_rng(2)
    order = rng.permutation(60)
    long, cycle = np.full(59, 2**30), np.full(60, 1)
    cycle[-1] = -60

    def searches(weights, head, dtype):
        graph = wp.Graph.from_edges(order[: len(head)], order[head], weights)
        return wp.sssp(
            wp.distributed.distribute(graph, "metis"), int(order[0]), dtype=dtype, device="cuda"
        )

    for error in on_ranks(2, lambda: searches(long, np.arange(1, 60), "int32")):
        assert isinstance(error, OverflowError)
        assert f"vertex {min(order[2:])} does" in str(error)
    for error in on_ranks(2, lambda: searches(cycle, np.arange(1, 61) % 60, "int64")):
        assert isinstance(error, wp.NegativeCycleError)
        assert sorted(error.cycle) == list(range(60))
    for found in answers_on(2, lambda: searches(cycle[:59], np.arange(1, 60), "int64").predecessor):
        assert found[order[1:]].tolist() == order[:-1].tolist()


@pytest.mark.slow
def test_ranks_that_are_processes(emulator, runtime):
    pytest.importorskip("mpi4py")
    if MPIEXEC is None:
        pytest.skip("no mpiexec")
    run = subprocess.run(
        [MPIEXEC, "-n", "2", sys.executable, PROGRAM, emulator.cache],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("passed") == 2
    assert "Traceback" not in run.stderr


def test_graph500(gpus):
    """Each answer is validated; the edges are those that one process counts."""
    found = answers_on(
        2, lambda: graph500.run(graph500.InParts("cuda"), 6, 4, roots=2, kernels=("bfs", "sssp"))
    )
    alone = graph500.run(graph500.OnDevice("cpu"), 6, 4, roots=2)
    for result in found:
        np.testing.assert_array_equal(result.edges, alone.edges)


def search():
    wp.bfs(wp.distributed.distribute(wp.generate.grid(8)), 0, device="cuda").verify()
    return current().gpu.device


def test_each_rank_has_a_gpu_of_its_own(gpus):
    assert answers_on(3, search) == [0, 1, 2]


def test_gpus_are_shared_if_that_is_allowed(gpus):
    assert answers_on(5, on_gpus(search, share=True)) == [0, 1, 2, 3, 0]


def _without_a_gpu(patch):
    require = devices.require

    def of_this_rank():
        if current().rank == 1:
            raise wp.DeviceUnavailableError("device='cuda': there is no NVIDIA GPU")
        return require()

    patch.setattr(devices, "require", of_this_rank)


def _full(patch):
    copy = gpu.part.part_on_gpu

    def of_this_rank(part):
        if current().rank == 1:
            raise MemoryError("out of memory")
        return copy(part)

    patch.setattr(gpu.part, "part_on_gpu", of_this_rank)


def _nothing(patch):
    pass


def _different_options():
    current().gpu_options = GpuOptions(share=current().rank == 1)
    return search()


def _different_devices():
    graph = wp.distributed.distribute(wp.generate.grid(8))
    return wp.bfs(graph, 0, device="cpu" if current().rank else "cuda")


@pytest.mark.parametrize(
    ("ranks", "prepare", "call", "error", "message"),
    [
        (5, _nothing, search, wp.DeviceUnavailableError, r"ranks 0, 4 have the same GPU.*share_gpus=True"),
        (3, _without_a_gpu, search, wp.DeviceUnavailableError, "no NVIDIA GPU"),
        (2, _nothing, on_gpus(search, exchange="nccl"), ValueError, r"NCCL is not installed on ranks 0, 1: pip install 'warpath\[nccl\]'"),
        (3, _full, search, MemoryError, "part 1 of 3 on GPU 1: out of memory"),
        (2, _nothing, _different_options, wp.RanksDisagreeError, r"share_gpus=False\), rank 1 init\(gpu_exchange=None, share_gpus=True\)"),
        (2, _nothing, _different_devices, wp.RanksDisagreeError, "device='cuda'.*, rank 1 .*device='cpu'"),
    ],
)  # fmt: skip
def test_all_ranks_raise_the_same_error_before_a_kernel_starts(
    gpus, monkeypatch, ranks, prepare, call, error, message
):
    prepare(monkeypatch)
    before = gpus.launches
    for outcome in on_ranks(ranks, call):
        with pytest.raises(error, match=message):
            raise outcome
    assert gpus.launches == before


def test_a_rank_that_fails_in_a_search_ends_it_on_all(gpus, monkeypatch):
    relax = gpu.bfs.relax

    def fails(*args, **options):
        if current().rank == 1:
            raise MemoryError("of rank 1")
        return relax(*args, **options)

    monkeypatch.setattr(gpu.bfs, "relax", fails)
    assert [str(error) for error in on_ranks(3, search)] == ["of rank 1"] * 3
    monkeypatch.undo()
    assert answers_on(3, search) == [0, 1, 2]


def exchanged():
    """What a rank gets where rank a sends 100 a + b to rank b, a · b times."""
    search()  # it takes a GPU
    here, xp = current(), cuda_runtime.current().xp
    blocks = [xp.full(here.rank * q, 100 * here.rank + q, np.int32) for q in range(here.size)]
    return [block.tolist() for block in here.exchange(blocks)]


@pytest.mark.parametrize("exchange", ["host", "nccl"])
def test_each_block_goes_to_its_rank(gpus, installed, exchange):
    library = installed(3)
    received = answers_on(3, on_gpus(exchanged, exchange=exchange))
    for q, blocks in enumerate(received):
        assert blocks == [[100 * rank + q] * (rank * q) for rank in range(3)]
    assert bool(library.calls) == (exchange == "nccl")


def test_nccl_moves_what_ranks_send_and_nothing_else(gpus, installed):
    library = installed(2)
    answers_on(2, exchanged)  # by default, since each has a GPU of its own
    # Rank 0 sends and gets nothing, rank 1 four bytes of its own.
    assert [call for call in library.calls if call[1] == 1][-2:] == [
        ("send", 1, 1, 4),
        ("recv", 1, 1, 4),
    ]
    assert not library.aborted


def test_ranks_with_the_same_gpu_exchange_through_the_host(gpus, installed):
    library = installed(5)
    answers_on(5, on_gpus(search, share=True))
    assert not library.calls
    call = on_gpus(search, exchange="nccl", share=True)
    for error in on_ranks(5, call):
        assert isinstance(error, ValueError)
        assert "ranks 0, 4 have the same GPU, which NCCL refuses" in str(error)


def test_a_rank_without_memory_for_a_block_ends_all_before_nccl(gpus, installed, monkeypatch):
    library, full = installed(3), set()

    def empty(*shape):
        if current().rank in full:
            raise MemoryError("of rank 1")
        return gpus.xp.empty(*shape)

    xp = SimpleNamespace(empty=empty, cuda=gpus.xp.cuda)
    stand_in = SimpleNamespace(xp=xp, address=gpus.address)
    monkeypatch.setattr(gpu.nccl, "runtime", SimpleNamespace(current=lambda: stand_in))

    def fails():
        search()
        with current().together("work"):
            full.add(1)
            before = [call[1] for call in library.calls].count(current().rank)
            with pytest.raises(MemoryError) as raised:
                current().gather(gpus.xp.zeros(7))
            assert [call[1] for call in library.calls].count(current().rank) == before
            raise raised.value

    assert [str(error) for error in on_ranks(3, fails)] == ["of rank 1"] * 3


def _reports_an_error(patch, library):
    library.failing = 0


def _loses_a_process(patch, library):
    patch.setattr(Event, "done", False)
    patch.setattr(Watch, "ended", lambda self: 3)


@pytest.mark.parametrize(
    ("happens", "message"),
    [
        (_reports_an_error, "NCCL failed: the network is down"),
        (_loses_a_process, "the process of rank 3 has ended"),
    ],
)
def test_a_rank_does_not_wait_for_nccl_for_ever(gpus, installed, monkeypatch, happens, message):
    library = installed(1)

    def fails():
        search()
        happens(monkeypatch, library)
        with current().together("work"):
            current().gather(gpus.xp.zeros(7))

    def calls():
        for _ in range(2):  # nor does the next call
            with pytest.raises(wp.RankFailedError, match=message):
                fails()

    answers_on(1, on_gpus(calls, exchange="nccl"))
    assert library.aborted == {0}
