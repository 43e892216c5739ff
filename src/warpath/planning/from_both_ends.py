"""How a breadth-first search from both ends runs."""

import numpy as np

from warpath.graph.graph import Graph
from warpath.planning.cache import kept
from warpath.planning.fitted_balance import fitted
from warpath.planning.placement import Placement
from warpath.planning.plan import Plan, plan_for
from warpath.planning.small_frontiers import of_levels
from warpath.schedule import Schedule

METHOD = "bidirectional-bfs"
_VERTEX_BYTES = {"cpu": 12, "cuda": 29}  # of the search, with 64-bit offsets (`warpath.cuda.st`)
_INT32 = np.dtype(np.int32)


@kept
def plan_from_both_ends(
    graph: Graph, search: str, schedule: Schedule, place: Placement, why: str
) -> Plan:
    """The plan of a search from both ends, by a call of ``search``; ``why`` it is one."""
    how = Schedule()
    if place.device == "cuda":
        how = Schedule(
            balance=fitted(schedule.technique, graph, out_of_core=place.out_of_core),
            small_frontiers=schedule.small_frontiers or of_levels(graph),
            loop=schedule.loop,
        ).with_loop()
    return plan_for(
        graph, search, place, METHOD, why, _INT32,
        answer=0, workspace=_VERTEX_BYTES[place.device] * graph.num_vertices, schedule=how,
        reads_reverse=True, reads_weights=False,
    )  # fmt: skip
