"""Stores whose outcome depends on which thread comes last, as far as the text of an operator shows them.

A value *depends* on u, v or w, on an atomic operation ("edge"), or on what stands in an array ("@name"). It does so by
what it is computed from, and by the conditions under which it is assigned. Several edges store to one element at once.
That is no race where all store the same: where the value depends on the element's own vertex alone, and on no array that
the operator writes. Nor is it where all store the same values one after the other, as in a loop. It is none either where
an edge has claimed the element by a compare and swap, which nothing undoes: the operator writes the array that this swaps
nowhere else. A local variable may keep whether it has, and an edge that has not may leave before the store. A thread stores
what it likes in its own part of an array. On vertices that is ``x[v]``, or ``x[v * k + j]`` where j counts to k. On edges,
too, it is ``x[i]`` where i is what an atomic addition to a counter gives.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from warpath.language.source import Source
from warpath.language.tree import (
    Atomic,
    Cast,
    Choice,
    Constant,
    Element,
    Expression,
    Length,
    Operation,
    Variable,
    walk,
)
from warpath.language.types import is_integer

Causes = frozenset[str]
_NOTHING: Causes = frozenset()


@dataclass(frozen=True)
class _Stored:
    """A plain store to an array: where, what, and what it depends on whether it is made."""

    array: str
    place: str  # what threads have in common that store there in the same order, "" if they may not
    value: str
    when: Causes
    claim: str  # by which swap the element was claimed, "" by none
    alone: bool  # whether the place is one where only this thread stores


class Races:
    """What values of one pass depend on.

    Parameters
    ----------
    source : Source
    before : Races, optional
        Those of the pass before: a loop may bring back what it found.

    Attributes
    ----------
    depends : dict of str to frozenset
        What local variables depend on.
    written, often : frozenset of str
        The arrays that are written, and in more than one place.
    atomic : frozenset of tuple
        Atomic operations: the array, the index's part of it, and the index if it is a number.
    changing : frozenset of str
        Local variables that are assigned in a loop, or more than once.
    """

    def __init__(self, source: Source, before: "Races | None" = None) -> None:
        self.on_edges = source.on_edges
        self.vertices = source.vertices
        own = {*source.vertices, *(["w"] if source.takes_weight else [])}
        self.depends: dict[str, Causes] = {name: frozenset([name]) for name in own}
        self.written = self.often = self.changing = _NOTHING
        self.atomic: frozenset[tuple[str, str, str]] = frozenset()
        if before is not None:
            self.depends |= before.depends
            self.written, self.often, self.atomic = before.written, before.often, before.atomic
            self.changing = before.changing
        self._writes: list[Atomic | Element] = []
        self._when: list[Causes] = []
        self._loops: list[str] = []
        self._claimed: list[tuple[str, str]] = []  # index, swap
        self._values: dict[str, Expression] = {}  # of local variables
        self._ends: dict[str, str] = {}  # of counters, from 0
        self._parameters = source.parameters
        self._left = _NOTHING  # what it depends on whether the thread has left before
        self._stored: list[_Stored] = []
        self._assigned: set[str] = set()

    @property
    def known(self) -> tuple[object, ...]:
        """All that the next pass takes over."""
        return self.depends, self.written, self.often, self.atomic, self.changing

    def of(self, *values: Expression) -> Causes:
        """What values depend on; notes the arrays that they write."""
        return _NOTHING.union(*map(self._of, values))

    def _of(self, value: Expression) -> Causes:
        match value:
            case Variable(name=name):
                return self.depends.get(name, _NOTHING)
            case Element(array=array, index=index):
                return self._of(index) | {f"@{array}"}
            case Atomic():
                self._write(value)
                return frozenset(["edge"])
            case Cast(value=inner):
                return self._of(inner)
            case Operation(operands=operands):
                return self.of(*operands)
            case Choice(test=test, first=first, second=second):
                return self.of(test, first, second)
        return _NOTHING

    def _write(self, place: Atomic | Element) -> None:
        """Note a place in the text where an array is written."""
        if any(place is one for one in self._writes):
            return
        if any(place.array == one.array and not _are_same_swap(place, one) for one in self._writes):
            self.often |= {place.array}
        self._writes.append(place)
        if isinstance(place, Atomic):
            self.atomic |= {(place.array, self._part(place.index), _number(place.index))}
        self.written |= {place.array}

    @property
    def has_swap(self) -> bool:
        """Whether a compare and swap stands before."""
        return any(isinstance(one, Atomic) and one.name == "cas" for one in self._writes)

    def assign(self, name: str, *values: Expression) -> None:
        """A local variable gets a value of these."""
        if self._loops or name in self._assigned:
            self.changing |= {name}
        self._assigned.add(name)
        before = self.depends.get(name, _NOTHING)
        self.depends[name] = before | self.of(*values) | self._conditions
        self.forget(name)
        if len(values) == 1 and not _names([name], repr(values[0])):
            self._values[name] = values[0]

    def forget(self, *names: str) -> None:
        """Variables that change, and what was known by their values."""
        self._claimed = [one for one in self._claimed if not _names(names, one[0])]
        self._values = {
            name: value
            for name, value in self._values.items()
            if name not in names and not _names(names, repr(value))
        }
        self._ends = {name: end for name, end in self._ends.items() if name not in names}

    def count(self, name: str, stop: Expression) -> None:
        """From here a variable is a number from 0 to below ``stop``."""
        self._ends[name] = self._fixed(stop)

    def is_alone(self, index: Expression) -> bool:
        """Whether only this thread stores there."""
        part = self._part(index)
        return bool(part) and not (self.on_edges and _owner(part) in self.vertices)

    def _part(self, index: Expression) -> str:
        """Which part of an array an index is in: its owner and, if it is a row, its length. "" if it is in none."""
        match self._resolved(index):
            case Atomic(
                name="add", array=array, index=Constant(), operands=(Constant(value=step),)
            ) if step > 0 and array not in self.often:
                return f"{array} counts"  # no thread gets a number twice
            case Variable(name=name) if name in self.vertices:
                return name
            case Operation(name="+", operands=(a, b)):
                return self._row(a, b) or self._row(b, a)
        return ""

    def _resolved(self, value: Expression) -> Expression:
        """What an integer is computed as, without its casts and the names that it has had."""
        value = _bare(value)
        while isinstance(value, Variable) and value.name in self._values:
            value = _bare(self._values[value.name])
        return value

    def _row(self, begin: Expression, place: Expression) -> str:
        """The part that is a vertex's row, if this is where it begins and a place in it."""
        begin, place = self._resolved(begin), _bare(place)
        if not (isinstance(begin, Operation) and begin.name == "*"):
            return ""
        ends = [_bare(one) for one in begin.operands]
        for owner, length in (ends, ends[::-1]):
            end = self._fixed(length)
            if not (end and isinstance(owner, Variable) and owner.name in self.vertices):
                continue
            match place:
                case Constant(value=number) if end.isdecimal() and 0 <= number < int(end):
                    return f"{owner.name} {end}"
                case Variable(name=name) if self._ends.get(name) == end:
                    return f"{owner.name} {end}"
        return ""

    def _fixed(self, value: Expression) -> str:
        """The text of a number that is the same all the time, "" of any other."""
        match _bare(value):
            case Constant(value=number):
                return str(number)
            case Length(array=array):
                return f"len({array})"
            case Variable(name=name) if name in self._parameters:
                return name
        return ""

    @contextmanager
    def _inside(self, *causes: Expression) -> Iterator[None]:
        """A block that may not run: what is found out within it is not known behind it."""
        known = self._claimed, self._values, self._ends
        self._when.append(self.of(*causes))
        yield
        self._when.pop()
        self._claimed, self._values, self._ends = known

    @property
    def _conditions(self) -> Causes:
        """What it depends on whether a statement runs here, and how often."""
        loops = (self.depends.get(loop, _NOTHING) for loop in self._loops)
        return _NOTHING.union(*self._when, *loops)

    @contextmanager
    def under(self, test: Expression, *, holds: bool = True) -> Iterator[None]:
        """Statements that run where a condition holds, or where not; `forget` behind it what they assign."""
        with self._inside(test):
            self.after(test, holds=holds)
            yield

    def after(self, test: Expression, *, holds: bool) -> None:
        """What follows in this block runs only where a condition holds, or where not."""
        self._claimed = [*self._claimed, *self._claims(test, holds)]

    @contextmanager
    def loop(self, name: str, assigned: Iterable[str], *bounds: Expression) -> Iterator[None]:
        """A loop, by a name that no variable has, and the variables that change in it; `leave` ends it."""
        with self._inside(*bounds):
            self.forget(*assigned)  # a later round begins with what they are then
            self._loops.append(name)
            yield
            self._loops.pop()
        self.forget(*assigned)

    def leave(self) -> None:
        """Break, continue or return: what follows, and the loops' later rounds, depend on whether this runs."""
        self._left |= self._conditions
        for loop in self._loops:
            self.depends[loop] = self.depends.get(loop, _NOTHING) | self._conditions

    def store(self, at: Element, value: Expression) -> bool:
        """Note a plain store; whether its outcome depends on which thread comes last."""
        self.of(at.index)
        self._write(at)
        part = self._part(at.index)
        owner = {_owner(part)} & {*self.vertices}
        causes = self.of(value)
        differs = bool(self._differing(causes - owner))
        now = _Stored(
            at.array,
            part or self._order(at.index),
            repr(value),
            self._differing((self._conditions | self._left) - owner),
            next((swap for place, swap in self._claimed if place == _key(at.index)), ""),
            self.is_alone(at.index),
        )
        if differs and not (now.alone or now.claim):
            return True
        for array, place, number in self.atomic:  # among them it is lost, or they are
            is_apart = number and _number(at.index) not in ("", number)
            if array == at.array and not (is_apart or (now.alone and now.place == place)):
                return True
        changes = differs or self._changes(value)
        # In a loop another round stores, too.
        others = [*self._stored, now] if self._loops else self._stored
        self._stored = [*self._stored, now]
        for one in others:
            is_same = one.place == now.place or not causes & owner  # u's value is another one at v
            is_same = is_same and one.value == now.value and not changes
            if one.array == now.array and not (is_same or _are_ordered(one, now)):
                return True
        return False

    def _order(self, index: Expression) -> str:
        """The place of a store that is in no part."""
        if not self._differing(self.of(index)):
            return "all threads"
        return _key(index) if self._stays(index) and not self._changes(index) else ""

    def _changes(self, value: Expression) -> bool:
        """Whether it may be another one where it stands again, by its local variables."""
        return any(isinstance(one, Variable) and one.name in self.changing for one in walk(value))

    def _differing(self, causes: Causes) -> Causes:
        """Those that differ from edge to edge, or while the operator runs."""
        arrays = {f"@{array}" for array in self.written}
        return frozenset(one for one in causes if not one.startswith("@") or one in arrays)

    def _claims(self, test: Expression, holds: bool) -> list[tuple[str, str]]:
        """Indices that are claimed by a compare and swap where a condition holds, or where not."""
        match test:
            case Atomic(name="cas", array=array, index=index, operands=operands) if (
                holds and array not in self.often and self._differ(*operands) and self._stays(index)
            ):
                return [(_key(index), f"{array} {operands}")]
            case Variable(name=name) if name in self._values:
                return self._claims(self._values[name], holds)
            case Operation(name="not", operands=(inner,)):
                return self._claims(inner, not holds)
            case Operation(name="and" | "or" as name, operands=operands) if holds == (
                name == "and"
            ):
                return [claim for one in operands for claim in self._claims(one, holds)]
        return []

    def _stays(self, index: Expression) -> bool:
        """Whether an index is the same when it is computed again."""
        return not any(
            isinstance(one, Atomic) or (isinstance(one, Element) and one.array in self.written)
            for one in walk(index)
        )

    def _differ(self, expected: Expression, value: Expression) -> bool:
        """Whether a compare and swap surely changes what it finds: two numbers, or one below 0 and a vertex."""
        if not isinstance(expected, Constant):
            return False
        if isinstance(value, Constant):
            dtype = np.dtype(value.kind).type
            return bool(dtype(expected.value) != dtype(value.value))
        while isinstance(value, Cast):
            value = value.value
        return expected.value < 0 and isinstance(value, Variable) and value.name in self.vertices


def _are_same_swap(one: Atomic | Element, other: Atomic | Element) -> bool:
    """Whether two places swap the same values, so that neither undoes what the other has done."""
    swaps = (
        one.operands if isinstance(one, Atomic) and one.name == "cas" else None
        for one in (one, other)
    )
    first, second = swaps
    return first is not None and first == second and all(isinstance(x, Constant) for x in first)


def _are_ordered(one: _Stored, other: _Stored) -> bool:
    """Whether two stores to an element have one order, whichever thread makes them."""
    if one.claim and one.claim == other.claim:
        return True
    if not one.place or one.place != other.place:
        return False
    return one.alone or (one.claim == other.claim and not (one.when or other.when))


def _owner(part: str) -> str:
    """The vertex, or the counter, that a part belongs to."""
    return part.partition(" ")[0]


def _number(index: Expression) -> str:
    """The text of an index that is a number, "" of any other."""
    return str(index.value) if isinstance(index, Constant) else ""


def _names(names: Iterable[str], text: str) -> bool:
    """Whether the text of a tree has one of these variables."""
    return any(f"name={name!r}" in text for name in names)


def _key(index: Expression) -> str:
    """An index, whatever its type."""
    return repr(_bare(index))


def _bare(value: Expression) -> Expression:
    """An integer without its casts."""
    while isinstance(value, Cast) and is_integer(value.value.kind):
        value = value.value
    return value
