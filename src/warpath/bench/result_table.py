"""A suite's trials as a table: for the terminal, in Markdown or LaTeX, or as values in CSV."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

from warpath.bench.summary import Cell, Summary, quartiles

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
                found.names[graph] if not rows else "", label, time(cell),
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
    return Grid(("", *found.names.values()), (tuple(rows),))


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
            row = [found.names[graph] if not rows else "", label]
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
            lines.append(f"left out ({why}) on {on}: {'; '.join(one)}")
    return lines


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
        times = quartiles(cell.times) if cell.times else (None, None)
        theirs = published.get((graph, label))
        yield {
            "suite": name, "graph": graph, "kind": one.graph.get("kind"),
            "scale": one.graph.get("scale"), "configuration": label,
            "device": one.configuration.get("device"), "status": cell.status, "why": cell.why,
            "trials": len(cell.good), "median_ms": _ms(cell.seconds),
            "first_quartile_ms": _ms(times[0]), "third_quartile_ms": _ms(times[1]),
            "mteps": None if cell.teps is None else cell.teps / 1e6, "cold_ms": _ms(cell.cold),
            "baseline": base or None, "times_faster": found.ratio(graph, base, label),
            "paper_ms": _ms(theirs), "paper_times_faster": found.published_ratio(graph, base, label),
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
