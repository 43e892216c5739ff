"""Functions that take a graph in one piece, or a `DistributedGraph`."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

from warpath.distributed.graph import DistributedGraph

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R", covariant=True)
S = TypeVar("S", covariant=True)


class OnEither(Protocol[P, R, Q, S]):
    """A function of a `Graph`, and another one of a `DistributedGraph`."""

    @overload
    def __call__(self, *args: P.args, **options: P.kwargs) -> R: ...
    @overload
    def __call__(self, *args: Q.args, **options: Q.kwargs) -> S: ...


def or_on_parts(on_parts: Callable[Q, S]) -> Callable[[Callable[P, R]], OnEither[P, R, Q, S]]:
    """Let a function take a `DistributedGraph`, too.

    Parameters
    ----------
    on_parts : function
        What it does then. Its parameters are some of the function's: the others are refused.
    """
    known = signature(on_parts).parameters

    def decorate(function: Callable[P, R]) -> OnEither[P, R, Q, S]:
        @wraps(function)
        def call(*args: Any, **options: Any) -> Any:
            if not isinstance(args[0] if args else options.get("graph"), DistributedGraph):
                return function(*args, **options)
            given = signature(function).bind(*args, **options).arguments
            for name in given.keys() - known.keys():
                raise ValueError(
                    f"{function.__name__} of a distributed graph takes no {name}: it has {', '.join(known)}"
                )
            return on_parts(**given)  # type: ignore[call-arg]

        return cast("OnEither[P, R, Q, S]", call)

    return decorate
