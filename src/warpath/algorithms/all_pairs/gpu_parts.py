"""All pairs from parts (`warpath.algorithms.all_pairs.partitioned`) by the CUDA engine."""

from typing import Any

import numpy as np

from warpath.algorithms.all_pairs import partitioned
from warpath.algorithms.all_pairs.apsp_methods import Plan
from warpath.algorithms.all_pairs.partition import Cut
from warpath.algorithms.all_pairs.rows import Tick


def nbytes(plan: Plan, cut: Cut) -> int:
    """What is taken on the device beside the answer."""
    from warpath.cuda.apsp import BLOCK
    from warpath.cuda.blocks import MOST_UNIT
    from warpath.cuda.product import paths_nbytes

    matrices = partitioned.nbytes(cut, plan.work, plan.predecessors, MOST_UNIT)
    flags = 0
    if plan.lazy:
        most = max(int(partitioned.filled(cut, MOST_UNIT).sum()), plan.graph.num_vertices)
        flags = paths_nbytes(most, most, max(BLOCK, int(cut.boundary.max(initial=0)) + MOST_UNIT))
    # Rows are packed, and put in order, in copies.
    return matrices + flags + 3 * partitioned.rows_nbytes(cut, plan.work)


def fill(plan: Plan, cut: Cut, D: Any, P: Any, tick: Tick) -> None:
    """Fill matrices of CuPy or NumPy."""
    from warpath.cuda.blocks import Blocks
    from warpath.cuda.representation import represent

    algebra, none = plan.algebra, plan.algebra.none(plan.work)
    source, target, weights = plan.graph.coo()
    values = np.ones(len(source)) if weights is None else weights
    values = values.astype(plan.work, copy=False)

    def span() -> tuple[int, int]:
        if values.dtype.kind == "f":  # a negative zero counts
            return -int(np.signbit(values).any()), 0
        return int(values.min(initial=0)), int(values.max(initial=0))

    how = represent(plan.graph.num_vertices, plan.work, algebra.name, span)
    largest_part = int(cut.sizes.max(initial=0))
    blocks = Blocks(
        how,
        P is not None,
        largest=max(int(partitioned.filled(cut, Blocks.depth).sum()), largest_part),
        rows=min(partitioned.rows_at_once(cut, plan.work), largest_part),
        deepest=int(cut.boundary.max(initial=0)),
        lazy=plan.lazy,
    )
    start = algebra.source(plan.work)
    arcs = partitioned.Arcs.of(
        cut, (source, target, values), *map(algebra.keys, (values, start, none))
    )
    partitioned.Partitioned(cut, arcs, start, how.none, P is not None, blocks).fill(
        D, P, how.restore, tick
    )
