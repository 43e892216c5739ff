"""Graphs in parts, on several processes and hosts.

`init` joins the ranks that ``mpiexec`` or ``srun`` started. `distribute`, `warpath.read` and
`warpath.generate.rmat` (``distributed=True``) then make a `DistributedGraph`, of which each rank holds
a part, and `warpath.bfs`, `warpath.sssp` and `warpath.connected_components` take it. All ranks run the
same program, and make the same calls with the same arguments. Without `init` there is one rank.
"""

from typing import Any

from warpath.distributed.context import current, use
from warpath.distributed.distribute import distribute
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.paths import DistributedPaths

__all__ = ["DistributedGraph", "DistributedPaths", "distribute", "init", "rank", "size"]


def init(communicator: Any = None) -> None:
    """Join the ranks; each process calls it once, before it makes a distributed graph.

    Parameters
    ----------
    communicator : mpi4py.MPI.Comm, optional
        By default all processes that ``mpiexec`` or ``srun`` started.

    Raises
    ------
    ImportError
        If a launcher started several processes, and there is no mpi4py.
    RuntimeError
        If a launcher started several processes, and mpi4py sees one: it uses another MPI.

    See Also
    --------
    rank : The number of this rank.

    Notes
    -----
    An exception that one rank raises in a call is raised by all. A process that is killed ends the
    others, by its launcher. Start a rank for each core: a rank searches with one thread.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.distributed.init()  # doctest: +SKIP
    >>> g = wp.generate.rmat(20, distributed=True)  # doctest: +SKIP
    """
    from warpath.distributed.mpi import MpiTransport, world

    communicator = world() if communicator is None else communicator
    if communicator is not None:
        use(MpiTransport(communicator))


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
