"""All pairs by repeated squaring of the matrix: ⌈log₂(n − 1)⌉ min-plus products.

The survey's section 4, algorithm 6, which prints D · W for the product: that adds one arc a time.
D · D doubles how many arcs a path may have. Ends early when a product betters nothing.

Predecessors make trees for the reason that `warpath.cpu.floyd_warshall` gives: each product betters
all columns of a row at once, by values from before it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.floyd_warshall import Tick
from warpath.cpu.minplus import PANEL, Rows, factors_of, keys_of, multiply
from warpath.parallel import team
from warpath.parallel.jit import compiled

Array = NDArray[Any]


@compiled
def _differ(a, b):  # type: ignore[no-untyped-def]
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] != b[i, j]:
                return True
    return False


def repeated_squaring(
    algebra: str, D: Array, P: Array | None, threads: int, tick: Tick, lazy: bool = False
) -> None:
    """All pairs, in place. Parameters as of `warpath.cpu.floyd_warshall.floyd_warshall`.

    Takes a second matrix (and one of predecessors).
    """
    n, keys = len(D), keys_of(algebra, D.dtype, lazy)
    products = max(n - 2, 0).bit_length()  # 2 to the power of it is at least n − 1
    before, parents = np.empty_like(D), None if P is None else np.empty_like(P)
    factors = factors_of(D, before, before, parents)
    for product in range(products):
        before[:] = D
        if parents is not None:
            parents[:] = P
        for k in range(0, n, PANEL):
            factors.cursor[0] = 0
            team.run(multiply, threads, keys, factors, Rows(0, n, 0, 0, k, min(k + PANEL, n)), P)
            tick(product * n + min(k + PANEL, n), products * n)
        if not _differ(D, before):
            break
