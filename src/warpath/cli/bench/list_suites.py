"""``warpath bench list``."""

from typing import TYPE_CHECKING

import click

from warpath.cli import options
from warpath.cli.name_types import examples
from warpath.cli.show import emit

if TYPE_CHECKING:
    from rich.console import Console


@click.command(
    "list",
    epilog=examples(
        "warpath bench list",
    ),
)
@options.as_json
def list_suites() -> None:
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
