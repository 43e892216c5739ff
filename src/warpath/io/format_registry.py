"""All formats, and which of them a file is in."""

from pathlib import Path
from typing import Any

from warpath.graph.graph import Graph, check_graph
from warpath.io import (
    dimacs,
    edge_list,
    gapbs,
    graphalytics,
    matrix_market,
    metis,
    npz,
    pace,
    parquet,
)
from warpath.io.format import Format
from warpath.io.source import File, Source, split_suffix

# In the order in which contents are asked; an edge list is what looks like no other.
FORMATS: tuple[Format, ...] = (
    npz.FORMAT,
    parquet.FORMAT,
    matrix_market.FORMAT,
    dimacs.FORMAT,
    pace.FORMAT,
    metis.FORMAT,
    gapbs.EL,
    gapbs.WEL,
    gapbs.SG,
    gapbs.WSG,
    graphalytics.FORMAT,
    edge_list.FORMAT,
)
_HEAD = 1 << 16  # bytes looked at: more than the comments that any known file begins with


def by_name(name: str) -> Format:
    """The format called ``name``; a ValueError lists the choices."""
    for known in FORMATS:
        if known.name == name:
            return known
    raise ValueError(f"unknown format {name!r}: choose one of {_names(FORMATS)}")


def of_source(source: Source) -> Format:
    """The format of a file: by its suffix, and where that does not decide, by its content."""
    candidates = _by_suffix(source.path) if source.path else ()
    if len(candidates) == 1:
        return candidates[0]
    head = source.peek(_HEAD)
    for known in candidates or FORMATS:
        if known.sniff(head):
            return known
    if candidates:
        return candidates[0]  # its reader says what is wrong
    if not head:
        raise source.error("the file is empty")
    raise source.error(
        f"not recognised as any format: name it by format=, one of {_names(FORMATS)}"
    )


def options_for(chosen: Format, options: dict[str, Any]) -> dict[str, Any]:
    """The options that a format takes; others are refused.

    All formats have ``compact=False``: ids are numbers where no option says otherwise.
    """
    if options.get("compact") is False and "compact" not in chosen.options:
        options = {name: value for name, value in options.items() if name != "compact"}
    for option in options:
        if option not in chosen.options:
            takers = [other.name for other in FORMATS if option in other.options]
            raise ValueError(
                f"the {chosen.name} format takes no {option}=; these do: {', '.join(takers)}"
            )
    return options


def for_writing(graph: Graph, file: File, name: str | None) -> Format:
    """The format to write ``graph`` in; a ValueError says why there is none."""
    check_graph(graph)
    if name is not None:
        candidates: tuple[Format, ...] = (by_name(name),)
    else:
        candidates = _by_suffix(Path(file))
        if not candidates:
            raise ValueError(
                f"{str(file)!r} has no suffix of a known format: name it by format=, "
                f"one of {_names(FORMATS)}"
            )
    reasons = []
    for candidate in candidates:
        reason = candidate.refuse(graph)
        if reason is None:
            return candidate
        reasons.append(f"the {candidate.name} format {reason}")
    raise ValueError("; ".join(reasons))


def _by_suffix(path: Path) -> tuple[Format, ...]:
    _, suffix, _ = split_suffix(path)
    return tuple(known for known in FORMATS if suffix in known.suffixes)


def _names(formats: tuple[Format, ...]) -> str:
    return ", ".join(sorted(known.name for known in formats))
