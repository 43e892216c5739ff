"""Plans of shortest-path searches that a test makes by hand."""

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
    )
