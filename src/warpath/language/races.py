"""Stores whose outcome depends on which thread comes last, as far as the text of an operator shows them.

A value *depends* on u, v or w, on an atomic operation ("edge"), or on what stands in an array ("@name"). It does so by
what it is computed from, and by the conditions under which it is assigned. Several edges store to one element at once.
That is no race where all store the same: where the value depends on the element's own vertex alone, and on no array that
the operator writes. It is none either where an edge has claimed the element by a compare and swap, which nothing undoes: the
operator writes the array that this swaps nowhere else.
"""

from collections.abc import Iterator, Mapping
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

    def assign(self, name: str, *values: Expression) -> None:
        """A local variable gets a value of these."""
        self._assigned.add(name)
        before = self.depends.get(name, _NOTHING)
        self.depends[name] = before | self.of(*values) | self._conditions
        self._claimed = [one for one in self._claimed if f"name={name!r}" not in one[0]]

    @property
    def _conditions(self) -> Causes:
        """What it depends on whether a statement runs here, and how often."""
        loops = (self.depends.get(loop, _NOTHING) for loop in self._loops)
        return _NOTHING.union(*self._when, *loops)

    @contextmanager
    def under(self, test: Expression, *, holds: bool = True) -> Iterator[None]:
        """Statements that run where a condition holds, or where not."""
        claims, before = self._claims(test) if holds else [], self._claimed
        self._when.append(self.of(test))
        self._claimed = [*before, *claims]
        yield
        self._when.pop()
        self._claimed = [one for one in before if one in self._claimed]

    @contextmanager
    def loop(self, name: str, *bounds: Expression) -> Iterator[None]:
        """A loop, by a name that no variable has; `leave` ends it."""
        self._when.append(self.of(*bounds))
        self._loops.append(name)
        before = self._claimed
        yield
        self._loops.pop()
        self._when.pop()
        self._claimed = [one for one in before if one in self._claimed]

    def leave(self) -> None:
        """Break, continue or return: the loops' later rounds depend on whether this runs."""
        for loop in self._loops:
            self.depends[loop] = self.depends.get(loop, _NOTHING) | self._conditions

    def store(self, at: Element, value: Expression) -> bool:
        """Note a plain store; whether its outcome depends on which thread comes last."""
        self._write(at)
        index = key(at.index)
        claim = next((swap for place, swap in self._claimed if place == index), "")
        own = at.index.name if isinstance(at.index, Variable) else ""
        alone = not self.on_edges and own == "v"  # each vertex has one thread
        mine = {own} if own in ("u", "v") else set()
        now = _Stored(at.array, index, repr(value), self._conditions - mine, claim)
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
            if other.index != now.index or (
                not alone
                and (
                    claim != other.claim or self._differing(now.when) or self._differing(other.when)
                )
            ):
                races = True
        self._stored.append(now)
        return races

    def _differing(self, causes: Causes) -> Causes:
        """Those that differ from edge to edge, or while the operator runs."""
        arrays = {f"@{array}" for array in self.written}
        return frozenset(one for one in causes if not one.startswith("@") or one in arrays)

    def _claims(self, test: Expression) -> list[tuple[str, str]]:
        """Indices that a condition has claimed by a compare and swap, if it is true."""
        match test:
            case Atomic(name="cas", array=array, index=index, operands=operands) if (
                array not in self.often and self._differ(*operands)
            ):
                return [(key(index), f"{array} {operands}")]
            case Operation(name="and", operands=operands):
                return [claim for one in operands for claim in self._claims(one)]
        return []

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


def key(index: Expression) -> str:
    """An index, whatever its type."""
    while isinstance(index, Cast):
        index = index.value
    return repr(index)
