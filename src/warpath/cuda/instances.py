"""Which instances of the kernel templates Python asks for."""

from warpath.balance import Technique

THREADS = 512  # a block; two of them, of 64 registers a thread, fill a multiprocessor's registers


def bfs_kernel(offset_bytes: int, balance: Technique, predecessors: bool, trace: bool) -> str:
    """The kernel of ``bfs.cuh``, as C++ names it.

    Parameters
    ----------
    offset_bytes : {4, 8}
        Size of a row offset.
    predecessors, trace : bool
        Whether it keeps them.
    """
    arguments = (
        "unsigned" if offset_bytes == 4 else "unsigned long long",
        f"warpath::{balance.kernel}",
        str(predecessors).lower(),
        str(trace).lower(),
        str(THREADS),
    )
    return f"warpath::bfs<{', '.join(arguments)}>"
