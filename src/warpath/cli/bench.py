"""``warpath bench``: the papers' tables and figures, and whether anything got slower."""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options
from warpath.cli.errors import BAD_INPUT, WRONG_ANSWER, Group
from warpath.cli.graph500 import graph500
from warpath.cli.name_types import Name, examples
from warpath.cli.show import console, emit, note, wants_json, working, write_text
from warpath.files import check_replaceable
from warpath.typing import DEVICES

if TYPE_CHECKING:
    from rich.console import Console

    from warpath.bench.summary import Summary
    from warpath.bench.trial import Trial


def _suites() -> list[str]:
    from warpath.bench.suites import SUITES

    return [*SUITES, "all"]


class Suites(Group):
    """A command for each suite, in addition to those that are written here."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All of them."""
        from warpath.bench.suites import SUITES

        return [*super().list_commands(ctx), *SUITES]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The suite of that name."""
        found = super().get_command(ctx, name)
        if found is not None:
            return found
        from warpath.bench.suites import SUITES

        if name not in SUITES:
            return None
        about = SUITES[name].__doc__ or ""

        end = examples(f"warpath bench {name} --quick")

        @click.command(name, help=about, short_help=about.strip().splitlines()[0], epilog=end)
        @_run_options
        def one(**given: Any) -> None:
            _run((name,), **given)

        return one


def _listed(_: click.Context, __: click.Parameter, text: str | None) -> tuple[str, ...]:
    return tuple(filter(None, (text or "").split(",")))


_PICTURES = (".pdf", ".svg", ".png")
_TEXTS = ("markdown", "latex", "csv")


def _can_draw(_: click.Context, __: click.Parameter, plot: str | None) -> str | None:
    """Refuse, before anything is measured, what could not be drawn."""
    from pathlib import Path

    if plot is None:
        return None
    suffix = Path(plot).suffix
    if suffix and suffix not in _PICTURES and not Path(plot).is_dir():
        raise click.BadParameter(f"{plot}: a picture ends in {', '.join(_PICTURES)}")
    from warpath.figures import new_figure

    try:
        new_figure()
    except ModuleNotFoundError as error:
        raise click.UsageError(str(error)) from None
    return plot


# What a command writes of its suites.
_to_files = options.together(
    click.option("--markdown", type=click.Path(dir_okay=False, allow_dash=True),
                 help="Write tables in Markdown ('-': print them)."),
    click.option("--latex", type=click.Path(dir_okay=False, allow_dash=True),
                 help="Write tables in LaTeX, with the rules of booktabs ('-': print them)."),
    click.option("--csv", type=click.Path(dir_okay=False, allow_dash=True),
                 help="Write a line of values for each configuration on each graph ('-': print)."),
    click.option("--plot", type=click.Path(), metavar="FOLDER|FILE", callback=_can_draw,
                 help="Draw a figure of each suite: into this folder as .png, or to this .pdf, .svg "
                      "or .png file (of several suites with their names added)."),
    click.option("--rooflines", is_flag=True,
                 help="With --plot: draw times over the bytes that a search must move, as well."),
)  # fmt: skip

_run_options = options.together(
    _to_files,
    click.option("-o", "--output", type=click.Path(dir_okay=False),
                 help="Append one line of JSON per trial to this file."),
    click.option("--originals", is_flag=True,
                 help="The papers' own graphs, where they were fetched."),
    click.option("--configurations", callback=_listed, metavar="PART,PART",
                 help="Only configurations with one of these in their names."),
    click.option("--graphs", callback=_listed, metavar="PART,PART",
                 help="Only graphs with one of these in their names."),
    click.option("--keep-graphs", type=click.Path(file_okay=False), metavar="DIR",
                 help="Keep graphs here that take long to make, for other runs."),
    click.option("--budget", type=float,
                 help="Seconds for each suite, all but compiling counted; then nothing more is begun."
                      "  [default: 420; 30 with --quick, inf with --full]"),
    click.option("--limit", type=float,
                 help="Seconds that a configuration may measure on a graph.  [default: 10; 2 with --quick]"),
    click.option("--quick", is_flag=True, help="A tenth of the vertices, 5 sources."),
    click.option("--full", is_flag=True, help="100 sources, as the papers have."),
    click.option("--sources", type=int, help="Sources per graph.  [default: 20; of gap 64]"),
    click.option("--scale", type=float, help="Times the vertices of the paper's graphs.  [default: 1]"),
    click.option("--device", default="auto", show_default=True, type=Name(DEVICES),
                 help="cpu, cuda, or auto: all that can be used."),
    options.seed,
    options.threads,
    options.as_json,
)  # fmt: skip


@click.group(cls=Suites)
def bench() -> None:
    """Run the papers' tables and figures, compare runs."""


bench.add_command(graph500)


@bench.command(
    "list",
    epilog=examples(
        "warpath bench list",
    ),
)
@options.as_json
def list_() -> None:
    """The suites, and what each shows."""
    from warpath.bench.suites import SUITES

    made = {name: make() for name, make in SUITES.items()}
    data = {
        name: {
            "title": one.title,
            "graphs": len(one.cases),
            "configurations": len(one.configurations),
        }
        for name, one in made.items()
    }

    def render(screen: "Console") -> None:
        from rich.table import Table

        table = Table("suite", "shows", "graphs", "configurations")
        for name, one in data.items():
            table.add_row(name, *(str(value) for value in one.values()))
        screen.print(table)

    emit({"suites": data}, render)


@bench.command(
    epilog=examples(
        "warpath bench run survey-table1 --quick --device cpu -o trials.jsonl",
        'warpath bench run "hong-*" --quick --plot figures',
    )
)
@click.argument("names", nargs=-1, required=True, metavar="SUITE...", type=Name(_suites))
@_run_options
def run(names: tuple[str, ...], **given: Any) -> None:
    """Run several suites: by name, by pattern ("hbf-*"), or "all"."""
    from fnmatch import fnmatchcase

    from warpath.bench.suites import SUITES

    found: dict[str, None] = {}
    for name in names:
        matching = [one for one in SUITES if name == "all" or fnmatchcase(one, name)]
        if not matching:
            raise click.UsageError(f"no suite is called {name!r}; there are {', '.join(SUITES)}")
        found |= dict.fromkeys(matching)
    _run(tuple(found), **given)


def _run(
    names: tuple[str, ...],
    *,
    device: str,
    scale: float | None,
    sources: int | None,
    seed: int,
    full: bool,
    quick: bool,
    limit: float | None,
    budget: float | None,
    keep_graphs: str | None,
    graphs: tuple[str, ...],
    configurations: tuple[str, ...],
    originals: bool,
    output: str | None,
    plot: str | None,
    rooflines: bool,
    **wanted: Any,
) -> None:
    from contextlib import nullcontext
    from math import inf

    from warpath import devices
    from warpath.bench import runner
    from warpath.bench.prepare import prepare
    from warpath.bench.suites import SUITES
    from warpath.bench.summary import Summary
    from warpath.bench.trial import appending

    if budget is None:
        budget = inf if full else runner.QUICK_BUDGET if quick else runner.BUDGET
    if limit is None:
        limit = runner.QUICK_LIMIT if quick else runner.LIMIT
    if sources is None:
        sources = runner.ALL_SOURCES if full else runner.QUICK_SOURCES if quick else None
    settings = runner.Settings(
        device=device,
        scale=scale if scale is not None else runner.QUICK_SCALE if quick else 1.0,
        sources=sources, seed=seed, limit=limit, budget=budget, originals=originals,
        folder=keep_graphs, graphs=graphs, configurations=configurations,
    )  # fmt: skip
    if device != "cpu" and devices.missing() is None:
        with working("Compiling"):
            prepare((SUITES[name]() for name in names), settings)
    for kind in _TEXTS:
        if wanted[kind] not in (None, "-"):
            check_replaceable(wanted[kind])
    results = {}
    with appending(output) if output else nullcontext() as append:

        def seen(trial: Any) -> None:
            if append is not None:
                append(trial)
            note(f"{trial.graph['name']}, {trial.configuration['label']}: {trial.status}")

        for name in names:
            suite = SUITES[name]()
            results[name] = Summary(suite, runner.run(name, suite, settings, seen))
            if not _prints(**wanted):
                _show(name, results[name], console())
            _write(results, False, **wanted)
            if plot is not None:
                _plot(name, results[name], len(names) > 1, plot, rooflines)
    _write(results, True, **wanted)
    if wants_json():
        emit({"suites": {name: _as_data(found) for name, found in results.items()}}, lambda _: None)
    if any(cell.status == "wrong" for found in results.values() for cell in found.cells.values()):
        click.get_current_context().exit(WRONG_ANSWER)
    empty = [name for name, found in results.items() if not found.was_measured]
    for name in empty:
        why = dict.fromkeys(str(cell.why) for cell in results[name].cells.values())
        click.echo(f"Error: {name} measured nothing: {'; '.join(why)}", err=True)
    if empty:
        click.get_current_context().exit(BAD_INPUT)


def _prints(*, markdown: str | None, latex: str | None, csv: str | None, **_: Any) -> bool:
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


def _write(found: "dict[str, Summary]", printed: bool, **files: Any) -> None:
    """The files that were asked for, with all suites so far; or what shall be ``printed``."""
    for kind in _TEXTS:
        if files[kind] is not None and (files[kind] == "-") is printed:
            write_text(files[kind], _text(kind, found))


def _show(name: str, found: "Summary", screen: "Console") -> None:
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


def _machines(trials: list["Trial"]) -> set[tuple[Any, ...]]:
    """What they ran on, the measured bandwidth apart."""
    return {
        tuple(value for key, value in trial.machine.items() if key != "bandwidth")
        for trial in trials
    }


def _plot(name: str, found: "Summary", several: bool, plot: str, rooflines: bool) -> None:
    """A suite's figure, and if asked for its roofline, into a folder or a file."""
    from pathlib import Path

    from warpath.bench import figure, roofline

    def file(what: str) -> Path:
        path = Path(plot)
        if path.suffix in _PICTURES and not path.is_dir():
            return path.with_name(f"{path.stem}{f'-{name}' * several}{what}{path.suffix}")
        return path / f"{name}{what}.png"

    file("").parent.mkdir(parents=True, exist_ok=True)
    figure.save(found, file(""))
    if rooflines:
        roofline.save(found, file("-roofline"))


def _as_data(found: "Summary") -> dict[str, Any]:
    from warpath.bench import result_table

    return {
        "title": found.heading,
        "cells": [
            {
                "graph": graph, "shown": found.name(graph), "configuration": label,
                "status": cell.status, "why": cell.why,
                "seconds": cell.seconds, "teps": cell.teps, "cold_seconds": cell.cold,
                "sources": cell.repeats, "paper_seconds": found.suite.published.get((graph, label)),
            }
            for (graph, label), cell in found.cells.items()
        ],
        "claims": [{"text": text, "holds": holds} for text, holds in result_table.claims(found)],
    }  # fmt: skip


_FILES = click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False)
)


@bench.command(
    epilog=examples(
        "warpath bench table trials.jsonl --markdown -",
    )
)
@_FILES
@_to_files
@options.as_json
def table(files: tuple[str, ...], plot: str | None, rooflines: bool, **wanted: Any) -> None:
    """The tables of FILES of trials, also of a run that was cut off."""
    from warpath.bench.report_page import summaries
    from warpath.bench.suites import SUITES

    found = summaries(files, SUITES)
    for name, one in found.items() if plot is not None else ():
        _plot(name, one, len(found) > 1, plot or "", rooflines)
    _write(found, False, **wanted)
    _write(found, True, **wanted)

    def render(screen: "Console") -> None:
        for name, one in found.items() if not _prints(**wanted) else ():
            _show(name, one, screen)

    emit({"suites": {name: _as_data(one) for name, one in found.items()}}, render)


@bench.command(
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


@bench.command(
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


@bench.command(
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


@bench.command(
    epilog=examples(
        "warpath bench page figures.jsonl -o performance.md",
    )
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False),
              help="The page, in Markdown; plots go into the folder of that name without .md.")  # fmt: skip
def page(file: str, output: str) -> None:
    """A page of FILE, a line for each measured figure: tables and plots."""
    from os.path import relpath
    from pathlib import Path

    from warpath.bench import measured, performance_page

    source = relpath(file, Path(output).parent)
    performance_page.write(measured.read(file), source, Path(output))


@bench.command(
    epilog=examples(
        "warpath bench compare before.jsonl after.jsonl",
    )
)
@click.argument("before", type=click.Path(exists=True, dir_okay=False))
@click.argument("after", type=click.Path(exists=True, dir_okay=False))
@click.option("--threshold", type=float, default=1.05, show_default=True,
              help="How many times as long counts as slower.")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Show what stayed the same as well.")
@options.as_json
def compare(before: str, after: str, threshold: float, everything: bool) -> None:
    """Compare two files of trials; exit code 1 if anything got slower or broke."""
    from dataclasses import asdict

    from warpath.bench.compare import compare as changes_between
    from warpath.bench.trial import read

    old, new = read(before), read(after)
    changes = changes_between(old, new, threshold)
    others = _machines(old) != _machines(new)
    shown = [one for one in changes if everything or one.verdict != "same"]

    def render(screen: "Console") -> None:
        from rich.table import Table

        if others:
            screen.print("The two were not run on the same machine.", style="yellow")
        table = Table(
            "suite", "graph", "configuration", "before, ms", "after, ms", "ratio", "95 %", ""
        )
        for one in shown:
            times = ["–" if t is None else f"{t * 1e3:,.4g}" for t in (one.before, one.after)]
            ratio = "–" if one.ratio is None else f"{one.ratio:.2f}"
            interval = "–" if one.low is None else f"{one.low:.2f} … {one.high:.2f}"
            table.add_row(one.key[0], one.key[1], one.key[3], *times, ratio, interval, one.verdict)
        if shown:
            screen.print(table)
        counts: dict[str, int] = {}
        for one in changes:
            counts[one.verdict] = counts.get(one.verdict, 0) + 1
        screen.print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))

    emit({"changes": [asdict(one) for one in changes], "same_machine": not others}, render)
    if any(one.is_regression for one in changes):
        click.get_current_context().exit(WRONG_ANSWER)
