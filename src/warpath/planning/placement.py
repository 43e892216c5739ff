"""Where a call runs: on the CPU or on a GPU."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from warpath import devices as gpus
from warpath.errors import DeviceUnavailableError
from warpath.graph.graph import Graph
from warpath.planning.degrees import is_sparse
from warpath.schedule import Schedule
from warpath.typing import BuildDeviceName, DeviceName

T = TypeVar("T")

# What ``device="auto"`` copies to a GPU: guesses.
_MANY_ARCS = 2**22
_MANY_MATRIX_VERTICES = 2048  # of all pairs, whose work grows faster than the arcs


def only_on_gpus(device: str, schedule: Schedule) -> str:
    """What a schedule says that only a GPU has, as a message names it; or "".

    Raises
    ------
    ValueError
        ``device="cpu"`` with any of it.
    """
    needs = schedule.only_on_gpus
    if needs and device == "cpu":
        raise ValueError(f"{needs.split(', ')[0]} is for device='cuda', not 'cpu'")
    return needs


class Placement(NamedTuple):
    """Where a call runs.

    Attributes
    ----------
    device : {"cpu", "cuda"}
    why : str
    out_of_core : bool
        Whether a GPU reads the graph's arcs from the host's memory.
    devices : tuple of int
        CUDA's numbers of several GPUs, each of which has a part of the graph; () where one has all of it.
    """

    device: BuildDeviceName
    why: str
    out_of_core: bool = False
    devices: tuple[int, ...] = ()


def choose_place(
    graph: Graph,
    device: DeviceName,
    needs: str = "",
    devices: int | Sequence[int] | None = None,
) -> Placement:
    """Where a traversal runs.

    Parameters
    ----------
    graph : Graph
    device : {"auto", "cpu", "cuda"}
        As the caller gave it.
    needs : str
        What of the call only a GPU has, as `only_on_gpus` names it.
    devices : int or sequence of int, optional
        Several GPUs, as the caller named them.

    Raises
    ------
    ValueError, TypeError
        Devices that are not there, or ``device="cpu"`` with some.
    DeviceUnavailableError
        If there is any of it and no GPU: the CPU would ignore it.
    """
    if devices is not None:
        if device == "cpu":
            raise ValueError(f"device='cpu' and devices={devices!r}, which are GPUs")
        return Placement("cuda", "as asked", devices=gpus.named(devices))
    if device != "auto":
        return Placement(device, "as asked")
    if needs:
        why = gpus.missing()
        if why is not None:
            raise DeviceUnavailableError(f"only a GPU has {needs}: {why}")
        return Placement("cuda", f"only a GPU has {needs}")
    if graph.device == "cuda":
        return _if_there_is_one("the graph is there")
    if graph.num_arcs >= _MANY_ARCS:
        return _if_there_is_one("the graph is large")
    return _SMALL


_SMALL = Placement("cpu", f"fewer than {_MANY_ARCS:,} arcs")


def _if_there_is_one(why: str) -> Placement:
    missing = gpus.missing()
    return Placement("cuda", why) if missing is None else Placement("cpu", missing)


def choose_place_of_all_pairs(graph: Graph, device: DeviceName) -> Placement:
    """Likewise, of a matrix of all distances."""
    if device == "auto" and graph.num_vertices >= _MANY_MATRIX_VERTICES:
        return _if_there_is_one("the matrix is large")
    return choose_place(graph, device)


def choose_place_from_both_ends(graph: Graph, device: DeviceName, needs: str) -> Placement:
    """Likewise, of a breadth-first search from two vertices.

    The two searches meet soon in a graph of small diameter: on R-MAT 18 in 0.04 ms on one core, about
    what a launch takes with its answer's way back. So only what has a large diameter is worth
    copying, as far as the mean degree says it.
    """
    dense = not is_sparse(graph)
    if device == "auto" and dense and not needs and graph.device != "cuda":
        return Placement("cpu", "the searches meet soon in a dense graph")
    return choose_place(graph, device, needs)


def resident_on_gpu(graph: Graph, needs: str = "") -> bool:
    """Whether ``device="auto"`` is a GPU though little is to be done; see `choose_place`."""
    small = not needs and graph.device != "cuda"
    return not small and choose_place(graph, "auto", needs).device == "cuda"


def run_on(
    device: DeviceName,
    place: Placement,
    run: Callable[[Placement], T],
    *,
    cpu_is_able: bool = True,
) -> T:
    """The one place where a call goes to a device, and from a full one to the CPU.

    Parameters
    ----------
    device : {"auto", "cpu", "cuda"}
        As the caller gave it.
    place : Placement
        What it means.
    run : callable
        Takes a place.
    cpu_is_able : bool
        Whether the CPU can do all that was asked for.

    Raises
    ------
    MemoryError
        If the GPU's memory does not suffice, and the CPU may not take over.
    """
    if device != "auto" or place.device == "cpu" or not cpu_is_able:
        return run(place)
    try:
        return run(place)
    except MemoryError:
        return run(Placement("cpu", "the GPU's memory does not suffice"))
