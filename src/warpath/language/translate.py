"""From the source of a Python function to its typed tree."""

from collections.abc import Mapping
from typing import Literal

from warpath.language.depth import check_depth
from warpath.language.races import Races
from warpath.language.refused import refuse
from warpath.language.source import Source
from warpath.language.statements import Statements
from warpath.language.tree import Function
from warpath.language.types import BOOL, ArrayOf, Type, either, is_float, stored

Use = Literal["call", "value", "sum"]


def translate(
    source: Source, given: Mapping[str, Type], weight: str = "int32", use: Use = "call"
) -> Function:
    """The tree of an operator for arguments of these types.

    Parameters
    ----------
    source : Source
    given : mapping of str to Type
        The type of each parameter but u, v and w.
    weight : str
        The dtype of w.
    use : {"call", "value", "sum"}
        Whether what an operator on edges returns is a value, or one that is summed up, as int64 if it is an integer; else
        it says whether v enters the next frontier.

    Raises
    ------
    OperatorError
        If it has something that the language does not have, naming file, line and what to write.
    """
    check_depth(source)
    # A local variable that begins as a number of the source takes the type of what comes later.
    kinds: dict[str, str] = {}
    result = BOOL if source.on_edges and use == "call" else None
    # What a later round of a loop, or a later line, makes of a value is known in the next pass.
    before = Races(source)
    while True:
        races = Races(source, before)
        pass_ = Statements(source, given, weight, kinds, result, races)
        body = pass_.body()
        found = _result(source, pass_.returned, use)
        if (pass_.locals, found, races.known) == (kinds, result, before.known):
            break
        kinds, result, before = pass_.locals, found, races
    if use == "value" and pass_.returned and not source.always_returns:
        refuse(
            source,
            source.tree,
            "it may end without a value, which is no number: return one on every way",
        )
    return Function(
        name=source.name,
        on_edges=source.on_edges,
        arrays={name: kind.dtype for name, kind in given.items() if isinstance(kind, ArrayOf)},
        scalars={name: stored(kind) for name, kind in given.items() if isinstance(kind, str)},
        takes_weight=source.takes_weight,
        weight=weight,
        body=body,
        result=found if pass_.returned else "",
        locals={name: stored(kind) for name, kind in kinds.items()},
        outside=pass_.outside,
    )


def _result(source: Source, returned: list[str], use: Use) -> str:
    """The dtype of what an operator returns."""
    if not returned or (source.on_edges and use == "call"):
        return BOOL
    kind = returned[0]
    for other in returned[1:]:
        kind = either(kind, other)
    return "int64" if use == "sum" and not is_float(kind) else stored(kind)
