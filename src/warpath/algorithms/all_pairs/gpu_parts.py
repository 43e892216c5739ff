"""All pairs from parts (`warpath.algorithms.all_pairs.partitioned`) by the CUDA engine."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from warpath.algorithms.all_pairs import partitioned
from warpath.algorithms.all_pairs.rows import Tick
from warpath.planning.all_pairs import ApspRun
from warpath.planning.partition import Cut, filled, parts_nbytes, rows_at_once, rows_nbytes


def nbytes(how: ApspRun, cut: Cut) -> int:
    """What is taken on the device in addition to the answer."""
    from warpath.cuda.apsp import BLOCK
    from warpath.cuda.blocks import MAX_UNIT
    from warpath.cuda.product import paths_nbytes

    matrices = parts_nbytes(cut, how.work, how.predecessors, MAX_UNIT)
    flags = 0
    if how.lazy:
        most = max(int(filled(cut, MAX_UNIT).sum()), how.graph.num_vertices)
        flags = paths_nbytes(most, most, max(BLOCK, int(cut.boundary.max(initial=0)) + MAX_UNIT))
    # Rows are packed, and put in order, in copies.
    return matrices + flags + 3 * rows_nbytes(cut, how.work)


def fill(how: ApspRun, cut: Cut, gpus: Sequence[int], D: Any, P: Any, tick: Tick) -> None:
    """Fill matrices of CuPy or NumPy; ``gpus`` by CUDA's numbers, none for the current one."""
    from warpath.cuda.blocks import Blocks, queues
    from warpath.cuda.representation import represent

    algebra, none = how.algebra, how.algebra.none(how.work)
    source, target, weights = how.graph.coo()
    values = np.ones(len(source)) if weights is None else weights
    values = values.astype(how.work, copy=False)

    def span() -> tuple[int, int]:
        if values.dtype.kind == "f":  # a negative zero counts
            return -int(np.signbit(values).any()), 0
        return int(values.min(initial=0)), int(values.max(initial=0))

    bits = represent(how.graph.num_vertices, how.work, algebra.name, span)
    largest_part = int(cut.sizes.max(initial=0))
    devices = [
        Blocks(
            bits,
            P is not None,
            largest=max(int(filled(cut, Blocks.depth).sum()), largest_part),
            rows=min(rows_at_once(cut, how.work), largest_part),
            deepest=int(cut.boundary.max(initial=0)),
            lazy=how.lazy,
            queue=queue,
        )
        for queue in (queues(gpus) if gpus else [None])
    ]
    start = algebra.source(how.work)
    arcs = partitioned.Arcs.of(
        cut, (source, target, values), *map(algebra.keys, (values, start, none))
    )
    partitioned.fill_by_parts(cut, arcs, start, bits.none, devices, D, P, bits.restore, tick)
