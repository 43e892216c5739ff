"""``warpath bench run``: measure suites."""

from typing import Any

import click

from warpath.cli.bench.suite_options import TEXTS, run_options
from warpath.cli.bench.suite_output import (
    plot_suite,
    prints_text,
    show_suite,
    suite_data,
    write_texts,
)
from warpath.cli.errors import BAD_INPUT, WRONG_ANSWER
from warpath.cli.name_types import Name, examples
from warpath.cli.show import console, emit, note, wants_json, working
from warpath.files import check_replaceable


def _suites() -> list[str]:
    from warpath.bench.suites import SUITES

    return [*SUITES, "all"]


@click.command(
    epilog=examples(
        "warpath bench run survey-table1 --quick --device cpu -o trials.jsonl",
        'warpath bench run "hong-*" --quick --plot figures',
    )
)
@click.argument("names", nargs=-1, required=True, metavar="SUITE...", type=Name(_suites))
@run_options
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
    run_suites(tuple(found), **given)


def run_suites(
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
    """Measure suites one after the other: show each as it ends, write and draw what was asked for."""
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
    for kind in TEXTS:
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
            if not prints_text(**wanted):
                show_suite(name, results[name], console())
            write_texts(results, False, **wanted)
            if plot is not None:
                plot_suite(name, results[name], len(names) > 1, plot, rooflines)
    write_texts(results, True, **wanted)
    if wants_json():
        emit(
            {"suites": {name: suite_data(found) for name, found in results.items()}}, lambda _: None
        )
    if any(cell.status == "wrong" for found in results.values() for cell in found.cells.values()):
        click.get_current_context().exit(WRONG_ANSWER)
    empty = [name for name, found in results.items() if not found.was_measured]
    for name in empty:
        why = dict.fromkeys(str(cell.why) for cell in results[name].cells.values())
        click.echo(f"Error: {name} measured nothing: {'; '.join(why)}", err=True)
    if empty:
        click.get_current_context().exit(BAD_INPUT)
