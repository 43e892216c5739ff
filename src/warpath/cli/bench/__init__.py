"""``warpath bench``: the papers' tables and figures, and whether anything got slower."""

from typing import Any

import click

from warpath.cli.bench.compare import compare
from warpath.cli.bench.graph500 import graph500
from warpath.cli.bench.list_suites import list_suites
from warpath.cli.bench.page import page
from warpath.cli.bench.run import run, run_suites
from warpath.cli.bench.suite_options import run_options
from warpath.cli.bench.trial_files import condense, figures, report, table
from warpath.cli.errors import Group
from warpath.cli.name_types import examples


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
        @run_options
        def one(**given: Any) -> None:
            run_suites((name,), **given)

        return one


@click.group(cls=Suites)
def bench() -> None:
    """Run the papers' tables and figures, compare runs."""


for _command in (list_suites, run, graph500, table, condense, report, figures, page, compare):
    bench.add_command(_command)
