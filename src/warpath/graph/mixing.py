"""SplitMix64's finalizer (Steele, Lea, Flood 2014): every input bit reaches every output bit."""

import numpy as np

from warpath.parallel.jit import inlined

MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ over the golden ratio, odd
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)


@inlined
def mixed(x):  # type: ignore[no-untyped-def]
    """64 bits of the uint64 ``x``, mixed."""
    x = (x ^ (x >> _30)) * MIX_1
    x = (x ^ (x >> _27)) * MIX_2
    return x ^ (x >> _31)
