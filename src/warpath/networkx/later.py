"""A dict that is made when somebody looks at it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

_UNMADE = object()  # C code that asks for the length alone shall not take it for an empty dict
_WAYS = (
    "__contains__", "__delitem__", "__eq__", "__getitem__", "__ior__", "__iter__", "__len__",
    "__ne__", "__or__", "__repr__", "__reversed__", "__ror__", "__setitem__", "clear", "copy",
    "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values",
)  # fmt: skip


class Made(dict[Any, Any]):
    """What `Later` becomes: a dict like any other."""

    __slots__ = ("_make",)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return dict, (dict(self),)


class Later(dict[Any, Any]):
    """A dict whose items are made at the first look, in any of the ways to look at a dict.

    Filling a dict of distances takes several times as long as finding them, and ten times the
    memory; of all pairs' few rows may ever be looked at.

    Parameters
    ----------
    make : callable
        Returns the items, a dict.
    """

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[], dict[Any, Any]]) -> None:
        super().__init__({_UNMADE: None})
        self._make = make

    def _made(self) -> Made:
        items = self._make()
        dict.clear(self)
        dict.update(self, items)
        del self._make
        self.__class__ = Made  # type: ignore[assignment]
        return self  # type: ignore[return-value]

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return dict, (dict(self._made()),)


def _looking(name: str) -> Callable[..., Any]:
    @wraps(getattr(dict, name))
    def look(self: Later, *args: Any, **kwargs: Any) -> Any:
        return getattr(self._made(), name)(*args, **kwargs)

    return look


for _way in _WAYS:
    setattr(Later, _way, _looking(_way))
