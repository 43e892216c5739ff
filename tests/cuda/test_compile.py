"""Each kernel that Python can ask for compiles, without a GPU, and keeps all in registers."""

import errno
import os
from itertools import product

import pytest

from compiled import ARCHITECTURES, check_kernels
from exhaustive import EXHAUSTIVE, pairwise, sample, slow
from warpath import balance, kernel_cache
from warpath.cuda import compile as compiler
from warpath.cuda.compile import compile_kernel
from warpath.cuda.instances import (
    bfs_async_kernel,
    bfs_kernel,
    multi_gpu_bfs_kernel,
    sssp_kernel,
)
from warpath.cuda.sssp import variant
from warpath.errors import DeviceUnavailableError

OFFSET_BYTES = (4, 8)
VARIANTS = [
    variant
    for each in balance.TECHNIQUES.values()
    for variant in each.variants()
    if not variant.launches_children
]
CHILDREN = balance.lookup("dynamic-virtual-warp:dynamic_parallelism=4096")
VISITING = balance.lookup(balance.VISITING)
# Settings of a technique differ by a number or two: its default; the others if there is time.
DEFAULTS = [*(one() for one in balance.TECHNIQUES.values()), VISITING]
BOTH = (True, False)
# Each with all that takes registers, and with each other value of an option.
FULL = [(4, each, True, True) for each in (VARIANTS if EXHAUSTIVE else DEFAULTS)]
# What dense graphs of 2³² edges and more take.
LARGE = [(8, balance.lookup("two-phase-search:shares=8"), *each) for each in product(BOTH, BOTH)]
ALL = FULL + LARGE + pairwise(OFFSET_BYTES, DEFAULTS, BOTH, BOTH, given=FULL + LARGE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arch", "instances"),
    [
        ("sm_90", ALL),
        # Which have the same sources.
        ("sm_80", sample(FULL, 4)),
        ("sm_100", sample(FULL, 4, 2)),
    ],
    ids=["sm_90", "sm_80", "sm_100"],
)
def test_every_instance_compiles_without_spills(arch, instances):
    check_kernels(arch, "bfs.cuh", [bfs_kernel(*instance) for instance in instances])


@pytest.mark.slow
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_kernels_that_launch_others_are_linked(arch):
    """With predecessors or a trace, fewer blocks are resident, of more registers."""
    for size, predecessors, trace in pairwise(OFFSET_BYTES, BOTH, BOTH):
        kernel = bfs_kernel(size, CHILDREN, predecessors, trace)
        registers = 128 if predecessors or trace else 64
        check_kernels(arch, "bfs.cuh", [kernel], registers, children=True)


@pytest.mark.slow
@pytest.mark.parametrize("predecessors", [False, True])
def test_shortest_paths_by_kernels_that_launch_others(predecessors):
    for method, registers in (
        ("PackedRelaxing", 64),
        ("NearFarRelaxing", 64),
        ("QueuelessRelaxing", 128),
    ):
        kernel = sssp_kernel(4, method, "int32", "int32", CHILDREN, predecessors, False, True)
        check_kernels("sm_90", "algorithms/sssp.cuh", [kernel], registers, children=True)


def test_without_the_device_run_time_it_says_what_to_install(monkeypatch):
    compiler._device_run_time.cache_clear()
    monkeypatch.setattr(compiler.sys, "path", [])
    monkeypatch.setattr(compiler.Path, "exists", lambda _: False)
    with pytest.raises(DeviceUnavailableError, match="pip install nvidia-cuda-runtime"):
        compiler._device_run_time()


ASYNCHRONOUS = [*product((4, 8), (False, True))]


@pytest.mark.parametrize(
    ("arch", "instances"),
    [
        ("sm_90", [(4, True)]),
        *slow([("sm_90", ASYNCHRONOUS), ("sm_80", ASYNCHRONOUS), ("sm_100", ASYNCHRONOUS)]),
    ],
)
def test_an_asynchronous_search_compiles_without_spills(arch, instances):
    kernels = [bfs_async_kernel(*instance) for instance in instances]
    check_kernels(arch, "algorithms/bfs_async.cuh", kernels)


TYPES = [("int32", "int32"), ("int32", "int64"), ("float32", "float32"), ("float64", "float64")]


@pytest.mark.slow  # five seconds each; the emulator builds and runs such kernels by default
@pytest.mark.parametrize("offset", [4, 8])
def test_searches_by_several_gpus_compile_without_spills(offset):
    default = balance.lookup(balance.DEFAULT)
    check_kernels("sm_90", "bfs.cuh", [multi_gpu_bfs_kernel(offset, default, True)])


@pytest.mark.slow
@pytest.mark.parametrize("offset", [4, 8])
def test_shortest_paths_by_several_gpus_compile_without_spills(offset):
    default = balance.lookup(balance.DEFAULT)
    for tree, options, asynchronous, registers in (
        (False, {}, False, 64), (False, {"prefiltered": True}, False, 64), (False, {}, True, 80), (False, {"limited": True}, False, 64),
        (True, {}, False, 64), (True, {"prefiltered": True}, False, 64), (True, {"limited": True}, False, 64),
    ):  # fmt: skip
        # Where a part has 2³² arcs or more, trees without a limit of paths would spill 10 bytes.
        if tree and offset == 8 and "limited" not in options:
            continue
        algorithm = variant("NearFarRelaxing", tree=tree, **options)
        kernels = [
            sssp_kernel(
                offset, algorithm, *types, default, False, asynchronous, True, several_gpus=True
            )
            for types in (TYPES[:1] if tree else TYPES)
        ]
        check_kernels("sm_90", "algorithms/sssp.cuh", kernels, registers)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path))
    return tmp_path / "kernels"


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """One that compiles at once, as what `compile_kernel` takes."""
    source = tmp_path_factory.mktemp("source") / "store.cu"
    source.write_text("__global__ void store(int* out) { *out = 1; }\n")
    return str(source), "store", "sm_90"


def test_a_kernel_is_compiled_once_and_kept(cache, kernel):
    first = compile_kernel(*kernel)
    (kept,) = cache.iterdir()
    again = compile_kernel(*kernel)
    assert (again.code, again.symbol) == (first.code, first.symbol)
    assert first.log
    assert not again.log  # it was not compiled
    kept.unlink()
    assert compile_kernel(*kernel).log


def test_what_is_kept_depends_on_all_that_it_was_made_of(kernel, monkeypatch):
    def keys():
        yield compiler._made_of(*kernel)
        yield compiler._made_of(*kernel[:2], "sm_100")
        yield compiler._made_of(kernel[0], "store ", "sm_90")
        monkeypatch.setattr(compiler, "_sources", lambda: b"others")
        yield compiler._made_of(*kernel)
        monkeypatch.setattr(compiler, "_compiler", lambda: "nvrtc 99")
        yield compiler._made_of(*kernel)

    assert len(set(keys())) == 5


@pytest.fixture
def no_warning_yet(monkeypatch):
    monkeypatch.setattr(kernel_cache, "_warned", False)


def test_a_folder_that_cannot_be_written_is_no_obstacle(
    kernel, tmp_path, monkeypatch, no_warning_yet
):
    (tmp_path / "file").touch()
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="cannot be kept"):
        assert compile_kernel(*kernel).log


def test_a_full_disk_is_no_obstacle(cache, kernel, monkeypatch, no_warning_yet):
    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(kernel_cache, "write", fail)
    with pytest.warns(RuntimeWarning, match="cannot be kept: .*No space left"):
        assert compile_kernel(*kernel).log


def test_what_is_damaged_is_compiled_again(cache, kernel):
    first = compile_kernel(*kernel)
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    for damaged in (b"", whole[:100], b"evil\n" + first.code, b"\xff\xfe\n", whole[:-1] + b"?"):
        kept.write_bytes(damaged)
        again = compile_kernel(*kernel)
        assert again.log
        assert again.symbol == first.symbol
        assert kept.read_bytes() != damaged
        assert not compile_kernel(*kernel).log


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no modes on this system")
def test_what_others_may_have_written_is_ignored(cache, kernel, no_warning_yet):
    compile_kernel(*kernel)
    (kept,) = cache.iterdir()
    kept.chmod(0o666)
    assert compile_kernel(*kernel).log
    cache.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="are ignored"):
        assert compile_kernel(*kernel).log


def test_an_error_names_the_line(cache):
    with pytest.raises(Exception, match=r"Nonsense"):
        compile_kernel(
            "bfs.cuh", "warpath::bfs<unsigned, warpath::Nonsense, true, true, 512>", "sm_90"
        )
