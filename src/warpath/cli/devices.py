"""``warpath devices``: the CPU and GPUs that warpath can use."""

import os
from typing import TYPE_CHECKING

import click

from warpath.cli import options
from warpath.cli.name_types import examples
from warpath.cli.show import emit, number

if TYPE_CHECKING:
    from rich.console import Console


@click.command(
    epilog=examples(
        "warpath devices",
        "warpath devices --json",
    )
)
@options.threads
@options.as_json
def devices() -> None:
    """List the CPU and GPUs that warpath can use."""
    from warpath import devices as cuda
    from warpath import num_threads
    from warpath.bench.machine import cpu_model

    cpu = {"name": "cpu", "model": cpu_model(), "cores": os.cpu_count(), "threads": num_threads()}

    gpus = [
        {
            "name": f"cuda:{gpu.number}",
            "model": gpu.model,
            "compute_capability": ".".join(map(str, gpu.compute_capability)),
            "multiprocessors": gpu.multiprocessors,
            "memory": gpu.memory,
        }
        for gpu in cuda.devices()
    ]
    missing = cuda.missing()

    def render(screen: "Console") -> None:
        from rich.table import Table

        table = Table("device", "model", "cores", "threads used")
        table.add_row(*(str(value) for value in cpu.values()))
        screen.print(table)
        if missing is not None:
            screen.print(f"No GPU: {missing}", soft_wrap=True)
            return
        table = Table("device", "model", "compute capability", "multiprocessors", "memory")
        for gpu in gpus:
            table.add_row(*(number(value) for value in gpu.values()))
        screen.print(table)

    emit({"devices": [cpu, *gpus], "missing": missing}, render)
