"""Threads for calls that run next to each other, and end when their caller is interrupted."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from warpath.parallel import interruption


class Pool(ThreadPoolExecutor):
    """An executor whose ``with`` block, left by an exception, ends the kernels that still run.

    Signal handlers run in the main thread alone: where that waits for others, their kernels know
    nothing of Ctrl-C.
    """

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool | None:
        """Wait for all calls; after an exception for those that run, and these come to an end."""
        if error is None:
            return super().__exit__(kind, error, trace)
        self.shutdown(wait=False, cancel_futures=True)
        with interruption.stopped([thread.ident for thread in self._threads]):
            return super().__exit__(kind, error, trace)
