"""The commands that read files of trials: ``warpath bench table``, ``condense``, ``report``, ``figures``."""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options
from warpath.cli.bench.suite_options import to_files
from warpath.cli.bench.suite_output import (
    plot_suite,
    prints_text,
    show_suite,
    suite_data,
    write_texts,
)
from warpath.cli.name_types import examples
from warpath.cli.show import emit, write_text

if TYPE_CHECKING:
    from rich.console import Console


_FILES = click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False)
)


@click.command(
    epilog=examples(
        "warpath bench table trials.jsonl --markdown -",
    )
)
@_FILES
@to_files
@options.as_json
def table(files: tuple[str, ...], plot: str | None, rooflines: bool, **wanted: Any) -> None:
    """The tables of FILES of trials, also of a run that was cut off."""
    from warpath.bench.report_page import summaries
    from warpath.bench.suites import SUITES

    found = summaries(files, SUITES)
    for name, one in found.items() if plot is not None else ():
        plot_suite(name, one, len(found) > 1, plot or "", rooflines)
    write_texts(found, False, **wanted)
    write_texts(found, True, **wanted)

    def render(screen: "Console") -> None:
        for name, one in found.items() if not prints_text(**wanted) else ():
            show_suite(name, one, screen)

    emit({"suites": {name: suite_data(one) for name, one in found.items()}}, render)


@click.command(
    epilog=examples(
        "warpath bench condense trials.jsonl -o medians.jsonl",
    )
)
@_FILES
@click.option("-o", "--output", type=click.Path(dir_okay=False, allow_dash=True), default="-",
              help="One line for each configuration on each graph.  [default: print]")  # fmt: skip
def condense(files: tuple[str, ...], output: str) -> None:
    """Keep the medians of FILES of trials: one line for each configuration and graph."""
    from warpath.bench.condense import condense as medians
    from warpath.bench.report_page import summaries
    from warpath.bench.suites import SUITES

    own = {name: make for name, make in SUITES.items() if not make().trials_of}
    lines = [one.as_json() for one in medians(summaries(files, own).values())]
    write_text(output, "".join(f"{line}\n" for line in lines))


@click.command(
    epilog=examples(
        "warpath bench report trials.jsonl -o report.md",
    )
)
@_FILES
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    default="-",
    help="The table of claims, in Markdown; pages of the papers go into the folder of that name "
    "without .md.  [default: print all]",
)
@click.option(
    "--notes",
    type=click.Path(exists=True, file_okay=False),
    help="A folder of conclusions: SUITE.md stands behind its table, README.md in front.",
)
def report(files: tuple[str, ...], output: str, notes: str | None) -> None:  # fmt: skip
    """Pages of FILES of trials: claims and verdicts; each paper's tables with our conclusions."""
    from pathlib import Path

    from warpath.bench import report_page
    from warpath.bench.suites import SUITES

    found = report_page.summaries(files, SUITES)
    folder = None if notes is None else Path(notes)
    if output == "-":
        write_text(output, "\n".join(report_page.pages(found, folder, "report").values()))
    else:
        report_page.write(found, folder, Path(output))


@click.command(
    epilog=examples(
        "warpath bench figures trials.jsonl -o figures.jsonl",
    )
)
@_FILES
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False),
              help="JSON lines of figures: a line replaces that of the same search on the same machine.")  # fmt: skip
def figures(files: tuple[str, ...], output: str) -> None:
    """Add what FILES of trials of the suites peers, growth and gap measured to a file of figures."""
    from pathlib import Path

    from warpath.bench import measure_figures, measured, report_page
    from warpath.bench.suites import SUITES

    found = report_page.summaries(files, SUITES)
    old = measured.read(output) if Path(output).exists() else []
    both = measured.merge(old, measure_figures.figures(found))
    write_text(output, "".join(f"{one.as_json()}\n" for one in both))
