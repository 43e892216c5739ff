"""``warpath warm-up``: compile kernels ahead."""

from typing import TYPE_CHECKING

import click

from warpath.cli import options
from warpath.cli.name_types import examples
from warpath.cli.show import Stopwatch, bar, emit

if TYPE_CHECKING:
    from rich.console import Console


@click.command(
    "warm-up", epilog=examples("warpath warm-up", "warpath warm-up --device cpu --threads 2")
)
@click.option(
    "--device",
    type=click.Choice(["auto", "cpu", "cuda"]),
    default="auto",
    show_default=True,
    help="Whose kernels: auto is the CPU's, and the GPU's where there is one.",
)
@options.threads
@options.as_json
def warm_up(device: str) -> None:
    """Compile the kernels that searches commonly use, so that no first call waits.

    For images, CI and clusters: run it where the programs will run, or on the same kind of CPU
    and GPU. The kernels are kept where the environment says: WARPATH_CACHE, NUMBA_CACHE_DIR.
    """
    from warpath.algorithms import warm_up as ahead

    with Stopwatch() as watch, bar("Compiling kernels") as progress:
        warm = ahead.warm_up(device, progress)
    folders = [str(folder) for folder in warm.folders]
    data = {
        "kernels": warm.kernels,
        "bytes": warm.nbytes,
        "folders": folders,
        "seconds": watch.elapsed,
    }

    def render(screen: "Console") -> None:
        screen.print(
            f"{warm.kernels} kernels, {warm.nbytes / 1e6:.1f} MB, {watch.elapsed:.1f} s",
            *folders, sep="\n", soft_wrap=True,
        )  # fmt: skip

    emit(data, render)
