import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpath.graph import segments


@given(st.lists(st.integers(1, 5), max_size=20), st.sampled_from(["i4", "i8", "f4", "f8"]))
def test_by_definition(sizes, dtype):
    values = np.random.default_rng(len(sizes)).normal(0, 100, sum(sizes)).astype(dtype)
    starts = np.cumsum([0, *sizes])[:-1]
    parts = [values[start : start + size] for start, size in zip(starts, sizes, strict=True)]
    if not sizes:
        return
    assert segments.least(values, starts).tolist() == [part.min() for part in parts]
    sums = segments.total(values, starts)
    assert sums.dtype == dtype
    for part, got in zip(parts, sums, strict=True):
        wanted = values.dtype.type(0)
        for value in part:
            wanted += value
        assert got == wanted


def test_floats_are_added_from_left_to_right():
    """Any other order gives another sum."""
    values = np.array([1.0, 2.0**-53, 2.0**-53, -1.0, 2.0**-53], np.float64)
    assert segments.total(values, np.array([0])).tolist() == [2.0**-53]
    narrow = np.array([2**24, 1, 1, 1], np.float32)
    assert segments.total(narrow, np.array([0])).tolist() == [2**24]


def test_integers_wrap_within_a_sum_that_fits():
    values = np.array([2**62, 2**62, -(2**62), 5, 2**31 - 1], np.int64)
    assert segments.total(values, np.array([0, 3])).tolist() == [2**62, 2**31 + 4]


def test_a_sum_beyond_int32_is_int64():
    values = np.array([2**31 - 1, 1, -(2**31), 0], np.int32)
    assert segments.total(values, np.array([0, 2])).tolist() == [2**31, -(2**31)]
    assert segments.total(values[2:], np.array([0])).dtype == np.int32


@pytest.mark.parametrize("values", [[2**63 - 1, 1], [-(2**63), -1]])
def test_a_sum_beyond_int64(values):
    with pytest.raises(OverflowError, match="exceeds 64 bits"):
        segments.total(np.array(values), np.array([0]))


def test_subnormal_floats_are_not_zero():
    tiny = np.array([3e-45, 1e-45, 1e-45], np.float32)
    assert segments.least(tiny, np.array([0])).tolist() == [tiny[1]]
    assert segments.total(tiny, np.array([0])).tolist() == [np.float32(6e-45)]


@pytest.mark.parametrize(("value", "folded"), [("float", "float"), ("int", "unsigned long long")])
def test_the_gpus_folds_compile(value, folded):
    core = pytest.importorskip("cuda.core", reason="NVRTC compiles kernels: pip install .[test]")
    source = segments._CUDA_SOURCE + (
        f'extern "C" __global__ void fold({folded}* a, {value} b) {{\n'
        f"    *a = warpath_least(*a, ({folded})b);\n    *a = warpath_sum(*a, ({folded})b);\n}}\n"
    )
    options = core.ProgramOptions(arch="sm_90", ftz=True)
    assert core.Program(source, "c++", options).compile("cubin").code
