"""The drawing kernels of a GPU, compiled for the host, draw what Numba's functions draw."""

import ctypes
import re
import shutil
import subprocess
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

import warpath as wp
from exhaustive import slow
from warpath.generate import draw
from warpath.generate.configuration import _JOIN, _LEAD
from warpath.generate.counter import Stream, stream_key
from warpath.generate.erdos_renyi import _ENDS, _PAIRS
from warpath.generate.grid import _ENDS as _GRID_ENDS
from warpath.generate.grid import _KEEP
from warpath.generate.rmat import _RMAT, _check_quarters
from warpath.generate.weights import _FLOATS, _HASHED, _INTEGERS
from warpath.graph import edges

# What CUDA C++ has beyond C++, for kernels whose threads need nothing of each other: they run
# one after the other.
SHIM = """
#include <cmath>
#define __global__
#define __device__
struct Index { unsigned x; };
static Index threadIdx, blockIdx, blockDim, gridDim;
static double __dadd_rn(double a, double b) { return a + b; }
static double __dmul_rn(double a, double b) { return a * b; }
#include "draw.cuh"
template <class... Parameters, class... Arguments>
static void run(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, Arguments... given) {
    gridDim.x = blocks;
    blockDim.x = threads;
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
        for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) kernel(given...);
}
"""
# Of each kernel its parameters, [(type, name), …].
SIGNATURES = {
    name: [tuple(each.rsplit(maxsplit=1)) for each in re.split(r",\s*", parameters.strip())]
    for name, parameters in re.findall(
        r'extern "C" __global__ void (\w+)\(([^)]*)\)', draw.CUDA_SOURCE.read_text()
    )
}
C_TYPES = {
    "Bits": ctypes.c_uint64,
    "Int": ctypes.c_int64,
    "bool": ctypes.c_bool,
    "double": ctypes.c_double,
}
NUMPY_TYPES = {"Bits": "u8", "Int": "i8", "bool": "?", "double": "f8", "int": "i4"}
BLOCKS, THREADS = 3, 5  # that no count is a multiple of
KEY, OTHER = stream_key(1, Stream.EDGES), stream_key(2, Stream.VERTEX_IDS)
STUBS = np.repeat(np.arange(400, dtype=np.int32), np.arange(400) % 11)


def entry(name):
    """A C function that launches one kernel."""
    parameters = ", ".join(" ".join(each) for each in SIGNATURES[name])
    names = ", ".join(each for _, each in SIGNATURES[name])
    return (
        f'extern "C" void launch_{name}(unsigned blocks, unsigned threads, {parameters}) '
        f"{{ run({name}, blocks, threads, {names}); }}\n"
    )


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("no g++")
    folder = tmp_path_factory.mktemp("draw")
    source, library = folder / "draw.cpp", folder / "draw.so"
    source.write_text(SHIM + "".join(map(entry, SIGNATURES)))
    flags = ["-std=c++17", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-Werror"]
    include = f"-I{draw.CUDA_SOURCE.parent}"
    subprocess.run([compiler, *flags, include, "-o", library, source], check=True)
    return Compiled(ctypes.CDLL(library))


class Compiled:
    """The kernels as CuPy's module has them, but strict about what they are given."""

    def __init__(self, library):
        self.library = library

    def get_function(self, name):
        def launch(grid, block, arguments):
            given = []
            for (kind, parameter), value in zip(SIGNATURES[name], arguments, strict=True):
                element = kind.removeprefix("const ").removesuffix("*")
                assert value.dtype == NUMPY_TYPES[element], f"{name}: {kind} {parameter}"
                if kind.endswith("*"):
                    given.append(ctypes.c_void_p(value.ctypes.data))
                else:
                    given.append(C_TYPES[kind](value.item()))
            getattr(self.library, f"launch_{name}")(*grid, *block, *given)

        return launch


@pytest.fixture
def numpy_for_cupy(compiled, monkeypatch):
    """Draw with the kernels into NumPy's arrays; gives the array module that does."""
    monkeypatch.setattr(draw, "_module", lambda: compiled)
    monkeypatch.setattr(draw.devices, "memory_for", lambda what: nullcontext())
    monkeypatch.setattr(draw.devices, "require", lambda: SimpleNamespace(multiprocessors=1))
    monkeypatch.setattr(draw, "_THREADS", THREADS)
    monkeypatch.setattr(draw, "_BLOCKS", BLOCKS)
    return SimpleNamespace(empty=np.empty, flatnonzero=np.flatnonzero, asarray=np.asarray)


@pytest.mark.parametrize("count", [0, 1, 14, 1000])
@pytest.mark.parametrize(
    ("kernel", "dtypes", "arguments"),
    [
        (_RMAT, "ii", (KEY, OTHER, 0, 2**31, 2**30, 3 * 2**30, True)),
        (_RMAT, "ii", (KEY, OTHER, 7, *_check_quarters(0.57, 0.19, 0.19, None), False)),
        (_RMAT, "ii", (KEY, OTHER, 30, *_check_quarters(0.4, 0.3, 0.2, 0.1), True)),
        (_RMAT, "ii", (KEY, OTHER, 9, *_check_quarters(1.0, 0.0, 0.0, None), True)),
        (_ENDS, "ii", (KEY, 1)),
        (_ENDS, "ii", (KEY, 2**31 - 1)),
        (_PAIRS, "ii", (KEY, 1000, True, 999_000, 20, 7)),
        (_PAIRS, "ii", (KEY, 46, False, 1035, 11, 7)),
        (_PAIRS, "ii", (KEY, 2**31 - 1, False, (2**31 - 1) * (2**30 - 1), 61, 7)),
        (_PAIRS, "ii", (KEY, 2**31 - 1, True, (2**31 - 1) * (2**31 - 2), 62, 7)),
        (_JOIN, "ii", (STUBS, 2 * (len(STUBS) // 2), 11, KEY)),
        (_LEAD, "i", (STUBS, len(STUBS), 11, KEY)),
        (_KEEP, "?", (KEY, 0.9)),
        (_KEEP, "?", (KEY, 1.0)),
        (_GRID_ENDS, "ii", (np.arange(10_000)[::7].copy(), 61, 60 * 61, False)),
        (_GRID_ENDS, "ii", (np.arange(10_000)[::7].copy(), 61, 60 * 61, True)),
        (_GRID_ENDS, "ii", (np.arange(2000), 1, 0, True)),
        (_INTEGERS, "i", (KEY, 1, 255)),
        (_INTEGERS, "i", (KEY, -(2**31), 2**31 - 1)),
        (_HASHED, "i", (STUBS, STUBS[::-1].copy(), 1, 255)),
        (_FLOATS, "d", (KEY, 0.1, 0.7)),
        (_FLOATS, "d", (KEY, -1e300, 1e-300)),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_both_draw_the_same(numpy_for_cupy, kernel, dtypes, arguments, count):
    wanted = kernel.draw(np, count, dtypes, *arguments)
    for got, array in zip(
        kernel.draw(numpy_for_cupy, count, dtypes, *arguments), wanted, strict=True
    ):
        assert got.dtype == array.dtype
        np.testing.assert_array_equal(got, array)


@pytest.mark.parametrize("weights", [None, (1, 9), (0, 9.5)])
@pytest.mark.parametrize(
    ("name", "arguments", "options"),
    [
        ("rmat", (8,), {"simple": True}),
        ("rmat", (8,), {"n": 200}),
        ("rmat", (7, 2.5), {"directed": True, "permute": False}),
        ("erdos_renyi", (60, 300), {"directed": True}),
        ("erdos_renyi", (np.int64(60), np.int32(300)), {}),
        ("erdos_renyi", (60, 300), {"replace": True}),
        ("configuration", (np.arange(40) % 9,), {"simple": True}),
        ("configuration", (np.arange(40) % 8, np.arange(40) % 8), {}),
        ("grid", (np.int64(9), 13), {"keep": 0.5}),
        ("grid", (9, 13), {"directed": True, "keep": 1}),
        ("grid", (0,), {}),
    ],
    ids=str,
)
def test_generators_give_kernels_what_they_take(
    numpy_for_cupy, monkeypatch, name, arguments, options, weights
):
    generator = getattr(wp.generate, name)
    here = generator(*arguments, weights=weights, **options)
    drawing = "edges" if name in ("rmat", "erdos_renyi") else name
    monkeypatch.setattr(
        sys.modules[f"warpath.generate.{drawing}"], "module_for", lambda device: numpy_for_cupy
    )
    monkeypatch.setattr(edges, "module_for", lambda device: np)
    monkeypatch.setattr(edges, "made_on_gpu", nullcontext)
    there = generator(*arguments, weights=weights, device="cuda", **options)
    for one, two in zip(there.resident, here.resident, strict=True):
        assert (one is None) == (two is None)
        if one is not None:
            np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("arch", ["sm_90", *slow(["sm_80", "sm_100"])])
def test_the_kernels_compile_for_a_gpu(arch):
    core = pytest.importorskip(
        "cuda.core", reason="NVRTC compiles the kernels: pip install .[test]"
    )
    options = core.ProgramOptions(arch=arch)
    code = core.Program(draw.CUDA_SOURCE.read_text(), "c++", options).compile("cubin").code
    for name in SIGNATURES:
        assert name.encode() in bytes(code)


def test_the_kernels_stand_for_themselves():
    """CuPy keeps compiled kernels by this text: a header that changed would go unseen."""
    assert "#include" not in draw.CUDA_SOURCE.read_text()


def test_what_is_drawn_does_not_depend_on_how_much_at_once(monkeypatch):
    def graphs():
        return [
            wp.generate.rmat(8, weights=(1, 9), seed=3),
            wp.generate.erdos_renyi(300, 900, weights=(0.5, 1.5), seed=4),
            wp.generate.grid(20, keep=0.8, directed=True, weights=(1, 9), seed=5),
            wp.generate.configuration(np.full(50, 4), seed=6),
        ]

    whole = graphs()
    monkeypatch.setattr(draw, "_AT_ONCE", 7)
    for graph, same in zip(graphs(), whole, strict=True):
        assert np.array_equal(graph.row_offsets, same.row_offsets)
        assert np.array_equal(graph.column_indices, same.column_indices)
        assert np.array_equal(graph.weights, same.weights)
