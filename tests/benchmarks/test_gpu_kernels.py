"""The table of what kernels take lists what this build has, and reads machine code."""

import re
import sys
from subprocess import run

import pytest

from warpath.cuda.compile import KERNELS, compile_kernel
from warpath.cuda.instances import walk_kernel

LOG = """ptxas info    : Function properties for a
ptxas         .     16 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads
ptxas info    : Used 64 registers, used 1 barriers, 45056 bytes smem
ptxas info    : Function properties for b
ptxas         .     8 bytes stack frame, 4 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers
"""


@pytest.fixture
def kernels(script):
    return script("gpu_kernels")


def test_this_build_has_every_kernel_of_the_list(kernels):
    found = kernels.kernels()
    assert [name for name, kernel in found.items() if kernel is None] == []
    texts = "".join(path.read_text() for path in KERNELS.rglob("*.cuh"))
    for kernel in found.values():
        assert (KERNELS / kernel.header).exists()
        template = kernel.expression.split("<")[0].removeprefix("warpath::")
        assert re.search(rf"\b{template}\(", texts)


def test_a_kernel_of_machine_code(kernels):
    pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")
    cubin = compile_kernel("walk.cuh", walk_kernel(), "sm_90", use_cache=False)
    use = kernels.used(cubin.log, cubin.code)
    assert (use.stack, use.spills, use.shared) == (0, 0, 0)
    assert 0 < use.registers <= 255
    assert use.code % 16 == 0  # bytes of an instruction
    assert 0 < use.code < len(cubin.code)
    both = kernels.used(LOG, cubin.code)
    assert (both.registers, both.stack, both.spills) == (64, 16, 36)


def test_what_is_kept_is_read_again(kernels, tmp_path, monkeypatch):
    pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")
    kernel = kernels.Kernel("walk.cuh", walk_kernel())
    first = kernels.measure(kernel, "sm_90", tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr(kernels, "used", None)
    assert kernels.measure(kernel, "sm_90", tmp_path) == first
    assert isinstance(kernels.measure(kernel, "sm_80", tmp_path), str)


@pytest.mark.slow
def test_builds_stand_in_one_table(kernels, tmp_path):
    pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")
    folder = str(KERNELS.parents[2])
    command = [sys.executable, kernels.__file__, folder, folder, "--only", "walk", "--cache"]
    table = run([*command, tmp_path], capture_output=True, text=True, check=True).stdout
    title, _, head, _, *rows = table.splitlines()
    assert title == f"sm_90: {folder} / {folder}"
    assert head == "| kernel | registers | stack | spills | shared | code | ratio |"
    assert [row.split(" | ")[0] for row in rows] == ["| walk", "| all of these"]
    assert all(row.endswith(" | 1.000 |") for row in rows)
    assert len(list(tmp_path.iterdir())) == 1  # one build twice


def test_what_a_build_lacks_is_said(kernels):
    assert kernels.measure(None, "sm_90", None) == "not in this build"


def test_a_row_has_what_differs(kernels):
    use = {"registers": 64, "stack": 0, "spills": 0, "shared": 1024, "code": 2000}
    other = use | {"registers": 62, "code": 1900}
    assert kernels.row("k", [use, other]) == (
        "| k | 64 / 62 | 0 | 0 | 1,024 | 2,000 / 1,900 | 0.950 |"
    )
    assert kernels.row("k", [use, {}]) == (
        "| k | 64 / - | 0 / - | 0 / - | 1,024 / - | 2,000 / - | - |"
    )
    assert kernels.row("k", [use]) == "| k | 64 | 0 | 0 | 1,024 | 2,000 |  |"
