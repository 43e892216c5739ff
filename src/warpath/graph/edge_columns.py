"""Which columns of a table of edges mean what: one rule for frames and files."""

from collections.abc import Sequence

END_NAMES = (("source", "target"), ("src", "dst"), ("from", "to"), ("tail", "head"), ("u", "v"))
WEIGHT_NAMES = ("weight", "w", "cost", "length", "distance")
_FEW = 3  # columns that may mean two ends and a weight by their order alone


def edge_columns(
    columns: Sequence[str],
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
) -> tuple[str, str, str | None]:
    """The columns of the ends and, if there is one, of the weight.

    Parameters
    ----------
    columns : sequence of str
        All names.
    source, target : str, optional
        Columns of the ends, both or neither. By default two of one pair of `END_NAMES`, in any
        case, else the first two of two or three columns.
    weight : str, optional
        By default, if the ends are not named, the only other column that one of `WEIGHT_NAMES`
        is the name of, else the third of exactly three.

    Raises
    ------
    ValueError
        A column that is not there; only one end is named; the names do not say which columns are
        the ends or the weight.
    """
    columns = list(columns)
    if len(columns) < 2:
        raise ValueError(f"a table of edges has at least two columns, not {columns}")
    if (source is None) != (target is None):
        raise ValueError(f"name both source and target, or neither, not only {source or target!r}")
    for name in (source, target, weight):
        if name is not None and name not in columns:
            raise ValueError(f"no column {name!r}: there are {columns}")
    if source is not None and target is not None:
        return source, target, weight
    source, target = _ends(columns)
    if weight is None:
        weight = _weight([name for name in columns if name not in (source, target)])
    return source, target, weight


def _ends(columns: list[str]) -> tuple[str, str]:
    for pair in END_NAMES:
        called = [[name for name in columns if str(name).lower() == end] for end in pair]
        if all(called):
            for end, names in zip(pair, called, strict=True):
                if len(names) > 1:
                    raise ValueError(f"which of the columns {names} is the {end}? Say which one")
            return called[0][0], called[1][0]
    if len(columns) > _FEW:
        raise ValueError(
            f"which of the columns {columns} are the ends of an edge? Name them source and target, "
            "or say which they are"
        )
    return columns[0], columns[1]


def _weight(others: list[str]) -> str | None:
    named = [name for name in others if str(name).lower() in WEIGHT_NAMES]
    if len(named) == 1:
        return named[0]
    if len(named) > 1:
        raise ValueError(f"which of the columns {named} is the weight? Say which one")
    if len(others) > 1:
        raise ValueError(
            f"which of the columns {others} is the weight? None is called "
            f"{', '.join(WEIGHT_NAMES)}: say which one it is, or name the two ends alone for a graph "
            "without weights"
        )
    return others[0] if others else None
