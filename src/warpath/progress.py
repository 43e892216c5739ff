"""Progress bars on a terminal, for work that takes a while."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

_PATIENCE = 1.0  # seconds before a bar appears: work that is done by then shows none


_spinner: Any = None


@contextmanager
def spinning(spinner: Any) -> Iterator[None]:
    """A bar that appears in the block takes the place of ``spinner``, Rich's, as long as it is there."""
    global _spinner
    _spinner = spinner
    try:
        yield
    finally:
        _spinner = None


class Progress:
    """How far some work is; shows nothing where stderr is no terminal.

    Usable in a ``with`` block, at whose end the bar goes.

    Parameters
    ----------
    name : str
        What the bar is of.
    total : int or None
        Steps or bytes of all the work, where that is known.
    unit : {"bytes", "steps"}
        Of bytes the bar shows how many, and how fast; of steps the share in per cent.
    """

    def __init__(self, name: str, total: int | None, unit: str = "bytes") -> None:
        self._name, self._total, self._unit = name, total, unit
        self._done = 0
        self._begin = time.perf_counter()
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
        if self._bar is None and time.perf_counter() - self._begin > _PATIENCE:
            if not sys.stderr.isatty():
                return
            self._bar = self._show()
        if self._bar is not None:
            self._bar.update(0, completed=self._done)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            if _spinner is not None:
                _spinner.start()

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
        )
        bar.add_task(self._name, total=self._total)
        if _spinner is not None:
            _spinner.stop()
        bar.start()
        return bar
