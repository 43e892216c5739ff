"""``warpath bench graph500``."""

from typing import Any

import click

from warpath.cli import options
from warpath.cli.name_types import Name, examples
from warpath.cli.show import emit
from warpath.typing import GPU_EXCHANGES


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
@click.option("--by-degree/--as-drawn", default=True, show_default=True,
              help="How the graph numbers its vertices.")  # fmt: skip
@click.option("--sssp", is_flag=True, help="Time shortest paths, too.")
@click.option("--device", type=Name(lambda: ["cpu", "cuda"]),
              help="Where each process searches.  [default: cpu; cuda with --devices]")  # fmt: skip
@options.several("How many GPUs of this process, or which (0,1).")
@click.option("--gpu-exchange", type=Name(lambda: GPU_EXCHANGES),
              help="How arrays travel between the GPUs of ranks.  [default: nccl, if each rank has it and a GPU]")  # fmt: skip
@click.option("--share-gpus", is_flag=True, help="Let several ranks have the same GPU.")
@options.seed
@options.as_json
def graph500(
    scale: int,
    edge_factor: int,
    roots: int,
    by_degree: bool,
    sssp: bool,
    device: Any,
    devices: Any,
    gpu_exchange: Any,
    share_gpus: bool,
    seed: int,
) -> None:
    """The Graph500 benchmark, in one process, on the ranks that mpiexec started, or on several GPUs.

    Each answer is validated. TEPS count the edges that were drawn.
    """
    from warpath import devices as gpus
    from warpath import distributed
    from warpath.bench import graph500 as benchmark

    distributed.init(gpu_exchange=gpu_exchange, share_gpus=share_gpus)
    kernels = ("bfs", "sssp") if sssp else ("bfs",)
    chosen: dict[str, Any] = {"roots": roots, "kernels": kernels, "seed": seed}
    of_ranks = distributed.size() > 1 and device == "cuda"
    if (share_gpus or gpu_exchange) and not of_ranks:
        raise click.UsageError("--gpu-exchange and --share-gpus are for ranks with --device cuda")
    if distributed.size() > 1:
        if devices is not None:
            raise click.UsageError("--devices is for one process: ranks have --device cuda")
        device = device or "cpu"
        result = benchmark.run(
            benchmark.InParts(device, by_degree=by_degree), scale, edge_factor, **chosen
        )
    elif devices is not None:
        if device == "cpu":
            raise click.UsageError("--devices names GPUs: leave --device cpu out")
        device = "cuda"
        result = benchmark.run(
            benchmark.OnGpus(gpus.named(devices), by_degree=by_degree), scale, edge_factor, **chosen
        )
    else:
        device = device or "cpu"
        result = benchmark.run(
            benchmark.OnDevice(device, by_degree=by_degree), scale, edge_factor, **chosen
        )
    if distributed.rank() > 0:
        return
    data = {
        "scale": scale, "edge_factor": edge_factor, "ranks": result.ranks, "device": device, "by_degree": by_degree,
        "generation": result.generation, "construction": result.construction,
        "edges": result.edges, "times": result.times, "validation": result.validation,
        "harmonic_mean_teps": {kernel: result.harmonic_mean(kernel) for kernel in kernels},
    }  # fmt: skip
    emit(data, lambda screen: screen.print("\n".join(result.lines())))
