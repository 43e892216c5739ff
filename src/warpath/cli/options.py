"""Options that several commands share."""

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any, get_args

import click

from warpath.cli.errors import JSON
from warpath.cli.name_types import FIELD_VALUES, ScheduleText, name_option
from warpath.cli.result_files import check_suffix
from warpath.typing import (
    DEVICES,
    AlgebraName,
    BalanceName,
    FormatName,
    MethodName,
    PresetName,
)


def together(*add: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator; help shows them in this order."""
    return lambda command: reduce(lambda made, option: option(made), reversed(add), command)


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
nearest = click.option("--nearest", is_flag=True, help="Distances from the nearest source.")
output = click.option(
    "-o", "--output", type=click.Path(dir_okay=False), callback=check_suffix,
    help="Write distances and predecessors: .npz, .csv, .parquet, or .npy (distances alone).",
)  # fmt: skip
algebra = name_option(
    "--algebra", get_args(AlgebraName), "What a path is worth", default="shortest",
)  # fmt: skip
method = name_option("--method", get_args(MethodName), "How to search", default="auto")
device = name_option("--device", DEVICES, "Where to compute", default="auto")
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


class _Schedule(click.Option):
    """``--schedule``, whose help lists what its searches have."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """List it now, as it takes heavier imports."""
        record = super().get_help_record(ctx)
        assert record is not None
        assert isinstance(self.type, ScheduleText)
        spelled, about = record
        return spelled, "\n\n".join((about, *_what_may_be_said(self.type)))


_ABOUT = {
    "balance": "NAME[:KNOB=VALUE], how a GPU's threads share the edges",
    "frontier": "frontier=NAME, how a GPU makes the next one",
    "duplicates": "duplicates=NAME, how duplicate vertices in a GPU queue are removed",
    "enqueue": "enqueue=NAME, how vertices are written to a GPU queue",
    "small_frontiers": "small_frontiers=NAME, what expands a GPU's frontiers of few edges",
    "prefilter": "prefilter=NAME, whether a GPU looks up a bit before a distance",
    "path_limit": "path_limit=NAME, whether a GPU leaves out edges that offer much",
    "direction": "direction=NAME, which vertices look for neighbours",
    "alpha": "alpha=NUMBER, when optimizing turns bottom-up (Beamer's α)",
    "beta": "beta=NUMBER, when it turns back (Beamer's β)",
    "delta": "delta=NUMBER, the width of buckets, or delta=davidson, of methods that have them",
    "loop": "loop=NAME, on a GPU one launch for all iterations, or one for each",
    "optimizations": "optimizations=NAME+NAME or none, what --method h-bf does",
}
"""What each field of a schedule says."""


def _what_may_be_said(kind: ScheduleText) -> Iterator[str]:
    """What a schedule's text may hold, in paragraphs."""
    if kind.has_presets:
        presets = ", ".join(get_args(PresetName))
        yield f"NAME[:SWITCH=on|off] of a paper's search on a GPU, as the first part: {presets}."
    for field in kind.fields:
        values = get_args(BalanceName) if field == "balance" else FIELD_VALUES.get(field, ())
        listed = f": {', '.join(values)}" if values and "on|off" not in _ABOUT[field] else ""
        yield f"{_ABOUT[field]}{listed}."
    if kind.has_profiles:
        yield "Or a .json file that warpath advise wrote of this graph."


def schedule(example: str, *searches: str) -> Any:
    """An option for how some searches run."""
    return click.option(
        "--schedule", cls=_Schedule, type=ScheduleText(*searches),
        help=f"How to search: parts with commas between them, such as {example}.",
    )  # fmt: skip


def file_format(flag: str = "--format", *, reads: bool = False) -> Any:
    """An option for the format of a file."""
    default = "by suffix, then by content" if reads else "by suffix"
    return name_option(
        flag, sorted(get_args(FormatName)), f"The file's format (default: {default})"
    )


def gpus(text: str) -> int | list[int]:
    """What ``--devices`` says: ``2`` is how many, ``0,1`` which."""
    try:
        numbers = [int(word) for word in text.removesuffix(",").split(",")]
    except ValueError:
        raise click.BadParameter(f"{text!r} is neither a number nor numbers: 2, or 0,1") from None
    return numbers if "," in text else numbers[0]


def several(help: str = "How many GPUs, or which (0,1), search the graph in parts.") -> Any:
    """The option ``--devices``."""
    return click.option("--devices", type=gpus, metavar="COUNT|NUMBER,…", help=help)
