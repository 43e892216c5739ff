"""Ranks that are processes of MPI."""

import atexit
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.transport import Transport
from warpath.errors import RankFailedError

Array = NDArray[Any]

# What a launcher tells each process: how many it has started.
_SIZES = "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "WORLD_SIZE", "SLURM_NTASKS"


class MpiTransport(Transport):
    """A rank of an MPI communicator.

    Parameters
    ----------
    communicator : mpi4py.MPI.Comm
        It is duplicated, so that its own messages are not mixed with these.
    """

    def __init__(self, communicator: Any) -> None:
        self._communicator = communicator.Dup()
        super().__init__(communicator.Get_rank(), communicator.Get_size())
        atexit.register(self.leave)

    def _swap_headers(self, header: NDArray[np.int64]) -> NDArray[np.int64]:
        received = np.empty_like(header)
        self._call("Alltoall", header, received)
        return received

    def _swap_blocks(self, blocks: Sequence[Array], counts: Sequence[int]) -> list[Array]:
        dtype = blocks[0].dtype
        sent = np.array([block.nbytes for block in blocks])
        if all(
            block is blocks[0] for block in blocks
        ):  # the same for all: it is sent from one place
            data, starts = np.ascontiguousarray(blocks[0]), np.zeros(len(blocks), np.int64)
        else:
            data, starts = np.concatenate(blocks), np.cumsum(sent) - sent
        received = np.empty(sum(counts), dtype)
        taken = np.array(counts) * dtype.itemsize
        self._call(
            "Alltoallv",
            [data.view(np.uint8), sent, starts, _byte()],
            [received.view(np.uint8), taken, np.cumsum(taken) - taken, _byte()],
        )
        return np.split(received, np.cumsum(counts)[:-1])

    def _call(self, name: str, *buffers: Any) -> None:
        from mpi4py import MPI

        try:
            getattr(self._communicator, name)(*buffers)
        except MPI.Exception as error:
            self.broken = RankFailedError(f"MPI lost a rank: {error}")
            raise self.broken from error


def _byte() -> Any:
    from mpi4py import MPI

    return MPI.BYTE


def world() -> Any:
    """MPI's communicator of all processes that a launcher started; None for one process without MPI.

    Raises
    ------
    ImportError
        If there are several, and no mpi4py.
    RuntimeError
        If the launcher's MPI is another one than mpi4py's, or it uses none.
    """
    started = max(
        (int(os.environ[name]) for name in _SIZES if os.environ.get(name, "").isdecimal()),
        default=1,
    )
    try:
        from mpi4py import MPI
    except ImportError:
        if started == 1:
            return None
        raise ImportError(
            f"{started} processes were started, which need MPI: pip install 'warpath[distributed]'"
        ) from None
    if MPI.COMM_WORLD.Get_size() == 1 < started:
        raise RuntimeError(
            f"{started} processes were started, but mpi4py sees one: start them with the mpiexec or srun of "
            f"the MPI that mpi4py uses ({MPI.Get_library_version().splitlines()[0]})"
        )
    return MPI.COMM_WORLD
