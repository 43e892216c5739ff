"""Operators that end with an atomic minimum at v, in steps.

A GPU's warp follows several edges at once: it makes each step of all of them before the next, so that their
memory accesses overlap (``operators/operator.cuh``). The operator of shortest paths has such steps: what u brings,
what the edge offers, whether v may be lowered, the atomic minimum. So has each one that computes a value of u and
w alone and ends with ``return wp.atomic_min(array, v, value)``.
"""

from dataclasses import dataclass
from functools import lru_cache

from warpath.language.tree import (
    Assign,
    Atomic,
    Cast,
    Choice,
    Constant,
    Element,
    Expression,
    Function,
    Length,
    Operation,
    Return,
    Statement,
    Variable,
)


@dataclass(frozen=True)
class Staged:
    """The steps of such an operator.

    Attributes
    ----------
    of_owner : dict of str to str
        Arrays whose element of u is read, and their dtypes.
    before : tuple of Statement
        Assignments to local variables.
    value : Expression
        What is offered.
    array : str
        What is lowered.
    """

    of_owner: dict[str, str]
    before: tuple[Statement, ...]
    value: Expression
    array: str


@lru_cache(maxsize=1024)
def staged(function: Function) -> Staged | None:
    """The steps of an operator; None if it is not of that form."""
    if not function.on_edges or not function.body:
        return None
    *before, last = function.body
    match last:
        case Return(
            value=Atomic(name="min", array=array, index=Variable(name="v"), operands=(value,))
        ):
            pass
        case _:
            return None
    if value.kind not in ("int32", "int64"):  # there is one instruction
        return None
    values = [value]
    for statement in before:
        if not isinstance(statement, Assign):
            return None
        values.append(statement.value)
    owners: dict[str, str] = {}
    if not all(_is_of_owner(one, function, owners) for one in values) or not owners:
        return None
    return Staged(owners, tuple(before), value, array)


def _is_of_owner(value: Expression, function: Function, owners: dict[str, str]) -> bool:
    """Whether a value is one of u and w alone; elements of u are noted in ``owners``."""
    match value:
        case Constant() | Length():
            return True
        case Variable(name=name):
            return name not in ("u", "v")
        case Element(array=array, index=Variable(name="u")):
            owners[array] = function.arrays[array]
            return function.arrays[array] != "bool"
        case Cast(value=inner):
            return _is_of_owner(inner, function, owners)
        case Operation(operands=operands):
            return all(_is_of_owner(one, function, owners) for one in operands)
        case Choice(test=test, first=first, second=second):
            return all(_is_of_owner(one, function, owners) for one in (test, first, second))
    return False
