"""``warpath bench graph500``."""

from typing import Any

import click

from warpath.cli import options
from warpath.cli.name_types import Name, examples
from warpath.cli.show import emit


@click.command(
    epilog=examples(
        "warpath bench graph500 --scale 12 --roots 8",
        "mpiexec -n 4 warpath bench graph500 --scale 22 --sssp",
    )
)
@click.option("--scale", type=click.IntRange(0, 30), required=True,
              help="2^N vertices.", metavar="N")  # fmt: skip
@click.option("--edge-factor", type=click.IntRange(1), default=16, show_default=True,
              help="Edges per vertex.")  # fmt: skip
@click.option("--roots", type=click.IntRange(1), default=64, show_default=True,
              help="Searches that are timed.")  # fmt: skip
@click.option("--sssp", is_flag=True, help="Time shortest paths, too.")
@click.option("--device", type=Name(lambda: ["cpu", "cuda"]), default="cpu", show_default=True,
              help="Where one process searches.")  # fmt: skip
@options.seed
@options.as_json
def graph500(scale: int, edge_factor: int, roots: int, sssp: bool, device: Any, seed: int) -> None:
    """The Graph500 benchmark, in one process or on the ranks that mpiexec started.

    Each answer is validated. TEPS count the edges that were drawn.
    """
    from warpath import distributed
    from warpath.bench import graph500 as benchmark

    distributed.init()
    subject: benchmark.Subject = benchmark.OnDevice(device)
    if distributed.size() > 1:
        if device != "cpu":
            raise click.UsageError("ranks search on --device cpu")
        subject = benchmark.InParts()
    kernels = ("bfs", "sssp") if sssp else ("bfs",)
    result = benchmark.run(subject, scale, edge_factor, roots=roots, kernels=kernels, seed=seed)
    if distributed.rank() > 0:
        return
    data = {
        "scale": scale, "edge_factor": edge_factor, "ranks": result.ranks, "device": device,
        "generation": result.generation, "construction": result.construction,
        "edges": result.edges, "times": result.times, "validation": result.validation,
        "harmonic_mean_teps": {kernel: result.harmonic_mean(kernel) for kernel in kernels},
    }  # fmt: skip
    emit(data, lambda screen: screen.print("\n".join(result.lines())))
