"""Ranks with a GPU each, which is the emulator's: threads of this process, and processes of MPI."""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest

import real_graphs
import warpath as wp
from distributed_cases import GRAPHS, check
from emulated_device import emulated_device
from emulated_runtime import EmulatedRuntime
from thread_ranks import answers_on, on_ranks
from warpath import devices
from warpath.bench import graph500
from warpath.distributed import gpu
from warpath.distributed.context import current
from warpath.distributed.gpu_exchange import GpuOptions

PROGRAM = Path(__file__).with_name("gpu_rank.py")
MPIEXEC = shutil.which("mpiexec", path=sysconfig.get_path("scripts")) or shutil.which("mpiexec")

# Empty parts, a hub of a third of the arcs, predecessors in several rounds; and the others if there is time.
OFTEN = {"fewer vertices than ranks": 4, "hub": 3, "floats that vanish": 2}


@pytest.fixture(scope="module")
def runtime(emulator):
    with EmulatedRuntime(emulator) as runtime:
        yield runtime


@pytest.fixture
def gpus(runtime):
    """Four GPUs."""
    with emulated_device(runtime, 4):
        yield runtime


def on_gpus(function, **options):
    """``function`` on a rank that has called `init` with these options."""

    def call():
        current().gpu_options = GpuOptions(**options)
        return function()

    return call


def check_on(ranks, graph, source, **options):
    """Answers are those of one process, to the bit; predecessors do not depend on the number of ranks."""
    trees = answers_on(ranks, on_gpus(lambda: check(graph, source, device="cuda"), **options))
    (expected,) = answers_on(1, lambda: check(graph, source))
    for rank in trees:
        for tree, other in zip(rank, expected, strict=True):
            np.testing.assert_array_equal(tree, other)


@pytest.mark.parametrize(("name", "ranks"), OFTEN.items())
def test_answers_are_those_of_one_process(gpus, name, ranks):
    graph = GRAPHS[name]()
    check_on(ranks, graph, graph.num_vertices // 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_answers_on_any_number_of_ranks(gpus, name, ranks):
    graph = GRAPHS[name]()
    check_on(ranks, graph, graph.num_vertices // 2)


@pytest.mark.parametrize(
    "name", ["SiouxFalls_length", pytest.param("p2p-Gnutella08", marks=pytest.mark.slow)]
)
def test_real_graphs(gpus, name):
    check_on(3, real_graphs.load(name).without_labels(), 0)


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


def _parts_of_metis():
    return wp.bfs(wp.distributed.distribute(wp.generate.grid(8), "metis"), 0, device="cuda")


@pytest.mark.parametrize(
    ("ranks", "prepare", "call", "error", "message"),
    [
        (5, _nothing, search, wp.DeviceUnavailableError, r"ranks 0, 4 have the same GPU.*share_gpus=True"),
        (3, _without_a_gpu, search, wp.DeviceUnavailableError, "no NVIDIA GPU"),
        (3, _full, search, MemoryError, "part 1 of 3 on GPU 1: out of memory"),
        (2, _nothing, _different_options, wp.RanksDisagreeError, r"init\(share_gpus=False\), rank 1 init\(share_gpus=True\)"),
        (2, _nothing, _different_devices, wp.RanksDisagreeError, "device='cuda'.*, rank 1 .*device='cpu'"),
        (2, _nothing, _parts_of_metis, ValueError, "METIS's parts"),
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
