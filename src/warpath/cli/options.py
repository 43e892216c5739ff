"""Options that several commands share."""

import click

from warpath.cli.errors import JSON
from warpath.cli.results import check_suffix


def int_or_float(text: str) -> int | float:
    """An integer if it reads as one, else a float: ``1`` and ``1.0`` may ask for other dtypes."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    raise click.BadParameter(f"{text!r} is not a number")


def _use_threads(ctx: click.Context, _: click.Parameter, threads: int | None) -> None:
    if threads is not None:
        from warpath import set_num_threads

        set_num_threads(threads)
        ctx.call_on_close(lambda: set_num_threads(None))


def _keep_json(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    ctx.meta[JSON] = wanted


as_json = click.option(
    "--json", is_flag=True, is_eager=True, expose_value=False, callback=_keep_json,
    help="Print one JSON object.",
)  # fmt: skip
threads = click.option(
    "--threads", type=click.IntRange(min=1), expose_value=False, callback=_use_threads,
    help="Use at most so many threads (default: all cores).",
)  # fmt: skip
seed = click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True,
    help="Where the random numbers start.",
)  # fmt: skip
source = click.option(
    "-s", "--source", "sources", multiple=True, metavar="VERTEX",
    help="Where paths start; give it again for more (default: the vertex of highest degree).",
)  # fmt: skip
output = click.option(
    "-o", "--output", type=click.Path(dir_okay=False), callback=check_suffix,
    help="Write distances and predecessors: .npz, .csv, .parquet, or .npy (distances alone).",
)  # fmt: skip
algebra = click.option(
    "--algebra", metavar="NAME",
    help="What a path is worth: shortest (default), widest, most-reliable, minimax, reachability.",
)  # fmt: skip
device = click.option("--device", help="auto (default), cpu or cuda; for apsp also hybrid.")
balance = click.option(
    "--balance", metavar="NAME[:KNOB=VALUE]",
    help="How arcs reach a GPU's threads: virtual-warp:width=8.",
)  # fmt: skip
loop = click.option(
    "--loop", help="On a GPU, launch once (device, default) or each iteration (host)."
)
frontier = click.option(
    "--frontier", metavar="NAME",
    help="On a GPU: vertex-queue (default), edge-queue, bitmap or topology-driven.",
)  # fmt: skip
duplicates = click.option(
    "--duplicates", metavar="NAME",
    help="How a GPU's queues drop them: status-bitmap (default), none, hash, warp-culling, …",
)  # fmt: skip
preset = click.option(
    "--preset", metavar="NAME[:SWITCH=on|off]",
    help="A paper's search on a GPU: harish, virtual-warp, merrill, bfs-4k:hash-duplicates=off, …",
)  # fmt: skip
