"""How many threads a graph is worth."""

from warpath.graph.graph import Graph
from warpath.parallel import team

# Waking a team takes some 90 µs; below this many arcs one thread is done by then.
_EDGES_PER_THREAD = 16384  # a guess


def threads_for(graph: Graph, searches: int | None = None) -> int:
    """The number of threads of one traversal of ``graph``, or of several that run side by side.

    Parameters
    ----------
    graph : Graph
    searches : int, optional
        As many as threads or more run side by side, a thread each; fewer one after the other.
    """
    threads = graph.num_arcs // _EDGES_PER_THREAD
    if threads <= 1 and searches is None:
        return 1
    most = team.num_threads()
    if searches is not None and searches >= most:
        return most
    return max(1, min(most, threads))


def threads_for_matrix(n: int) -> int:
    """The size of a team for a matrix: below 128 vertices one thread is done in a millisecond."""
    return team.num_threads() if n >= 128 else 1
