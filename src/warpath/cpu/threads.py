"""How many threads a graph is worth."""

from warpath.graph.graph import Graph
from warpath.parallel import team

# Waking a team takes some 90 µs; below this many arcs one thread is done by then.
_EDGES_PER_THREAD = 16384  # a guess


def threads_for(graph: Graph) -> int:
    """The size of a team for one traversal of ``graph``."""
    return max(1, min(team.num_threads(), graph.num_arcs // _EDGES_PER_THREAD))
