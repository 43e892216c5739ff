"""What the backend has: each function, what it can run, and when it is faster."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, NamedTuple, TypeVar

from warpath.networkx.graph import NAME, BackendGraph

Function = TypeVar("Function", bound=Callable[..., Any])
CanRun = Callable[..., "bool | str"]


_AS_FAST = "NetworkX is as fast on a graph of this size"
_LIMITS = ("cutoff", "depth_limit")


class WorthIt(NamedTuple):
    """From how many nodes on warpath is faster than NetworkX; None: never.

    Attributes
    ----------
    fresh : int or None
        In a graph that has to be converted first.
    cached : int or None
        In a graph whose conversion is cached.
    """

    fresh: int | None
    cached: int | None


# Measured by `benchmarks/vs_networkx.py worth`, Zen 5, 2026-11: 2 to 20 edges per node.
NEVER = WorthIt(None, None)
BREADTH_FIRST = WorthIt(None, 500)
DIJKSTRA = WorthIt(2000, 300)
TO_TARGET = WorthIt(None, 500)  # where NetworkX's search stops
BELLMAN_FORD = WorthIt(1000, 100)
TIES = WorthIt(3000, 1000)
FROM_EACH = WorthIt(50, 50)  # a number per node
ALL_PAIRS = WorthIt(100, 100)  # dicts of all pairs, which take most of the time
COMPONENTS = WorthIt(None, 1000)
COUNT_COMPONENTS = WorthIt(30_000, 1000)
SPANNING_TREE = WorthIt(500, 150)
# Likewise, while other programs ran: rounded up.
PAGERANK = WorthIt(None, 3000)
TRIANGLES = WorthIt(1000, 500)
CLUSTERING = WorthIt(500, 300)
CORES = WorthIt(10_000, 3000)
INDEPENDENT_SET = WorthIt(10_000, 3000)


@dataclass(frozen=True)
class Entry:
    """A function of the backend.

    Attributes
    ----------
    function : callable
    can_run : callable
        Takes the function's arguments; False, or why not, where NetworkX's own must run.
    worth_it : callable
        Takes the function's arguments; a `WorthIt`.
    """

    function: Callable[..., Any]
    can_run: CanRun
    worth_it: Callable[..., WorthIt]

    @cached_property
    def _limits(self) -> dict[str, int]:
        """Parameters that let NetworkX stop early, and where they stand."""
        names = list(inspect.signature(self.function).parameters)
        return {name: names.index(name) for name in _LIMITS if name in names}

    def is_limited(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether a call says how far to search at most."""
        return any(
            (args[place] if place < len(args) else kwargs.get(name)) is not None
            for name, place in self._limits.items()
        )


FUNCTIONS: dict[str, Entry] = {}


def always(*args: Any, **kwargs: Any) -> bool:
    """Whatever the arguments."""
    return True


def started(function: Function) -> Function:
    """A generator function that declines a call when it is called, not when it is asked for more.

    It runs up to its first item at once: NetworkX can run its own function in place of this one only
    as long as it has no answer. Other exceptions come where NetworkX raises them, with the first item.
    """

    @wraps(function)
    def start(*args: Any, **kwargs: Any) -> Iterator[Any]:
        items = function(*args, **kwargs)
        try:
            first = next(items)
        except NotImplementedError:
            raise
        except StopIteration:
            return _resumed()
        except Exception as error:
            return _resumed(error=error)
        return _resumed(first, items)

    return start  # type: ignore[return-value]


def _resumed(*items: Any, error: Exception | None = None) -> Iterator[Any]:
    if error is not None:
        raise error
    if items:
        yield items[0]
        yield from items[1]


def implements(
    worth_it: WorthIt | Callable[..., WorthIt], *, can_run: CanRun = always
) -> Callable[[Function], Function]:
    """Enter a function, under NetworkX's name for it.

    Parameters
    ----------
    worth_it : WorthIt or callable
        A callable if it depends on the arguments: see `Entry`.
    can_run : callable
        See `Entry`.
    """
    by_arguments = (lambda *args, **kwargs: worth_it) if isinstance(worth_it, WorthIt) else worth_it

    def enter(function: Function) -> Function:
        if inspect.isgeneratorfunction(function):
            function = started(function)
        FUNCTIONS[function.__name__] = Entry(function, can_run, by_arguments)
        return function

    return enter


def unless_given(argument: str, every: WorthIt, some: WorthIt) -> Callable[..., WorthIt]:
    """The one for calls without the argument behind the graph, or the other."""

    def choose(G: Any, *args: Any, **kwargs: Any) -> WorthIt:
        return every if (args[0] if args else kwargs.get(argument)) is None else some

    return choose


def is_cached(G: Any) -> bool:
    """Whether a conversion of a graph is in its cache, or it needs none."""
    if isinstance(G, BackendGraph):
        return True
    cache = getattr(G, "__networkx_cache__", None) or {}
    kept = cache.get("backends", {}).get(NAME, {})
    return any(isinstance(converted, BackendGraph) for converted in kept.values())


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """NetworkX's question whether a call can be run; a string says why it cannot."""
    return FUNCTIONS[name].can_run(*args, **kwargs)


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """NetworkX's question whether a call is faster here; a string says why not."""
    G = args[0] if args else kwargs.get("G")
    entry = FUNCTIONS[name]
    worth, nodes = entry.worth_it(*args, **kwargs), len(G)  # type: ignore[arg-type]
    # Small graphs first: NetworkX's own functions ask this for each node.
    if worth.cached is None or nodes < worth.cached:
        return _AS_FAST
    if entry.is_limited(args, kwargs):
        return "NetworkX stops at the limit, which may be near"
    large = worth.fresh is not None and nodes >= worth.fresh
    return large or is_cached(G) or _AS_FAST
