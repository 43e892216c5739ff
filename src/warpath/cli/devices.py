"""``warpath devices``: what warpath can compute on here."""

import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warpath.cli import options
from warpath.cli.show import emit

if TYPE_CHECKING:
    from rich.console import Console


@click.command()
@options.threads
@options.as_json
def devices() -> None:
    """What warpath can compute on here."""
    from warpath import num_threads

    cpu = {"name": "cpu", "model": _cpu_model(), "cores": os.cpu_count(), "threads": num_threads()}

    def render(screen: "Console") -> None:
        from rich.table import Table

        table = Table("device", "model", "cores", "threads used")
        table.add_row(*(str(value) for value in cpu.values()))
        screen.print(table)

    emit({"devices": [cpu]}, render)


def _cpu_model() -> str:
    """What the processor calls itself."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():  # Linux
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
