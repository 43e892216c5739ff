"""The methods of `warpath.sssp`: what each is."""

from dataclasses import dataclass

from warpath.typing import BuildDeviceName


@dataclass(frozen=True)
class Method:
    """What a method is, and what it can do.

    Attributes
    ----------
    about : str
    devices : tuple of str
        The engines that have it: ``"cpu"``, ``"cuda"``.
    negative : bool
        Whether it takes negative weights.
    has_delta : bool
        Whether ``delta`` is one of its knobs.
    only_adds : bool
        Whether it is for sums of weights alone.
    """

    about: str
    devices: tuple[BuildDeviceName, ...]
    negative: bool = False
    has_delta: bool = False
    only_adds: bool = False


_CPU: tuple[BuildDeviceName, ...] = ("cpu",)
_CUDA: tuple[BuildDeviceName, ...] = ("cuda",)
_BOTH: tuple[BuildDeviceName, ...] = ("cpu", "cuda")

METHODS = {
    "auto": Method("the best for the weights and the device", _BOTH, negative=True, has_delta=True),
    "delta-stepping": Method(
        "buckets of distances, parallel (Meyer & Sanders)", _BOTH, has_delta=True
    ),
    "dijkstra": Method("an indexed 4-ary heap, one thread", _CPU),
    "bellman-ford": Method("frontiers, parallel (H-BF, algorithm 3)", _CPU, negative=True),
    "near-far": Method("a near queue and a far pile (Davidson et al.)", _CUDA, has_delta=True),
    "bucketing": Method("buckets by sorting (Davidson et al.)", _CUDA, has_delta=True),
    "parallel-dijkstra": Method(
        "all vertices that are final at once (Martín et al.; Ortega-Arranz et al.)",
        _CUDA,
        only_adds=True,
    ),
    "workfront-sweep": Method("frontiers, parallel (Davidson et al.)", _CUDA, negative=True),
    "h-bf": Method(
        "frontiers, distance and iteration in one word (Busato & Bombieri)", _CUDA, negative=True
    ),
    "bellman-ford-queueless": Method(
        "every arc in every iteration, parallel", _BOTH, negative=True
    ),
    "sequential-bellman-ford": Method(
        "a first-in-first-out queue, one thread", _CPU, negative=True
    ),
}
