"""A suite's trials as a table: for the terminal, in Markdown or LaTeX, or as values in CSV."""

import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
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

    def latex(self) -> str:
        """A ``tabular`` with the rules of the package booktabs."""
        texts = "l" * 2 + "r" * (len(self.head) - 2)
        lines = [rf"\begin{{tabular}}{{{texts}}}", r"\toprule", _latex_row(self.head)]
        for section in filter(None, self.sections):
            lines += [r"\midrule", *map(_latex_row, section)]
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"

    def markdown(self) -> str:
        """For a page."""
        lines = [self.head, ("---",) * len(self.head)]
        lines += [row for section in self.sections for row in section]
        return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def grid(found: Summary) -> Grid:
    """A table of times, or of counts if the suite has columns."""
    head, row = _counts(found) if found.suite.columns else _times(found)
    sections = []
    for graph in found.graphs:
        rows = [(label, *row(graph, label, cell)) for label, cell in _cells(found, graph)]
        names = [found.names[graph], *[""] * len(rows)]
        sections.append(tuple((name, *cells) for name, cells in zip(names, rows, strict=False)))
    return Grid(head, tuple(sections))


Row = Callable[[str, str, Cell], list[str]]


def counts(found: Summary) -> Grid:
    """`grid` of a suite with columns, without its labels where there is only one."""
    whole = grid(found)
    if len(found.labels) > 1:
        return whole
    sections = tuple(tuple((row[0], *row[2:]) for row in rows) for rows in whole.sections)
    return Grid((whole.head[0], *whole.head[2:]), sections)


def _times(found: Summary) -> tuple[tuple[str, ...], Row]:
    """The head, and what stands behind a label."""
    base, published, quoted = found.suite.baseline, found.suite.published, found.suite.quoted
    head = ["graph", "configuration", "ms", "MTEPS", "cold, ms", "sources"]
    head += [f"× {base}"] * bool(base) + ["paper, ms"] * bool(published)
    head += ["paper ×"] * bool(published and base)
    head += [f"{name}, ms" for name in quoted]

    def row(graph: str, label: str, cell: Cell) -> list[str]:
        cells = [time(cell), digits(cell.mteps), digits(_ms(cell.cold))]
        cells.append(str(cell.repeats) if cell.good else _NOTHING)
        if base:
            cells.append(times_faster(found, graph, label))
        if published:
            cells.append(digits(_ms(published.get((graph, label)))))
        if published and base:
            cells.append(times(found.published_ratio(graph, base, label)))
        return cells + [digits(_ms(known.get((graph, label)))) for known in quoted.values()]

    return tuple(head), row


def _counts(found: Summary) -> tuple[tuple[str, ...], Row]:
    columns, published = found.suite.columns, found.suite.published

    def row(graph: str, label: str, cell: Cell) -> list[str]:
        cells = [number(cell.count(name)) for name in columns]
        if cell.status != "ok":
            cells[0] = state(cell)
        theirs = [published.get((graph, name)) for name in columns]
        return [
            shown if value is None else f"{shown} ({number(value)})"
            for shown, value in zip(cells, theirs, strict=True)
        ]

    return ("graph", "", *columns), row


def matrix(found: Summary) -> Grid:
    """A column a graph: times faster than the baseline, whose row has milliseconds."""
    base = found.suite.baseline
    rows = [
        (
            f"{label}, ms" if label == base else label,
            *(_short(found, graph, label) for graph in found.graphs),
        )
        for label in found.labels
    ]
    shown = tuple(row for row in rows if set(row[1:]) != {_NOTHING})
    return Grid(("" if base else "ms", *found.names.values()), (shown,))


def _short(found: Summary, graph: str, label: str) -> str:
    """``30× (9.4×)``; of the baseline its time, and what has no ratio as a time: ``5 ms``."""
    base, cell = found.suite.baseline, found.cell(graph, label)
    if cell is None or cell.status == "left-out":
        return _NOTHING
    if not base or label == base:
        return time(cell)
    ours, theirs = times_faster(found, graph, label), found.published_ratio(graph, base, label)
    if cell.seconds is None or ours == _NOTHING:
        ours = time(cell) if cell.seconds is None and cell.limit is None else f"{time(cell)} ms"
    return ours if theirs is None else f"{ours} ({times(theirs)})"


def _cells(found: Summary, graph: str) -> Iterator[tuple[str, Cell]]:
    for label in found.labels:
        cell = found.cell(graph, label)
        if cell is not None and cell.status != "left-out":
            yield label, cell


def left_out(found: Summary) -> list[str]:
    """A line for each reason that something was left out: the graphs, and what it was on them."""
    reasons: dict[str, dict[str, list[str]]] = {}
    for (graph, label), cell in found.cells.items():
        if cell.status == "left-out":
            reasons.setdefault(cell.why or "", {}).setdefault(graph, []).append(label)
    lines = []
    for why, missing in reasons.items():
        where: dict[tuple[str, ...], list[str]] = {}
        for graph, labels in missing.items():
            where.setdefault(tuple(labels), []).append(graph)
        for one, graphs in where.items():
            on = "all graphs" if len(graphs) == len(found.graphs) > 1 else ", ".join(graphs)
            lines.append(f"left out ({why}) on {on}: {', '.join(f'`{label}`' for label in one)}")
    return lines


def failures(found: Summary) -> list[str]:
    """A line for each configuration that failed or was wrong."""
    return [
        f"{cell.status}: {label} on {graph}: {cell.why}"
        for (graph, label), cell in found.cells.items()
        if cell.status in ("wrong", "failed")
    ]


def differences(found: Summary) -> list[str]:
    """A line for each configuration that the paper has in another form."""
    return [
        f"{one.label}, in the paper: {one.differs}"
        for one in found.suite.configurations
        if one.differs and one.label in found.labels
    ]


def remarks(found: Summary) -> list[str]:
    """What stands below a table, a line each: what differs, failed, was left out."""
    return [*differences(found), *failures(found), *left_out(found)]


def claims(found: Summary) -> list[tuple[str, bool | None]]:
    """What the paper claims, and whether it holds here; None: not measured."""
    return [(claim.text, claim.holds(found)) for claim in found.suite.claims]


def time(cell: Cell) -> str:
    """Milliseconds, or what happened instead."""
    return state(cell) if cell.seconds is None else digits(cell.seconds * 1e3)


def state(cell: Cell) -> str:
    """What happened instead of an answer in time."""
    return f"> {digits(cell.limit * 1e3)}" if cell.limit is not None else cell.status


def digits(value: float | None) -> str:
    """Three digits."""
    if value is None:
        return _NOTHING
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def times(ratio: float | None, over: bool = False) -> str:
    """How many times."""
    if ratio is None:
        return _NOTHING
    return ("> " if over else "") + f"{digits(ratio)}×"


def times_faster(found: Summary, graph: str, label: str) -> str:
    """Than the baseline; ``> 5×`` where that was ended at the limit."""
    base = found.cell(graph, found.suite.baseline)
    over = base is not None and base.limit is not None
    return times(found.ratio(graph, found.suite.baseline, label), over=over)


def number(value: Any) -> str:
    """A count: whole, or with three digits after the point at most."""
    if value is None:
        return _NOTHING
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return f"{value:,.0f}" if isinstance(value, (int, float)) else str(value)


# What pdfLaTeX has no letter for.
_LATEX = str.maketrans(
    {one: f"\\{one}" for one in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
       "×": r"$\times$", "≥": r"$\geq$", "≤": r"$\leq$", "Δ": r"$\Delta$", "µ": r"$\mu$",
       "–": "--", "−": "$-$", ">": "$>$", "<": "$<$"}
    | {raised: f"$^{digit}$" for digit, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
)  # fmt: skip


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(cell.translate(_LATEX) for cell in cells) + r" \\"


def latex(found: Summary) -> str:
    """The table of `grid` under the suite's heading."""
    heading = found.heading.translate(_LATEX)
    return (
        "\\begin{table}\n\\centering\n"
        f"\\caption{{{heading}}}\n{grid(found).latex()}\\end{{table}}\n"
    )


def values(name: str, found: Summary) -> Iterator[dict[str, Any]]:
    """A row for each configuration on each graph: numbers, not rounded; None where there is none."""
    base, published = found.suite.baseline, found.suite.published
    for (graph, label), cell in found.cells.items():
        one = cell.trials[-1]
        times = cell.quartiles or (None, None)
        theirs = published.get((graph, label))
        yield {
            "suite": name, "graph": graph, "kind": one.graph.get("kind"),
            "scale": one.graph.get("scale"), "configuration": label,
            "device": one.configuration.get("device"), "status": cell.status, "why": cell.why,
            "trials": cell.repeats, "median_ms": _ms(cell.seconds),
            "first_quartile_ms": _ms(times[0]), "third_quartile_ms": _ms(times[1]),
            "mteps": cell.mteps, "cold_ms": _ms(cell.cold),
            "baseline": base or None, "times_faster": found.ratio(graph, base, label),
            "paper_ms": _ms(theirs), "paper_times_faster": found.published_ratio(graph, base, label),
        } | {
            f"{other}_ms": _ms(known.get((graph, label)))
            for other, known in found.suite.quoted.items()
        } | {column: cell.count(column) for column in found.suite.columns}  # fmt: skip


def as_csv(summaries: dict[str, Summary]) -> str:
    """`values` of suites, under one head."""
    rows = [row for name, found in summaries.items() for row in values(name, found)]
    text = StringIO()
    columns = dict.fromkeys(column for row in rows for column in row)
    writer = csv.DictWriter(text, [*columns], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else seconds * 1e3
