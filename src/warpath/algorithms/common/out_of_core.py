"""Plans of calls on a GPU, which run out of core where the graph does not fit its memory."""

from collections.abc import Callable
from dataclasses import replace

from warpath import devices
from warpath.graph.graph import Graph
from warpath.planning.placement import Placement
from warpath.planning.plan import Plan


def planned(graph: Graph, place: Placement, plan: Callable[[Placement], Plan]) -> Plan:
    """The plan of a call, with the graph's arcs where they fit.

    Parameters
    ----------
    graph : Graph
    place : Placement
        Where the call runs.
    plan : callable
        Takes a place.
    """
    made = plan(place)
    if place.device == "cpu" or devices.missing() is not None:
        return made
    from warpath.cuda.device_graph import out_of_core_reason

    why = out_of_core_reason(graph, sum(made.memory.values()))
    if not why:
        return made
    return replace(plan(place._replace(out_of_core=True)), where=f"{made.where}; {why}")
