"""Plans are kept with their graph, so that a small graph is planned once."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar


class Keeps(Protocol):
    """A graph, in one piece or in parts."""

    @property
    def derived(self) -> dict[Any, Any]:
        """What functions made of it and keep with it."""


G = TypeVar("G", bound=Keeps)
P = ParamSpec("P")
T = TypeVar("T")

_KEY = ("plans",)
_MOST = 64  # then the oldest is forgotten: a guess


def forget(graph: Keeps) -> None:
    """Plan again, since what plans depend on has changed."""
    graph.derived.pop(_KEY, None)


def kept(plan: Callable[Concatenate[G, P], T]) -> Callable[Concatenate[G, P], T]:
    """Let a function of a graph be called once for the same arguments, if all are positional.

    What it gives must not refer to the graph.
    """

    @wraps(plan)
    def call(graph: G, /, *args: P.args, **options: P.kwargs) -> T:
        if options:
            return plan(graph, *args, **options)
        plans = graph.derived.get(_KEY)
        if plans is None:
            plans = graph.derived.setdefault(_KEY, {})
        key = plan, args
        found = plans.get(key)
        if found is None:
            if len(plans) >= _MOST:
                oldest, *_ = plans
                plans.pop(oldest, None)  # another thread may have done so
            found = plans[key] = plan(graph, *args, **options)
        return found  # type: ignore[no-any-return]

    return call
