"""What a traversal leaves behind in device memory, fetched when somebody looks."""

from functools import cached_property
from typing import Any

import cupy
import numpy as np
from numpy.typing import NDArray

from warpath.balance import TECHNIQUES

# Rows beyond this one are added to the last, as on the CPU: a long path has as many
# iterations as vertices.
MAX_ROWS = 16384

# trace.cuh's TraceRow.
_ROW = np.dtype(
    [("vertices", "u8"), ("arcs", "u8"), ("nanoseconds", "u8"),
     ("way", "u1"), ("mode", "u1"), ("balance", "u1"), ("unused", "u1", 5)]
)  # fmt: skip
_WAYS = ("top-down", "bottom-up", "forward", "backward")
_MODES = ("block", "cluster", "grid")
_BALANCES = ("", *TECHNIQUES)

# traverse.cuh's Control: its first fields, and space for all of it.
_PROGRESS = np.dtype(
    [("arrived", "u4"), ("unused", "u4"), ("level", "u4"), ("step", "u4"), ("size", "u4")]
)
CONTROL_BYTES = 256


class Report:
    """Counts of one run, in device memory until they are asked for.

    Parameters
    ----------
    rows : int
        Rows of the trace; 0 for none.

    Attributes
    ----------
    memory : dict of str to int
        Bytes on the device: `warpath.algorithms.stats.Stats.memory`.
    """

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.memory: dict[str, int] = {}
        self._memory = cupy.cuda.alloc(CONTROL_BYTES + rows * _ROW.itemsize)
        self._stream = cupy.cuda.get_current_stream()
        self.control = int(self._memory.ptr)
        self.trace_address = self.control + CONTROL_BYTES

    def clear(self, bytes: int = CONTROL_BYTES) -> None:
        """Zero the first ``bytes`` of the control block."""
        cupy.cuda.runtime.memsetAsync(self.control, 0, bytes, self._stream.ptr)

    def _fetch(self, begin: int, end: int) -> NDArray[np.uint8]:
        """Bytes of it; waits until all that was queued before is done."""
        raw = cupy.ndarray((end - begin,), np.uint8, self._memory + begin)
        return raw.get(stream=self._stream)  # type: ignore[no-any-return]

    def progress(self) -> tuple[int, int]:
        """(level, frontier size) that the last launch left; waits for it."""
        first = self._fetch(0, _PROGRESS.itemsize).view(_PROGRESS)[0]
        return int(first["level"]), int(first["size"])

    @cached_property
    def iterations(self) -> int:
        """How many iterations ran."""
        return self.progress()[0]

    @property
    def _written(self) -> int:
        """Rows that the run has written."""
        return min(self.iterations, self.rows)

    @cached_property
    def _table(self) -> NDArray[Any]:
        end = CONTROL_BYTES + self._written * _ROW.itemsize
        return self._fetch(CONTROL_BYTES, end).view(_ROW)

    @property
    def frontier(self) -> NDArray[np.int64]:
        """Vertices expanded in each iteration."""
        return self._table["vertices"].astype(np.int64)

    @property
    def edges(self) -> NDArray[np.int64]:
        """Arcs inspected in each iteration."""
        return self._table["arcs"].astype(np.int64)

    @property
    def nanoseconds(self) -> NDArray[np.int64]:
        """Duration of each iteration; the first one's includes resetting the arrays."""
        return self._table["nanoseconds"].astype(np.int64)

    @property
    def direction(self) -> tuple[str, ...]:
        """``"top-down"`` or ``"bottom-up"``, of each iteration."""
        return tuple(_WAYS[code] for code in self._table["way"])

    @property
    def mode(self) -> tuple[str, ...]:
        """``"block"``, ``"cluster"`` or ``"grid"``: what ran each iteration."""
        return tuple(_MODES[code] for code in self._table["mode"])

    @property
    def balance(self) -> tuple[str, ...]:
        """The technique of each iteration; empty for bottom-up ones."""
        return tuple(_BALANCES[code] for code in self._table["balance"])
