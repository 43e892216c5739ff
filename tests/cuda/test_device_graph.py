"""What needs no GPU of graphs in its memory; the rest is in test_build_gpu.py."""

import numpy as np
import pytest

pytest.importorskip("cupy")

from warpath.cuda.device_graph import DeviceGraph, _as_unsigned


def test_signed_offsets_are_unsigned_without_a_copy():
    narrow, wide = np.array([0, 2, 5], np.int32), np.array([0, 2, 5], np.int64)
    assert np.shares_memory(_as_unsigned(narrow, np.dtype("u4")), narrow)
    assert np.shares_memory(_as_unsigned(wide, np.dtype("u8")), wide)
    for given, dtype in [(wide, "u4"), (narrow, "u8"), (narrow, "u4"), (wide, "u8")]:
        offsets = _as_unsigned(given, np.dtype(dtype))
        assert offsets.dtype == dtype
        assert offsets.tolist() == [0, 2, 5]


class Long:
    """An array of which only the length matters."""

    def __init__(self, length):
        self.length = length

    def __len__(self):
        return self.length


@pytest.mark.parametrize(
    ("n", "m", "wide"), [(2**29, 5, True), (2**29, 2**32, False), (7, 2**35, False)]
)
def test_too_much_for_wide_offsets(n, m, wide):
    with pytest.raises(OverflowError, match=f"{n:,} vertices with {m:,} arcs"):
        DeviceGraph.from_arrays(Long(n + 1), Long(m), directed=True, wide=wide)
