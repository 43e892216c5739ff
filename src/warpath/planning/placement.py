"""Where a call runs: on the CPU or on a GPU."""

from collections.abc import Callable
from typing import TypeVar

from warpath import devices
from warpath.errors import DeviceUnavailableError
from warpath.graph.graph import Graph
from warpath.planning.degrees import SPARSE
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


def should_use_gpu(graph: Graph, needs: str = "") -> bool:
    """Whether ``device="auto"`` is a GPU.

    Parameters
    ----------
    graph : Graph
    needs : str
        What of the call only a GPU has, as `only_on_gpus` names it.

    Raises
    ------
    DeviceUnavailableError
        If there is any and no GPU: the CPU would ignore it.
    """
    if resident_on_gpu(graph, needs):
        return True
    return graph.num_arcs >= _MANY_ARCS and devices.missing() is None


def should_use_gpu_for_all_pairs(graph: Graph) -> bool:
    """Likewise, of a matrix of all distances."""
    many = graph.num_vertices >= _MANY_MATRIX_VERTICES and devices.missing() is None
    return many or should_use_gpu(graph)


def should_use_gpu_from_both_ends(graph: Graph, needs: str) -> bool:
    """Likewise, of a breadth-first search from two vertices.

    The two searches meet soon in a graph of small diameter: on R-MAT 18 in 0.04 ms on one core, about
    what a launch takes with its answer's way back. So only what has a large diameter is worth
    copying, as far as the mean degree says it.
    """
    sparse = graph.num_arcs < SPARSE * graph.num_vertices
    return (bool(needs) or graph.device == "cuda" or sparse) and should_use_gpu(graph, needs)


def resident_on_gpu(graph: Graph, needs: str = "") -> bool:
    """Whether ``device="auto"`` is a GPU though little is to be done; see `should_use_gpu`."""
    if not needs:
        return graph.device == "cuda" and devices.missing() is None
    why = devices.missing()
    if why is not None:
        raise DeviceUnavailableError(f"only a GPU has {needs}: {why}")
    return True


def run_on(
    device: DeviceName,
    run: Callable[[BuildDeviceName], T],
    *,
    gpu: bool = False,
    cpu_is_able: bool = True,
) -> T:
    """The one place where a call goes to a device, and from a full one to the CPU.

    Parameters
    ----------
    device : {"auto", "cpu", "cuda"}
        As the caller gave it.
    run : callable
        Takes ``"cpu"`` or ``"cuda"``.
    gpu : bool
        Whether "auto" is a GPU.
    cpu_is_able : bool
        Whether the CPU can do all that was asked for.

    Raises
    ------
    MemoryError
        If the GPU's memory does not suffice, and the CPU may not take over.
    """
    if device != "auto":
        return run(device)
    if gpu:
        try:
            return run("cuda")
        except MemoryError:
            if not cpu_is_able:
                raise
    return run("cpu")
