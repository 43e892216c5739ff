"""What a traversal leaves in device memory, fetched at the first access."""

from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.balance import TECHNIQUES
from warpath.cuda import runtime
from warpath.cuda.arguments import TRACE_ROWS, U8, U64, Struct
from warpath.cuda.memory import Layout

TRACE_ROW = Struct(
    vertices=U64, arcs=U64, nanoseconds=U64, direction=U8, mode=U8, balance=U8, unused=(U8, 5)
)
_DIRECTIONS = ("top-down", "bottom-up", "forward", "backward")
_MODES = ("block", "cluster", "grid")
_BALANCES = ("", *TECHNIQUES)
_FIRST_ROWS = 64  # come with the control block, by one copy
_BARRIER_BYTES = 4  # of the grid barrier's count, with which each control block begins


@cache
def _layout(rows: int, *controls: tuple[str, Struct]) -> Layout:
    return Layout(**{name: (of.dtype, 1) for name, of in controls}, trace=(TRACE_ROW.dtype, rows))


class Report:
    """Control block and trace of one run, in device memory until they are asked for.

    Parameters
    ----------
    rows : int
        Rows of the trace; 0 for none.
    control : Struct
        The kernel's control block; its field ``progress`` has ``level`` and ``size``.
    **more : Struct
        Control blocks of further kernels, by name.

    Attributes
    ----------
    memory : dict of str to int
        Bytes on the device: `warpath.algorithms.common.stats.Stats.memory`.
    """

    def __init__(self, rows: int, control: Struct, **more: Struct) -> None:
        self.rows = rows
        self.memory: dict[str, int] = {}
        self._control = control
        self._layout = _layout(rows, ("control", control), *more.items())
        self._memory = runtime.current().allocate(self._layout.nbytes)
        self._at = self._layout.at(self._memory.address)
        self._memory.clear(0, self._layout.begin["trace"])  # the control blocks

    def address(self, name: str = "control") -> int:
        """Where a control block, or the ``"trace"``, lies."""
        return self._at[name]

    @property
    def trace(self) -> bytes:
        """The trace as kernels take it: ``TraceRows`` of engine/trace.cuh."""
        return TRACE_ROWS(first=self.address("trace"), count=max(self.rows, 1))

    def clear_barrier(self) -> None:
        """Zero the count of the grid barrier, as each launch needs it."""
        self._memory.clear(0, _BARRIER_BYTES)

    def control(self) -> Any:
        """The control block as the last launch left it; waits for that."""
        return self._memory.fetch(0, self._control.nbytes).view(self._control.dtype)[0]

    def progress(self) -> tuple[int, int]:
        """(level, frontier size) that the last launch left; waits for it."""
        progress = self.control()["progress"]
        return int(progress["level"]), int(progress["size"])

    @cached_property
    def _first(self) -> NDArray[np.uint8]:
        """The control blocks as the run left them, and the first rows."""
        rows = min(self.rows, _FIRST_ROWS)
        return self._memory.fetch(0, self._layout.begin["trace"] + rows * TRACE_ROW.nbytes)

    @cached_property
    def final_progress(self) -> Any:
        """The control block's ``progress`` as the run left it."""
        return self._first[: self._control.nbytes].view(self._control.dtype)[0]["progress"]

    @property
    def iterations(self) -> int:
        """How many iterations ran."""
        return int(self.final_progress["level"])

    @property
    def _written(self) -> int:
        """Rows that the run has written."""
        return min(self.iterations, self.rows)

    @cached_property
    def _table(self) -> NDArray[Any]:
        begin, rows = self._layout.begin["trace"], self._written
        end = begin + rows * TRACE_ROW.nbytes
        raw = self._first[begin:end] if rows <= _FIRST_ROWS else self._memory.fetch(begin, end)
        return raw.view(TRACE_ROW.dtype)

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
        return tuple(_DIRECTIONS[code] for code in self._table["direction"])

    @property
    def mode(self) -> tuple[str, ...]:
        """``"block"``, ``"cluster"`` or ``"grid"``: what ran each iteration."""
        return tuple(_MODES[code] for code in self._table["mode"])

    @property
    def balance(self) -> tuple[str, ...]:
        """The technique of each iteration; empty for bottom-up ones."""
        return tuple(_BALANCES[code] for code in self._table["balance"])
