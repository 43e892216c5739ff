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
from warpath.cpu.minplus import PANEL, multiply, no_path, workspace
from warpath.cpu.relax import ALGEBRAS
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

    Takes a copy of the matrix (and of the predecessors) beside it.
    """
    n, none, panels = len(D), no_path(algebra, D.dtype), workspace(D, P)
    products = max(n - 2, 0).bit_length()  # 2 to the power of it is at least n − 1
    for product in range(products):
        before, parents = D.copy(), None if P is None else P.copy()
        for k in range(0, n, PANEL):
            team.run(
                multiply, threads, ALGEBRAS[algebra], D, P, before, before, parents,
                0, n, 0, 0, k, min(k + PANEL, n), none, lazy, *panels, np.zeros(1, np.int64),
            )  # fmt: skip
            tick(product * n + min(k + PANEL, n), products * n)
        if not _differ(D, before):
            break
