"""What is printed and written of suites: tables, claims, figures, data."""

from typing import TYPE_CHECKING, Any

from warpath.cli.bench.suite_options import PICTURES, TEXTS
from warpath.cli.show import wants_json, write_text

if TYPE_CHECKING:
    from rich.console import Console

    from warpath.bench.summary import Summary


def prints_text(*, markdown: str | None, latex: str | None, csv: str | None, **_: Any) -> bool:
    """Whether standard output is for something else than tables for people."""
    return wants_json() or "-" in (markdown, latex, csv)


def _text(kind: str, found: "dict[str, Summary]") -> str:
    """The suites' tables in Markdown, LaTeX or CSV."""
    from warpath.bench import report_page, result_table

    if kind == "markdown":
        return "".join(report_page.section(name, one.suite, one) for name, one in found.items())
    if kind == "latex":
        return "\n".join(map(result_table.latex, found.values()))
    return result_table.as_csv(found)


def write_texts(found: "dict[str, Summary]", printed: bool, **files: Any) -> None:
    """The files that were asked for, with all suites so far; or what shall be ``printed``."""
    for kind in TEXTS:
        if files[kind] is not None and (files[kind] == "-") is printed:
            write_text(files[kind], _text(kind, found))


def show_suite(name: str, found: "Summary", screen: "Console") -> None:
    """Print a suite's table, verdicts and remarks."""
    from warpath.bench import result_table
    from warpath.bench.report_page import VERDICTS

    screen.print(f"{name}: {found.heading}", style="bold", soft_wrap=True)
    screen.print(found.suite.about, style="dim")
    screen.print(result_table.grid(found).rich())
    for text, holds in result_table.claims(found):
        screen.print(VERDICTS[holds].ljust(13), text, soft_wrap=True)
    for line in result_table.remarks(found):
        screen.print(line, soft_wrap=True)
    screen.print()


def plot_suite(name: str, found: "Summary", several: bool, plot: str, rooflines: bool) -> None:
    """A suite's figure, and if asked for its roofline, into a folder or a file."""
    from pathlib import Path

    from warpath.bench import figure, roofline

    def file(what: str) -> Path:
        path = Path(plot)
        if path.suffix in PICTURES and not path.is_dir():
            return path.with_name(f"{path.stem}{f'-{name}' * several}{what}{path.suffix}")
        return path / f"{name}{what}.png"

    file("").parent.mkdir(parents=True, exist_ok=True)
    figure.save(found, file(""))
    if rooflines:
        roofline.save(found, file("-roofline"))


def suite_data(found: "Summary") -> dict[str, Any]:
    """What ``--json`` says of a suite."""
    from warpath.bench import result_table

    return {
        "title": found.heading,
        "cells": [
            {
                "graph": graph, "shown": found.name(graph), "configuration": label,
                "status": cell.status, "why": cell.why,
                "seconds": cell.seconds, "teps": cell.teps, "cold_seconds": cell.cold,
                "sources": cell.repeats, "paper_seconds": found.suite.published.get((graph, label)),
                "quoted_seconds": {
                    name: known.get((graph, label)) for name, known in found.suite.quoted.items()
                },
            }
            for (graph, label), cell in found.cells.items()
        ],
        "claims": [{"text": text, "holds": holds} for text, holds in result_table.claims(found)],
    }  # fmt: skip
