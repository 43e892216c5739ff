"""Hong et al.'s applications that are no graphs: right on the emulator, and they compile."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from emulated_runtime import EmulatedRuntime
from warpath import devices
from warpath.cuda.compile import KERNELS

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "virtual_warps"
RAN = runpy.run_path(str(FOLDER / "applications.py"))
WIDTHS = (1, 8, 32)  # a thread, a part of a warp, a warp
SIZE = 300


def names_of(widths):
    return [f"applications::{kernel}<{width}>" for kernel in RAN["KERNELS"] for width in widths]


@pytest.fixture(scope="module")
def runtime(emulator):
    instances = [("applications.cuh", name) for name in names_of(WIDTHS)]
    with EmulatedRuntime(emulator, instances, include=[FOLDER]) as runtime:
        yield runtime


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", RAN["problems"](SIZE))
def test_every_application(runtime, name, width):
    for seed, blocks in enumerate((1, 3)):
        application, arguments, expected = RAN["problems"](SIZE, seed)[name]
        runtime.seed = seed

        def launch(kernel, *values, blocks=blocks):
            expression = f"applications::{kernel}<{width}>"
            runtime.call("applications.cuh", expression, blocks, 64, *values)

        there = [runtime.xp.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments]
        found = application(runtime.xp, launch, *there).get()
        assert np.allclose(found, expected, rtol=1e-3, atol=1e-3)


def test_they_compile():
    core = pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels")
    options = core.ProgramOptions(
        arch="sm_90", std="c++20", include_path=[str(KERNELS), str(FOLDER)]
    )
    program = core.Program('#include "applications.cuh"\n', "c++", options)
    assert program.compile("cubin", name_expressions=tuple(names_of(RAN["WIDTHS"]))).code


@pytest.mark.gpu
@pytest.mark.skipif(devices.missing() is not None, reason=str(devices.missing()))
def test_they_run_on_a_gpu(capsys):
    RAN["main"]()
    assert len(capsys.readouterr().out.splitlines()) == 5
