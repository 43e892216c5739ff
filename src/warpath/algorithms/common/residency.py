"""Where the arcs lie in a call on GPUs: on one, on several if they do not fit one, else in the host's memory."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from warpath import devices
from warpath.distributed.multi_gpu import is_cut
from warpath.graph.graph import Graph
from warpath.planning.placement import Placement
from warpath.planning.plan import Plan


def planned(
    graph: Graph, place: Placement, plan: Callable[[Placement], Plan], one_gpu: Callable[[], str]
) -> Plan:
    """The plan of a call, with the graph's arcs where they fit.

    Parameters
    ----------
    graph : Graph
    place : Placement
        Where the call runs.
    plan : callable
        Takes a place.
    one_gpu : callable
        Says why several GPUs cannot answer the call, as `refused_on_several`; "" if they can.

    Raises
    ------
    ValueError
        If the place has several GPUs, and these cannot answer the call.
    """
    if place.devices and (refused := one_gpu()):
        raise ValueError(f"devices={list(place.devices)}: on several GPUs {refused}")
    made = plan(place)
    if place.device == "cpu" or place.devices or devices.missing() is not None:
        return made
    from warpath.cuda.device_graph import does_not_fit

    why = does_not_fit(graph, sum(made.memory.values()))
    if not why:
        return made
    several: tuple[int, ...] = ()
    if len(devices.devices()) > 1:
        if refused := one_gpu():
            why += f"; on several GPUs {refused}"
        else:
            several = _that_hold_it(graph, place, plan)
    if several:
        place, where = place._replace(devices=several), f"on {len(several)} GPUs"
    else:
        place, where = place._replace(out_of_core=True), "out of core"
    return replace(plan(place), where=f"{made.where}; {where}: {why}")


def refused_on_several(search: str, given: Mapping[str, bool]) -> str:
    """Why several GPUs cannot answer a call; "" if they can.

    Parameters
    ----------
    given : dict of str to bool
        What they do not have, and whether the call asks for it.
    """
    name = next((name for name, is_given in given.items() if is_given), "")
    return f"{search} takes no {name}" if name else ""


def _that_hold_it(
    graph: Graph, place: Placement, plan: Callable[[Placement], Plan]
) -> tuple[int, ...]:
    """The fewest GPUs that hold the graph's parts and a search of them; () if all do not.

    What was cut before stays so, as what was pinned does.
    """
    import cupy

    from warpath.cuda.device_graph import room_for

    there = devices.in_order()
    choices = [tuple(there[:count]) for count in range(2, len(there) + 1)]
    for choice in choices:
        if is_cut(graph, choice):
            return choice
    room = []
    for number in there:
        with cupy.cuda.Device(number):
            room.append(room_for(graph))
    for choice in choices:
        parts = plan(place._replace(devices=choice)).parts
        taken = [sum(part.memory.values()) for part in parts]
        if all(need <= space for need, space in zip(taken, room, strict=False)):
            return choice
    return ()
