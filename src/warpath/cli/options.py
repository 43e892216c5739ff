"""Options that several commands share."""

from typing import Any, get_args

import click

from warpath.cli.errors import JSON
from warpath.cli.names import knobs_of, name_option, switches_of
from warpath.cli.results import check_suffix
from warpath.typing import (
    DEVICES,
    LOOPS,
    AlgebraName,
    BalanceName,
    DirectionName,
    DuplicatesName,
    FormatName,
    FrontierName,
    MethodName,
    PresetName,
)


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
    help="The most threads to use (default: one per core).",
)  # fmt: skip
seed = click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True,
    help="Random seed.",
)  # fmt: skip
source = click.option(
    "-s", "--source", "sources", multiple=True, metavar="VERTEX",
    help="Where paths start; give it again for more (default: the vertex of highest degree).",
)  # fmt: skip
output = click.option(
    "-o", "--output", type=click.Path(dir_okay=False), callback=check_suffix,
    help="Write distances and predecessors: .npz, .csv, .parquet, or .npy (distances alone).",
)  # fmt: skip
algebra = name_option(
    "--algebra", get_args(AlgebraName), "What a path is worth", default="shortest",
)  # fmt: skip
method = name_option("--method", get_args(MethodName), "How to search", default="auto")
device = name_option("--device", DEVICES, "Where to compute", default="auto")
balance = name_option(
    "--balance", get_args(BalanceName), "How a GPU's threads share the edges", knobs=knobs_of,
    metavar="NAME[:KNOB=VALUE]", also="  With knobs: virtual-warp:width=8.",
)  # fmt: skip
loop = name_option(
    "--loop", LOOPS, "On a GPU, one launch for all iterations, or one for each", default="device"
)
direction = name_option(
    "--direction", get_args(DirectionName), "Which vertices look for neighbours",
    default="optimizing",
)  # fmt: skip
frontier = name_option(
    "--frontier", get_args(FrontierName), "How a GPU makes the next frontier",
    default="vertex-queue",
)  # fmt: skip
duplicates = name_option(
    "--duplicates", get_args(DuplicatesName),
    "How duplicate vertices in a GPU queue are removed", default="status-bitmap",
)  # fmt: skip
preset = name_option(
    "--preset", get_args(PresetName), "A paper's search on a GPU", knobs=switches_of,
    metavar="NAME[:SWITCH=on|off]", also="  With switches: bfs-4k:hash-duplicates=off.",
)  # fmt: skip
dtype = name_option(
    "--dtype", ("int32", "int64", "float32", "float64"),
    "Type of the distances (default: the weights', where every distance fits)",
)  # fmt: skip
path_source = click.option(
    "-s", "--source", required=True, metavar="VERTEX", help="Where a path starts.",
)  # fmt: skip
path_target = click.option(
    "-t", "--target", required=True, metavar="VERTEX", help="Where a path ends.",
)  # fmt: skip
check = click.option("--verify", "check", is_flag=True, help="Check the answer's certificate.")


def file_format(flag: str = "--format", *, reads: bool = False) -> Any:
    """An option for the format of a file."""
    default = "by suffix, then by content" if reads else "by suffix"
    return name_option(
        flag, sorted(get_args(FormatName)), f"The file's format (default: {default})"
    )
