"""A progress bar on a terminal, for reading that takes a while."""

import sys
import time
from typing import Any

_PATIENCE = 1.0  # seconds before a bar appears: a reader that is done by then shows none


class Progress:
    """How many bytes of a file have been read; shows nothing where stderr is no terminal.

    Parameters
    ----------
    name : str
        What the bar is of.
    total : int or None
        Bytes of the whole file, where that is known.
    """

    def __init__(self, name: str, total: int | None) -> None:
        self._name, self._total = name, total
        self._done = 0
        self._begin = time.perf_counter()
        self._bar: Any = None

    def advance(self, size: int) -> None:
        """Say that ``size`` more bytes have been read."""
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

    def _show(self) -> Any:
        from rich import progress
        from rich.console import Console

        bar = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.DownloadColumn(),
            progress.TransferSpeedColumn(),
            progress.TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        bar.add_task(self._name, total=self._total)
        bar.start()
        return bar
