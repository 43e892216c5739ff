"""Ranks that ``torchrun`` started, joined by PyTorch's Gloo."""

import atexit
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.peers import Process
from warpath.distributed.transport import Transport

Array = NDArray[Any]


class GlooTransport(Transport):
    """A rank of ``torch.distributed``, in a Gloo group of its own.

    Parameters
    ----------
    timeout : float
        Seconds that a rank waits for others in an exchange.
    """

    def __init__(self, timeout: float) -> None:
        from torch import distributed

        self._torch, within = distributed, timedelta(seconds=timeout)
        if not distributed.is_initialized():
            distributed.init_process_group("gloo", timeout=within)
        self._group = distributed.new_group(backend="gloo", timeout=within)
        processes = [Process.this()] * distributed.get_world_size()
        distributed.all_gather_object(processes, Process.this(), self._group)
        super().__init__(distributed.get_rank(), len(processes), processes, timeout)
        atexit.register(self.leave)

    def _swap_headers(self, header: NDArray[np.uint8]) -> NDArray[np.uint8]:
        received = np.empty_like(header)
        self._all_to_all(received, header)
        return received

    def _swap_blocks(self, blocks: Sequence[Array], counts: Sequence[int]) -> list[Array]:
        dtype = blocks[0].dtype
        received = np.empty(sum(counts), dtype)
        self._all_to_all(
            received.view(np.uint8),
            np.concatenate(blocks).view(np.uint8),
            [count * dtype.itemsize for count in counts],
            [block.nbytes for block in blocks],
        )
        return np.split(received, np.cumsum(counts)[:-1])

    def _all_to_all(self, received: Array, sent: Array, *sizes: list[int]) -> None:
        from torch import from_numpy

        try:
            self._torch.all_to_all_single(
                from_numpy(received), from_numpy(sent), *sizes, group=self._group
            )
        except RuntimeError as error:  # Gloo's for a closed connection and for a timeout
            self.lose(f"torch.distributed lost a rank: {error}")
