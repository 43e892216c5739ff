"""A suite's trials as a table: for the terminal, or in Markdown."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from warpath.bench.summary import Cell, Summary

if TYPE_CHECKING:
    from rich.table import Table

_NOTHING = "–"


@dataclass(frozen=True)
class Grid:
    """Cells of text: a head, and sections of rows."""

    head: tuple[str, ...]
    sections: tuple[tuple[tuple[str, ...], ...], ...]

    def rich(self) -> "Table":
        """For the terminal."""
        from rich.table import Table

        table = Table()
        for i, name in enumerate(self.head):
            table.add_column(name, justify="left" if i < 2 else "right", no_wrap=i < 2)
        for section in self.sections:
            for row in section:
                table.add_row(*row)
            table.add_section()
        return table

    def markdown(self) -> str:
        """For a page."""
        lines = [self.head, ("---",) * len(self.head)]
        lines += [row for section in self.sections for row in section]
        return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def grid(found: Summary) -> Grid:
    """Of times, or of counts if the suite has columns."""
    return _counts(found) if found.suite.columns else _times(found)


def _times(found: Summary) -> Grid:
    base, published = found.suite.baseline, found.suite.published
    head = ["graph", "configuration", "ms", "MTEPS", "cold, ms", "sources"]
    if base:
        head.append(f"× {base}")
    if published:
        head += ["paper, ms", "paper ×"]
    sections = []
    for graph in found.graphs:
        rows: list[tuple[str, ...]] = []
        for label, cell in _cells(found, graph):
            row = [
                graph if not rows else "", label, time(cell),
                _NOTHING if cell.teps is None else digits(cell.teps / 1e6),
                _NOTHING if cell.cold is None else digits(cell.cold * 1e3),
                str(len(cell.good)) if cell.good else _NOTHING,
            ]  # fmt: skip
            if base:
                row.append(times(found.ratio(graph, base, label), over=_ended(found, graph, base)))
            if published:
                theirs = published.get((graph, label))
                row.append(_NOTHING if theirs is None else digits(theirs * 1e3))
                row.append(times(found.published_ratio(graph, base, label)))
            rows.append(tuple(row))
        sections.append(tuple(rows))
    return Grid(tuple(head), tuple(sections))


def matrix(found: Summary) -> Grid:
    """Of times, a column a graph; what stands in a cell `caption` says."""
    rows = []
    for label in found.labels:
        row = [label]
        for graph in found.graphs:
            cell = found.cell(graph, label)
            row.append(
                _NOTHING
                if cell is None or cell.status == "left-out"
                else _short(found, graph, label, cell)
            )
        if set(row[1:]) != {_NOTHING}:
            rows.append(tuple(row))
    return Grid(("", *found.graphs), (tuple(rows),))


def caption(found: Summary) -> str:
    """What the cells of `matrix` say."""
    base, parts = found.suite.baseline, ["Milliseconds"]
    if base:
        parts.append(f"in brackets how many times faster than {base}")
    if base and found.suite.published:
        parts.append("and the same of the paper's figures")
    return ", ".join(parts) + "."


def _short(found: Summary, graph: str, label: str, cell: Cell) -> str:
    """``1.3 (30×; 9.4×)``."""
    base, said = found.suite.baseline, time(cell)
    if not base or label == base:
        return said
    ratios = []
    if (ratio := found.ratio(graph, base, label)) is not None:
        ratios.append(times(ratio, over=_ended(found, graph, base)))
    if (theirs := found.published_ratio(graph, base, label)) is not None:
        ratios.append(("–; " if not ratios else "") + f"paper {times(theirs)}")
    return f"{said} ({'; '.join(ratios)})" if ratios else said


def _ended(found: Summary, graph: str, label: str) -> bool:
    cell = found.cell(graph, label)
    return cell is not None and cell.limit is not None


def _counts(found: Summary) -> Grid:
    columns, published = found.suite.columns, found.suite.published
    sections = []
    for graph in found.graphs:
        rows: list[tuple[str, ...]] = []
        for label, cell in _cells(found, graph):
            row = [graph if not rows else "", label]
            for name in columns:
                value = cell.count(name)
                shown = _NOTHING if value is None else number(value)
                if cell.status != "ok" and name == columns[0]:
                    shown = state(cell)
                theirs = published.get((graph, name))
                row.append(shown if theirs is None else f"{shown} ({number(theirs)})")
            rows.append(tuple(row))
        sections.append(tuple(rows))
    return Grid(("graph", "", *columns), tuple(sections))


def _cells(found: Summary, graph: str) -> Iterator[tuple[str, Cell]]:
    for label in found.labels:
        cell = found.cell(graph, label)
        if cell is not None and cell.status != "left-out":
            yield label, cell


def left_out(found: Summary) -> list[str]:
    """A line for each reason that something was left out, with what it was."""
    reasons: dict[str, dict[str, None]] = {}
    for (_, label), cell in found.cells.items():
        if cell.status == "left-out":
            reasons.setdefault(cell.why or "", {})[label] = None
    return [f"left out ({why}): {', '.join(labels)}" for why, labels in reasons.items()]


def failures(found: Summary) -> list[str]:
    """A line for each configuration that failed or was wrong."""
    return [
        f"{cell.status}: {label} on {graph}: {cell.why}"
        for (graph, label), cell in found.cells.items()
        if cell.status in ("wrong", "failed")
    ]


def claims(found: Summary) -> list[tuple[str, bool | None]]:
    """What the paper claims, and whether it holds here; None: not measured."""
    return [(claim.text, claim.holds(found)) for claim in found.suite.claims]


def time(cell: Cell) -> str:
    """Milliseconds, or what happened instead."""
    return state(cell) if cell.seconds is None else digits(cell.seconds * 1e3)


def state(cell: Cell) -> str:
    """What happened instead of an answer in time."""
    return f"> {digits(cell.limit * 1e3)}" if cell.limit is not None else cell.status


def digits(value: float) -> str:
    """Three digits."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def times(ratio: float | None, over: bool = False) -> str:
    """How many times."""
    if ratio is None:
        return _NOTHING
    return ("> " if over else "") + f"{digits(ratio)}×"


def number(value: Any) -> str:
    """A count: whole, or with three digits after the point at most."""
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return f"{value:,.0f}" if isinstance(value, (int, float)) else str(value)
