"""Plans of shortest-path searches that a test makes by hand, and searches by them."""

import numpy as np

from oracles import distances
from warpath import verify
from warpath.graph.distance import unreachable
from warpath.operators import ALGEBRAS
from warpath.planning.bucket_width import as_width
from warpath.planning.shortest_paths import Relaxation


def relaxation_by(
    weights, dtype=None, *, algebra=ALGEBRAS["shortest"], start=0, cutoff=None, signed=False,
    delta=1.0,
):  # fmt: skip
    """A plan whose distances have the weights' dtype, or another; with a ``delta`` of any size."""
    dtype = weights.dtype if dtype is None else dtype
    return Relaxation(
        algebra=algebra,
        method="",
        why="",
        signed=signed,
        dtype=dtype,
        weight_dtype=weights.dtype,
        start=start,
        cutoff=unreachable(dtype) - 1 if cutoff is None else cutoff,
        width=as_width(delta),
        may_overflow=False,
        least_step=0,
    )


def searched(method, graph, plan, source=0, threads=1, target=-1):
    """(distance, report) of a search by a method of `warpath.cpu`, verified if it is one to the end."""
    n, dtype = graph.num_vertices, plan.dtype
    distance, predecessor = np.empty(n, dtype), np.empty(n, np.int32)
    sources = np.array([source], np.int32)
    report = method.run(graph, plan, graph.weights, sources, distance, predecessor, threads, target)
    whole = plan.cutoff >= unreachable(dtype) - 1
    if target < 0 and report.cycle < 0:
        verify.sssp(graph, source, distance, predecessor, cutoff=None if whole else plan.cutoff)
        if whole and dtype != np.float32:
            assert np.array_equal(distance, distances(graph, source, dtype.type))
    return distance, report
