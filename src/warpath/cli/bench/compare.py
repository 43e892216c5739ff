"""``warpath bench compare``."""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options
from warpath.cli.errors import WRONG_ANSWER
from warpath.cli.name_types import examples
from warpath.cli.show import emit

if TYPE_CHECKING:
    from rich.console import Console

    from warpath.bench.trial import Trial


def _machines(trials: list["Trial"]) -> set[tuple[Any, ...]]:
    """What they ran on, the measured bandwidth apart."""
    return {
        tuple(value for key, value in trial.machine.items() if key != "bandwidth")
        for trial in trials
    }


@click.command(
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
