"""Graphs in parts: on several processes and hosts, or on several GPUs of one process.

`init` joins the ranks that ``mpiexec``, ``srun`` or ``torchrun`` started. `distribute`, `warpath.read` and
`warpath.generate.rmat` (``distributed=True``) then make a `DistributedGraph`, of which each rank holds
a part, and `warpath.bfs`, `warpath.sssp` and `warpath.connected_components` take it. All ranks run the
same program, and make the same calls with the same arguments. Without `init` there is one rank.

`warpath.distribute` makes a `MultiGpuGraph`, with a part on each of several GPUs of one process.
"""

from typing import Any

from warpath.distributed.context import alone, check_not_joined, current, use
from warpath.distributed.distribute import distribute
from warpath.distributed.gpu_exchange import GpuOptions
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.multi_gpu import MultiGpuGraph
from warpath.distributed.paths import DistributedPaths
from warpath.graph.check import as_number, check_flags, choose
from warpath.parallel.thread_count import use_if_not_chosen
from warpath.typing import GPU_EXCHANGES, GpuExchangeName

__all__ = [
    "DistributedGraph",
    "DistributedPaths",
    "MultiGpuGraph",
    "distribute",
    "init",
    "rank",
    "size",
]


def init(
    communicator: Any = None,
    *,
    timeout: float = 1800.0,
    gpu_exchange: GpuExchangeName | None = None,
    share_gpus: bool = False,
) -> None:
    """Join the ranks; each process calls it once, in any of its threads, before it makes a distributed graph.

    Parameters
    ----------
    communicator : mpi4py.MPI.Comm, optional
        By default all processes that ``mpiexec``, ``srun`` or ``torchrun`` started. PyTorch's Gloo joins
        torchrun's, MPI the others.
    timeout : float
        Seconds that a rank waits for the others in one exchange. Ranks may compute that long between two.
    gpu_exchange : {"nccl", "host"}, optional
        How arrays travel between the ranks' GPUs: by NCCL (``pip install 'warpath[nccl]'``), or through the host's
        memory. By default a search is one launch on each GPU where these reach each other's memory, on one host, and ranks
        exchange nothing between launches. Else it is NCCL, where all ranks have it and a GPU of their own.
    share_gpus : bool
        Whether several ranks may have the same GPU.

    Raises
    ------
    ModuleNotFoundError
        If a launcher started several processes, and there is no mpi4py, or no PyTorch for torchrun's.
    RuntimeError
        If a launcher started several processes, and mpi4py sees one: it uses another MPI. If this process is already
        one of several ranks, or is to be one and has made distributed graphs.
    ValueError
        If the timeout is no positive number, or ``gpu_exchange`` unknown.

    See Also
    --------
    rank : The number of this rank.

    Notes
    -----
    An exception that one rank raises in a call is raised by all. If the process of a rank is killed, those on its
    host raise a `RankFailedError` in their next exchange, within a second, and end the others; so do those that
    have waited for ``timeout`` seconds.

    Threads of a process are one rank. Their calls are made one after the other, on all ranks in the same order.

    The ranks of a host share its cores: each uses as many threads as its part has cores, unless
    ``WARPATH_NUM_THREADS`` or `warpath.set_num_threads` says a number.

    With ``device="cuda"`` a search runs on GPUs, one for each rank. The first one makes the rank's GPU the current one,
    and raises a `DeviceUnavailableError` on all ranks if one has no GPU of its own.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.distributed.init()  # doctest: +SKIP
    >>> g = wp.generate.rmat(20, distributed=True)  # doctest: +SKIP
    """
    check_flags(share_gpus=share_gpus)
    from warpath.distributed.launchers import transport_of
    from warpath.distributed.peers import threads_of

    seconds = as_number(timeout, "timeout")
    if seconds <= 0:
        raise ValueError(f"timeout must be positive, not {timeout!r}")
    if gpu_exchange is not None:
        choose("gpu_exchange", gpu_exchange, GPU_EXCHANGES)
    check_not_joined()
    transport = transport_of(communicator, seconds) or alone()
    transport.gpu_options = GpuOptions(gpu_exchange, share_gpus)
    use(transport)
    if transport.processes:
        use_if_not_chosen(threads_of(transport.rank, transport.processes))


def rank() -> int:
    """The number of this rank, from 0.

    Returns
    -------
    int
        0 without `init`.

    See Also
    --------
    size : How many ranks there are.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.distributed.rank()
    0
    """
    return current().rank


def size() -> int:
    """How many ranks there are.

    Returns
    -------
    int
        1 without `init`.

    See Also
    --------
    rank : The number of this one.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.distributed.size()
    1
    """
    return current().size
