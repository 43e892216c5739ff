"""Stores whose outcome depends on which thread comes last, as far as the text of an operator shows them.

A value *depends* on u, v or w, on an atomic operation ("edge"), or on what stands in an array ("@name"). It does so by
what it is computed from, and by the conditions under which it is assigned. Several edges store to one element at once.
That is no race where all store the same: where the value depends on the element's own vertex alone, and on no array that
the operator writes. It is none either where an edge has claimed the element by a compare and swap, which nothing undoes: the
operator writes the array that this swaps nowhere else. A local variable may keep whether it has, and an edge that has not may
leave before the store. A thread stores what it likes in its own part of an array. On vertices that is ``x[v]``, or
``x[v * k + j]`` where j counts to k. On edges, too, it is ``x[i]`` where i is what an atomic addition to a counter gives.
"""

from collections.abc import Iterable, Iterator, Mapping
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
    Operation,
    Variable,
    walk,
)
from warpath.language.types import VERTEX, is_integer

Causes = frozenset[str]
_NOTHING: Causes = frozenset()


@dataclass(frozen=True)
class _Stored:
    """A plain store to an array that no edge has claimed: place, value, and what it depends on whether it is made."""

    array: str
    index: str
    value: str
    when: Causes
    claim: str  # by which swap the element was claimed, "" by none
    part: str  # of the array, that is the thread's own, "" if it is none


class Races:
    """What values of one pass depend on.

    Parameters
    ----------
    source : Source
    depends : mapping of str to frozenset, optional
        What local variables depended on in the pass before: a loop may bring it back.
    written, often : frozenset of str, optional
        The arrays that were written in it, and in more than one place.

    Attributes
    ----------
    depends : dict of str to frozenset
    written, often : frozenset of str
        What they are now.
    """

    def __init__(
        self,
        source: Source,
        depends: Mapping[str, Causes] | None = None,
        written: Causes = _NOTHING,
        often: Causes = _NOTHING,
        atomic: frozenset[tuple[str, str, bool]] = frozenset(),
    ) -> None:
        self.on_edges = source.on_edges
        self.vertices = source.vertices
        own = {*source.vertices, *(["w"] if source.takes_weight else [])}
        self.depends: dict[str, Causes] = {name: frozenset([name]) for name in own}
        self.depends |= depends or {}
        self.written, self.often, self.atomic = written, often, atomic
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
            self.atomic |= {(place.array, key(place.index), isinstance(place.index, Constant))}
        self.written |= {place.array}

    @property
    def has_swap(self) -> bool:
        """Whether a compare and swap stands before."""
        return any(isinstance(one, Atomic) and one.name == "cas" for one in self._writes)

    def assign(self, name: str, *values: Expression) -> None:
        """A local variable gets a value of these."""
        self._assigned.add(name)
        before = self.depends.get(name, _NOTHING)
        self.depends[name] = before | self.of(*values) | self._conditions
        self._forget(name)
        if len(values) == 1 and not _names([name], repr(values[0])):
            self._values[name] = values[0]

    def _forget(self, *names: str) -> None:
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

    def part(self, index: Expression) -> str:
        """Which part of an array an index is in that only this thread stores to, "" if others may."""
        index = _bare(index)
        match self._values.get(index.name) if isinstance(index, Variable) else index:
            case Atomic(
                name="add", array=array, index=Constant(), operands=(Constant(value=step),)
            ) if step > 0 and array not in self.often:
                return f"a number of {array}"  # which counts: no thread gets one twice
        match index:
            case _ if self.on_edges:
                return ""
            case Variable(name="v"):
                return "v"
            case Operation(name="+", operands=(a, b)):
                one, other = _bare(a), _bare(b)
                return self._row(one, other) or self._row(other, one)
        return ""

    def _row(self, begin: Expression, place: Expression) -> str:
        """The length of v's row, as a text, if this is where it begins and a place in it."""
        if not (isinstance(begin, Operation) and begin.name == "*"):
            return ""
        one, other = map(_bare, begin.operands)
        if Variable(VERTEX, "v") not in (one, other):
            return ""
        length = self._fixed(other if one == Variable(VERTEX, "v") else one)
        match place:
            case Constant(value=number) if length.isdecimal() and 0 <= number < int(length):
                return length
            case Variable(name=name) if self._ends.get(name) == length:
                return length
        return ""

    def _fixed(self, value: Expression) -> str:
        """The text of a number that is the same all the time, "" of any other."""
        match _bare(value):
            case Constant(value=number):
                return str(number)
            case Variable(name=name) if name in self._parameters:
                return name
        return ""

    @contextmanager
    def _inside(self, *causes: Expression) -> Iterator[None]:
        """A block that may not run: what is known within it is not known behind it."""
        claimed, values, ends = self._claimed, self._values, self._ends
        self._when.append(self.of(*causes))
        yield
        self._when.pop()
        self._claimed = [one for one in claimed if one in self._claimed]
        self._values = {name: one for name, one in values.items() if self._values.get(name) is one}
        self._ends = {name: end for name, end in ends.items() if self._ends.get(name) == end}

    @property
    def _conditions(self) -> Causes:
        """What it depends on whether a statement runs here, and how often."""
        loops = (self.depends.get(loop, _NOTHING) for loop in self._loops)
        return _NOTHING.union(*self._when, *loops)

    @contextmanager
    def under(self, test: Expression, *, holds: bool = True) -> Iterator[None]:
        """Statements that run where a condition holds, or where not."""
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
            self._forget(*assigned)  # a later round begins with what they are then
            self._loops.append(name)
            yield
            self._loops.pop()

    def leave(self) -> None:
        """Break, continue or return: what follows, and the loops' later rounds, depend on whether this runs."""
        self._left |= self._conditions
        for loop in self._loops:
            self.depends[loop] = self.depends.get(loop, _NOTHING) | self._conditions

    def store(self, at: Element, value: Expression) -> bool:
        """Note a plain store; whether its outcome depends on which thread comes last."""
        self.of(at.index)
        self._write(at)
        index = key(at.index)
        claim = next((swap for place, swap in self._claimed if place == index), "")
        own = at.index.name if isinstance(at.index, Variable) else ""
        alone = self.part(at.index)
        mine = {own} if own in ("u", "v") else set()
        now = _Stored(
            at.array, index, repr(value), (self._conditions | self._left) - mine, claim, alone
        )
        # What a local variable holds may change between two stores of it.
        changes = any(
            isinstance(one, Variable) and one.name in self._assigned for one in walk(value)
        )
        differs = bool(self._differing(self.of(value) - mine))
        races = not alone and not claim and differs
        # Among atomic operations it is lost, or they are.
        is_constant = isinstance(at.index, Constant)
        races |= any(
            array == at.array
            and not (alone if place == index else is_constant and other_is_constant)
            for array, place, other_is_constant in self.atomic
        )
        for other in self._stored:
            same = other.value == now.value and not changes and not differs
            if other.array != now.array or same or (claim and claim == other.claim):
                continue
            if alone and alone == other.part:
                continue
            if (
                other.index != now.index
                or claim != other.claim
                or self._differing(now.when)
                or self._differing(other.when)
            ):
                races = True
        self._stored.append(now)
        return races

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
                return [(key(index), f"{array} {operands}")]
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


def _names(names: Iterable[str], text: str) -> bool:
    """Whether the text of a tree has one of these variables."""
    return any(f"name={name!r}" in text for name in names)


def key(index: Expression) -> str:
    """An index, whatever its type."""
    return repr(_bare(index))


def _bare(value: Expression) -> Expression:
    """An integer without its casts."""
    while isinstance(value, Cast) and is_integer(value.value.kind):
        value = value.value
    return value
