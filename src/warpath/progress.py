"""Progress of work that takes a while: a bar on a terminal, lines of text elsewhere if they are wanted."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

_DELAY = 1.0  # seconds before a bar appears: work that is done by then shows none
# A bar is drawn when the work says how far it is, at most so often: a thread that draws it would
# take time from kernels.
_SECONDS_PER_DRAWING = 0.1
_SECONDS_PER_LINE = 5.0
_MEGABYTE = 1e6

_wanted: bool | None = None
# What is drawn now, the last of them on the screen: Rich's status, bars, or anything with `stop` and `start`.
_displays: list[Any] = []


def show_progress(show: bool | None) -> None:
    """Choose whether long work says how far it is: reading, writing, generating, building, `advise`.

    Parameters
    ----------
    show : bool or None
        None, the default: a bar appears when work has taken a second, if stderr is a terminal.
        True: where stderr is no terminal (a notebook, a log file), a line every five seconds.
        False: never.

    Raises
    ------
    ValueError
        If it is neither.

    See Also
    --------
    read : Reads a graph, and shows how far it is.

    Notes
    -----
    It holds for the process. Functions with a parameter ``progress``, as `warpath.apsp`, call what they are
    given instead.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.show_progress(False)
    >>> g = wp.generate.rmat(10)  # as quiet on a terminal as elsewhere
    >>> wp.show_progress(None)
    """
    global _wanted
    if show is not None and not isinstance(show, bool):
        raise ValueError(f"show must be True, False or None, not {show!r}")
    _wanted = show


@contextmanager
def displaying(display: Any) -> Iterator[None]:
    """A bar that appears in the block takes the place of ``display``, Rich's, as long as it is there."""
    _displays.append(display)
    try:
        yield
    finally:
        _displays.remove(display)


class Progress:
    """How far some work is; see `show_progress` for where it is shown.

    Usable in a ``with`` block, at whose end the bar goes. A bar that appears within another one's block
    takes its place until it goes.

    Parameters
    ----------
    name : str
        What the bar is of.
    total : int or None
        Steps or bytes of all the work, where that is known.
    unit : {"bytes", "steps"}
        For bytes the bar shows how many, and how fast; for steps the share in per cent.
    """

    def __init__(self, name: str, total: int | None, unit: str = "bytes") -> None:
        self._name, self._total, self._unit = name, total, unit
        self._done = 0
        self._begin = time.perf_counter()
        self._shown = 0.0  # when it last was
        self._bar: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def advance(self, size: int) -> None:
        """Say that ``size`` more bytes or steps are done."""
        self._done += size
        now = time.perf_counter()
        if now - self._begin <= _DELAY or _wanted is False:
            return
        if not sys.stderr.isatty():
            if _wanted and now - self._shown >= _SECONDS_PER_LINE:
                self._shown = now
                print(f"warpath: {self._name}: {self._said()}", file=sys.stderr, flush=True)
            return
        if self._bar is None:
            self._bar = self._show()
        if now - self._shown >= _SECONDS_PER_DRAWING:
            self._shown = now
            self._bar.update(0, completed=self._done, refresh=True)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is None:
            return
        self._bar.stop()
        on_screen = _displays[-1] is self._bar
        _displays.remove(self._bar)
        self._bar = None
        if on_screen and _displays:
            _displays[-1].start()

    def _said(self) -> str:
        if self._unit == "steps":
            return f"{self._done / self._total:.0%}" if self._total else f"{self._done:,}"
        size = f"{self._done / _MEGABYTE:,.1f}"
        return f"{size} of {self._total / _MEGABYTE:,.1f} MB" if self._total else f"{size} MB"

    def _show(self) -> Any:
        from rich import progress
        from rich.console import Console

        said = (
            (progress.DownloadColumn(), progress.TransferSpeedColumn())
            if self._unit == "bytes"
            else (progress.TaskProgressColumn(),)
        )
        bar = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            *said,
            progress.TimeRemainingColumn(),
            console=Console(file=sys.stderr),
            transient=True,
            auto_refresh=False,
        )
        bar.add_task(self._name, total=self._total)
        if _displays:
            _displays[-1].stop()
        _displays.append(bar)
        bar.start()
        return bar
