"""Functions that take a graph in one piece or in parts: on ranks, or on several GPUs."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

from warpath.distributed.graph import DistributedGraph
from warpath.distributed.multi_gpu import MultiGpuGraph
from warpath.graph.graph import Graph

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R", covariant=True)
S = TypeVar("S", covariant=True)

_IN_PARTS = DistributedGraph, MultiGpuGraph


class OnEither(Protocol[P, R, Q, S]):
    """A function of a `Graph`, and another one of a graph in parts."""

    @overload
    def __call__(self, *args: P.args, **options: P.kwargs) -> R: ...
    @overload
    def __call__(self, *args: Q.args, **options: Q.kwargs) -> S: ...


def or_on_parts(on_parts: Callable[Q, S]) -> Callable[[Callable[P, R]], OnEither[P, R, Q, S]]:
    """Let a function of a graph with ``devices=`` take a graph in parts, too.

    Parameters
    ----------
    on_parts : function
        What it does with a `DistributedGraph`. Its parameters are some of the function's: the others are refused.
    """
    known = signature(on_parts).parameters

    def decorate(function: Callable[P, R]) -> OnEither[P, R, Q, S]:
        form = signature(function)

        @wraps(function)
        def call(*args: Any, **options: Any) -> Any:
            graph = args[0] if args else options.get("graph")
            if isinstance(graph, Graph) or not isinstance(graph, _IN_PARTS):
                return function(*args, **options)
            given = form.bind(*args, **options).arguments
            devices = given.pop("devices", None)
            if isinstance(graph, MultiGpuGraph):
                return function(**given | graph.arguments(devices))  # type: ignore[call-arg]
            for name in given.keys() - known.keys():
                raise ValueError(
                    f"{function.__name__} of a distributed graph takes no {name}: it has {', '.join(known)}"
                )
            if devices is not None:
                raise ValueError(f"devices={devices!r}: the graph is in parts on ranks")
            return on_parts(**given)  # type: ignore[call-arg]

        return cast("OnEither[P, R, Q, S]", call)

    return decorate
