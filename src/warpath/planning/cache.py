"""Plans are kept with their graph, so that a small graph is planned once."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from warpath.graph.graph import Graph

P = ParamSpec("P")
T = TypeVar("T")

_KEY = ("plans",)
_MOST = 64  # then they are forgotten: a guess


def planned(graph: Graph, key: Hashable, make: Callable[[], T]) -> T:
    """What ``make`` gave for this key, which must not refer to the graph."""
    plans = graph.derived.get(_KEY)
    if plans is None:
        plans = graph.derived.setdefault(_KEY, {})
    found = plans.get(key)
    if found is None:
        if len(plans) >= _MOST:
            plans.clear()
        found = plans[key] = make()
    return found  # type: ignore[no-any-return]


def kept(plan: Callable[Concatenate[Graph, P], T]) -> Callable[Concatenate[Graph, P], T]:
    """Let a function of a graph be called once for the same arguments, if all are positional."""

    @wraps(plan)
    def call(graph: Graph, /, *args: P.args, **options: P.kwargs) -> T:
        if options:
            return plan(graph, *args, **options)
        key = plan.__name__, *args
        return planned(graph, key, lambda: plan(graph, *args, **options))

    return call
