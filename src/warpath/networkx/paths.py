"""Dicts of paths whose lists are made when somebody looks at them."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.networkx.graph import BackendGraph

_LATER: Any = object()  # a path that nobody looked at


class LazyPaths(dict[Any, list[Any]]):
    """A dict of paths by node, each walked along the predecessors at the first look.

    Parameters
    ----------
    G : BackendGraph
    vertices : int32 array, shape (k,)
        Those with a path, in the dict's order.
    predecessor : int32 array, shape (n,)
        -1 at the root.
    from_root : bool
        Whether paths begin at the root, or end there.
    """

    def __init__(
        self,
        G: BackendGraph,
        vertices: NDArray[Any],
        predecessor: NDArray[np.int32],
        from_root: bool = True,
    ) -> None:
        super().__init__(dict.fromkeys(G.nodes_of(vertices), _LATER))
        self._graph, self._predecessor, self._from_root = G, predecessor, from_root
        self._parents: list[int] | None = None

    def turned_round(self) -> "LazyPaths":
        """The paths from the other end; no path of these may have been looked at."""
        self._from_root = not self._from_root
        return self

    def _walk(self, node: Any) -> list[Any]:
        if self._parents is None:
            self._parents = self._predecessor.tolist()
        parents, names = self._parents, self._graph.names
        v = self._graph.index[node]
        path = [names[v]]
        while (v := parents[v]) >= 0:
            path.append(names[v])
        if self._from_root:
            path.reverse()
        dict.__setitem__(self, node, path)
        return path

    def __getitem__(self, node: Any) -> list[Any]:
        path = super().__getitem__(node)
        return self._walk(node) if path is _LATER else path

    def get(self, node: Any, default: Any = None) -> Any:
        """As of any dict."""
        return self[node] if node in self else default  # noqa: SIM401 - this is get

    def values(self) -> Any:
        """As of any dict; walks all paths that were not walked yet."""
        self._complete()
        return super().values()

    def items(self) -> Any:
        """As of any dict; walks all paths that were not walked yet."""
        self._complete()
        return super().items()

    def pop(self, node: Any, *default: Any) -> Any:
        """As of any dict."""
        if node in self:
            self[node]
        return super().pop(node, *default)

    def popitem(self) -> Any:
        """As of any dict."""
        self._complete()
        return super().popitem()

    def setdefault(self, node: Any, default: Any = None) -> Any:
        """As of any dict."""
        if node in self:
            return self[node]
        return super().setdefault(node, default)

    def copy(self) -> dict[Any, list[Any]]:
        """A plain dict."""
        return dict(self.items())

    def _complete(self) -> None:
        for node, path in list(super().items()):
            if path is _LATER:
                self._walk(node)

    def __iter__(self) -> Iterator[Any]:
        return super().__iter__()  # that of a subclass: dict(paths) then asks for each value

    def __eq__(self, other: object) -> bool:
        self._complete()
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __or__(self, other: Any) -> Any:
        return self.copy() | other

    def __ror__(self, other: Any) -> Any:
        return other | self.copy()

    def __repr__(self) -> str:
        return repr(self.copy())

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return dict, (self.copy(),)

    def __copy__(self) -> dict[Any, list[Any]]:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[Any, list[Any]]:
        from copy import deepcopy

        return deepcopy(self.copy(), memo)
