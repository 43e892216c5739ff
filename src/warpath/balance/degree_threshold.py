"""The most arcs that one thread gets: the maximum-out-degree threshold, MDT, of Mishra et al."""

from dataclasses import dataclass
from typing import Any, Literal

from warpath.balance.technique import Technique


@dataclass(frozen=True)
class DegreeThreshold(Technique):
    """What techniques with that threshold have in common.

    ``MDT`` 0 says that it comes from a histogram of the degrees with ``bins`` ranges.
    """

    lists = needs_grid = True  # of what is to be done of frontiers' vertices

    MDT: Literal[0, 4, 16, 64, 256] = 0
    # The paper's thresholds are those of 10, with which a thread visits a tenth of a hub.
    bins: Literal[10, 100, 1000] = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.MDT != 0 and self.bins != type(self).bins:
            raise ValueError(f"{self.name}: bins is for MDT=0, not {self.MDT}")

    def threshold(self, xp: Any, graph: Any) -> int:
        """The knob's, or the histogram's; parameters as of `temp_storage`."""
        return self.MDT or histogram_threshold(xp, graph.row_offsets, self.bins)


def histogram_threshold(xp: Any, row_offsets: Any, bins: int) -> int:
    """MDT by a histogram of the degrees: the upper end of the range that most vertices are in.

    Degrees up to the largest are cut into ``bins`` ranges of equal width. If range i, counted from 1,
    has most vertices, the threshold is i / ``bins`` of the largest degree. So vertices with fewer arcs stay
    whole, and few of the others have many more. Mishra et al., section III-B.

    Parameters
    ----------
    xp : module
        NumPy or CuPy, as the array.
    row_offsets : unsigned array, shape (n + 1,)
    bins : int

    Examples
    --------
    Most vertices have 3 or 4 arcs, which is the second of five ranges up to 10:

    >>> import numpy as np
    >>> degrees = [1, 3, 3, 4, 4, 10]
    >>> histogram_threshold(np, np.cumsum([0, *degrees]), 5)
    4
    """
    degrees = (row_offsets[1:] - row_offsets[:-1]).astype(xp.int64)
    largest = int(degrees.max()) if len(degrees) else 0
    if largest == 0:
        return 1
    ranges = xp.minimum((degrees * bins - 1) // largest, bins - 1)  # range i ends at its upper end
    tallest = int(xp.bincount(xp.maximum(ranges, 0), minlength=bins).argmax())
    return max(1, (tallest + 1) * largest // bins)
