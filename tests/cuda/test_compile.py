"""Each kernel that Python can ask for compiles, without a GPU, and keeps all in registers."""

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

from warpath import balance
from warpath.cuda import compile as compiler
from warpath.cuda.compile import compile_kernel
from warpath.cuda.instances import bfs_kernel

pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")

MOST_REGISTERS = 64  # so that two blocks of 512 threads are resident
OFFSET_BYTES = (4, 8)
VARIANTS = [variant for each in balance.TECHNIQUES.values() for variant in each.variants()]
# Settings of a technique differ by a number or two: only its default with and without all else.
ALL = [
    (size, variant, predecessors, trace)
    for size, variant, predecessors, trace in product(
        OFFSET_BYTES, VARIANTS, (True, False), (True, False)
    )
    if variant == type(variant)() or (predecessors and trace)
]
# The other architectures have the same sources: one of each technique, with all that takes registers.
SOME = [
    (size, each(), True, True) for size, each in product(OFFSET_BYTES, balance.TECHNIQUES.values())
]


def used(log):
    """(registers, bytes of spilled stores and loads) by the assembler's report."""
    registers = int(re.search(r"Used (\d+) registers", log)[1])
    spilled = sum(map(int, re.findall(r"(\d+) bytes spill", log)))
    return registers, spilled


@pytest.mark.slow
@pytest.mark.parametrize(("arch", "instances"), [("sm_90", ALL), ("sm_80", SOME), ("sm_100", SOME)])
def test_every_instance_compiles_without_spills(arch, instances):
    def build(instance):
        cubin = compile_kernel("bfs.cuh", bfs_kernel(*instance), arch, use_cache=False)
        assert cubin.code.startswith(b"\x7fELF")
        assert "bfs" in cubin.symbol
        return used(cubin.log)

    with ThreadPoolExecutor(2) as pool:
        results = dict(zip(map(str, instances), pool.map(build, instances), strict=True))
    for instance, (registers, spilled) in results.items():
        print(f"{arch} {instance}: {registers} registers, {spilled} bytes spilled")
    assert {
        name: use for name, use in results.items() if use[0] > MOST_REGISTERS or use[1] > 0
    } == {}


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path))
    return tmp_path / "kernels"


EXPRESSION = bfs_kernel(4, balance.lookup("thread-mapped"), False, False)


def test_a_kernel_is_compiled_once_and_kept(cache):
    first = compile_kernel("bfs.cuh", EXPRESSION, "sm_90")
    (kept,) = cache.iterdir()
    again = compile_kernel("bfs.cuh", EXPRESSION, "sm_90")
    assert (again.code, again.symbol) == (first.code, first.symbol)
    assert first.log
    assert not again.log  # it was not compiled
    kept.unlink()
    assert compile_kernel("bfs.cuh", EXPRESSION, "sm_90").log


def test_what_is_kept_depends_on_all_that_it_was_made_of(monkeypatch):
    def keys():
        yield compiler._key("bfs.cuh", EXPRESSION, "sm_90")
        yield compiler._key("bfs.cuh", EXPRESSION, "sm_100")
        yield compiler._key("bfs.cuh", EXPRESSION + " ", "sm_90")
        monkeypatch.setattr(compiler, "_sources", lambda: b"others")
        yield compiler._key("bfs.cuh", EXPRESSION, "sm_90")
        monkeypatch.setattr(compiler, "_compiler", lambda: "nvrtc 99")
        yield compiler._key("bfs.cuh", EXPRESSION, "sm_90")

    assert len(set(keys())) == 5


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path / "file"))
    assert compile_kernel("bfs.cuh", EXPRESSION, "sm_90").log


def test_an_error_names_the_line(cache):
    with pytest.raises(Exception, match=r"Nonsense"):
        compile_kernel(
            "bfs.cuh", "warpath::bfs<unsigned, warpath::Nonsense, true, true, 512>", "sm_90"
        )
