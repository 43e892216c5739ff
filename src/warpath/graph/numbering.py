"""Numbers of vertices whose names come in batches.

A name gets the next number when it comes for the first time; when all have come, `in_order` says which
numbers they have in the order of the names. So a list of edges needs four bytes for each end from the beginning,
however long its names are.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.check import MAX_VERTICES, object_array
from warpath.graph.mixing import mixed
from warpath.parallel.jit import compiled

Array = NDArray[Any]

_MIN_PLACES = 1 << 10  # of a hash table
_MAX_LOAD = 0.7  # of a hash table's places are taken at most: a guess


class TextNumbers:
    """Numbers of names that are text."""

    def __init__(self) -> None:
        # A name that is looked up for the first time gets the next number.
        self._number = _Counted()

    def of(self, names: list[str]) -> Array:
        """The number of each name: int32 array."""
        return np.fromiter(map(self._number.__getitem__, names), np.int32, len(names))

    def of_column(self, names: Any) -> Array:
        """The number of each name in a Polars column of text: int32 array."""
        import polars as pl

        # Each different name of the column becomes an object of Python's, not each name.
        different = names.unique()
        codes = names.cast(pl.Enum(different)).to_physical()
        numbers: Array = self.of(different.to_list())[codes.to_numpy()]
        return numbers

    def in_order(self) -> tuple[Array, Array]:
        """The names in order, str objects, and for each number that it had its place among them."""
        names = sorted(self._number)
        place = np.empty(len(names), np.int32)
        place[self.of(names)] = np.arange(len(names), dtype=np.int32)
        return object_array(names), place


class _Counted(dict[str, int]):
    """A dictionary that numbers its keys as they are looked up."""

    def __missing__(self, key: str) -> int:
        self[key] = number = len(self)
        return number


class IntegerNumbers:
    """Numbers of names that are integers of 64 bits."""

    def __init__(self) -> None:
        self._names = np.empty(_MIN_PLACES // 2, np.int64)
        self._places = np.full(_MIN_PLACES, -1, np.int32)
        self._count = 0

    def of(self, names: Array) -> Array:
        """The number of each name: int32 array.

        Raises
        ------
        OverflowError
            If they are more than a graph may have vertices.
        """
        names = np.ascontiguousarray(names, np.int64)
        numbers = np.empty(len(names), np.int32)
        done = 0
        while True:
            done, self._count = _number(
                names, done, self._names, self._count, self._places, numbers
            )
            if done == len(names):
                return numbers
            self._grow()

    def in_order(self) -> tuple[Array, Array]:
        """The names in order, int64, and for each number that it had its place among them."""
        names = self._names[: self._count]
        order = np.argsort(names)
        place = np.empty(len(names), np.int32)
        place[order] = np.arange(len(names), dtype=np.int32)
        return names[order], place

    def _grow(self) -> None:
        """Twice as many places."""
        if self._count == MAX_VERTICES:
            raise OverflowError(f"there are more than {MAX_VERTICES} vertices")
        places = 2 * len(self._places)
        self._places = np.full(places, -1, np.int32)
        room = min(int(_MAX_LOAD * places), MAX_VERTICES)
        self._names = np.concatenate(
            [self._names[: self._count], np.empty(room - self._count, np.int64)]
        )
        _rehash(self._names, self._count, self._places)


@compiled
def _place_of(name, names, places):  # type: ignore[no-untyped-def]
    """The place that holds the number of a name, or else where it may stand: linear probing."""
    mask = np.uint64(places.shape[0] - 1)
    place = mixed(np.uint64(name)) & mask
    while places[place] >= 0 and names[places[place]] != name:
        place = (place + np.uint64(1)) & mask
    return place


@compiled
def _number(given, begin, names, count, places, numbers):  # type: ignore[no-untyped-def]
    """Number names from ``begin`` until there is no room for another one."""
    for i in range(begin, given.shape[0]):
        place = _place_of(given[i], names, places)
        number = places[place]
        if number < 0:
            if count == names.shape[0]:
                return i, count
            number = count
            names[number] = given[i]
            places[place] = number
            count += 1
        numbers[i] = number
    return given.shape[0], count


@compiled
def _rehash(names, count, places):  # type: ignore[no-untyped-def]
    for number in range(count):
        places[_place_of(names[number], names, places)] = number
