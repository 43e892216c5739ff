"""Which ranks a launcher has started, and what joins them."""

import os
from importlib.util import find_spec
from typing import Any

from warpath.distributed.gloo import GlooTransport
from warpath.distributed.mpi import MpiTransport
from warpath.distributed.transport import Transport

# How many processes a launcher has started: Open MPI's, MPICH's and others', Slurm's (SLURM_NTASKS is set outside of srun, too).
_SIZES = "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"
# What torchrun tells each of its own.
_TORCHRUN = "RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"


def transport_of(communicator: Any, timeout: float) -> Transport | None:
    """What joins the ranks of a communicator, or those that a launcher has started; None for one process.

    Raises
    ------
    ModuleNotFoundError
        If there are several, and no PyTorch for torchrun's, no mpi4py or no MPI for others'.
    TypeError, ValueError
        If the communicator is none, or this process is not in it.
    RuntimeError
        If the launcher's MPI is another one than mpi4py's, or it uses none.
    """
    if communicator is not None:
        return MpiTransport(_checked(communicator), timeout)
    started = _started_by_mpi()
    by_torchrun = started == 1 or "TORCHELASTIC_RUN_ID" in os.environ  # srun may start torchrun
    if by_torchrun and all(name in os.environ for name in _TORCHRUN):
        if find_spec("torch") is None:
            raise ModuleNotFoundError(
                f"torchrun started {_number('WORLD_SIZE')} processes, which PyTorch joins: pip install torch"
            )
        return GlooTransport(timeout)
    if find_spec("mpi4py") is None:
        if started == 1:
            return None
        raise ModuleNotFoundError(
            f"{started} processes were started, which MPI joins: pip install 'warpath[distributed]'"
        )
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:  # there is no library of MPI
        if started == 1:
            return None
        raise ModuleNotFoundError(
            f"{started} processes were started, and mpi4py has no MPI: pip install mpich"
        ) from error
    if not MPI.Is_initialized():
        MPI.Init_thread()
    if MPI.COMM_WORLD.Get_size() == 1 < started:
        raise RuntimeError(
            f"{started} processes were started, but mpi4py sees one: start them with the mpiexec or srun of "
            f"the MPI that mpi4py uses ({MPI.Get_library_version().splitlines()[0]})"
        )
    return MpiTransport(MPI.COMM_WORLD, timeout)


def started() -> int:
    """How many processes a launcher has started, this one among them."""
    by_torchrun = all(name in os.environ for name in _TORCHRUN)
    return max(_started_by_mpi(), _number("WORLD_SIZE") if by_torchrun else 1)


def _started_by_mpi() -> int:
    return max(_number(name) for name in _SIZES)


def _checked(communicator: Any) -> Any:
    if not hasattr(communicator, "Dup"):
        raise TypeError(f"init takes a communicator of mpi4py, not {communicator!r}")
    if not communicator:
        raise ValueError("init takes a communicator that has this process, not MPI.COMM_NULL")
    return communicator


def _number(name: str) -> int:
    value = os.environ.get(name, "")
    return int(value) if value.isdecimal() else 1
