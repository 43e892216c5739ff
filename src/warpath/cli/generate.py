"""``warpath generate``: graphs made by rule."""

from typing import Any, get_args

import click

from warpath.cli import options
from warpath.cli.errors import Group
from warpath.cli.load import facts
from warpath.cli.name_types import Name, examples
from warpath.cli.show import Stopwatch, duration, emit, working
from warpath.typing import GraphName

weights = click.option(
    "--weights", nargs=2, type=options.int_or_float, metavar="LOW HIGH",
    help="Random weights: int32 from two integers, both ends included; else float64.",
)  # fmt: skip
negative = click.option(
    "--negative", is_flag=True,
    help="Make weights negative too, by potentials: without a negative cycle. Needs --directed.",
)  # fmt: skip
output = click.option(
    "-o", "--output", required=True, type=click.Path(dir_okay=False), help="The graph file to write.",
)  # fmt: skip
directed = click.option("--directed", is_flag=True, help="Arcs, not undirected edges.")


_common = options.together(
    weights,
    options.seed,
    output,
    options.file_format(),
    options.threads,
    options.as_json,
)  # fmt: skip


def _paper_graphs() -> tuple[str, ...]:
    from warpath.bench.paper_graphs import NAMES

    return NAMES


@click.group(cls=Group)
def generate() -> None:
    """Make a graph: R-MAT, Erdős–Rényi, a grid, roads, one like a paper's, or a small known one."""


@generate.command(
    epilog=examples(
        "warpath generate rmat --scale 10 --weights 1 255 -o social.npz",
    )
)
@click.option("--scale", type=int, required=True, help="2^scale vertices.")
@click.option("--edge-factor", type=float, default=16, show_default=True, help="Edges per vertex.")
@click.option("-a", type=float, default=0.57, show_default=True, help="Upper left quarter.")
@click.option("-b", type=float, default=0.19, show_default=True, help="Upper right quarter.")
@click.option("-c", type=float, default=0.19, show_default=True, help="Lower left quarter.")
@click.option("-d", type=float, help="Lower right quarter.  [default: 1 − a − b − c]")
@click.option("--simple", is_flag=True, help="Drop self-loops and parallel edges.")
@directed
@negative
@_common
def rmat(output: str, format: Any, negative: bool, **options: Any) -> None:
    """A power-law graph (R-MAT, by default as Graph500's)."""
    _make("rmat", output, format, negative, **options)


@generate.command(
    "erdos-renyi",
    epilog=examples(
        "warpath generate erdos-renyi -n 1000 -m 4000 --directed -o random.npz",
    ),
)
@click.option("-n", "n", type=int, required=True, help="Vertices.")
@click.option("-m", "m", type=int, required=True, help="Edges.")
@directed
@negative
@_common
def erdos_renyi(output: str, format: Any, negative: bool, **options: Any) -> None:
    """A uniform random graph G(n, m)."""
    _make("erdos_renyi", output, format, negative, **options)


@generate.command(
    epilog=examples(
        "warpath generate grid --rows 50 --keep 0.9 --weights 1 9 -o grid.gr",
    )
)
@click.option("--rows", type=int, required=True, help="Rows of vertices.")
@click.option("--columns", type=int, help="Columns of vertices (default: as many as rows).")
@click.option("--keep", type=float, default=1.0, show_default=True, help="Share of edges kept.")
@directed
@negative
@_common
def grid(output: str, format: Any, negative: bool, **options: Any) -> None:
    """A two-dimensional grid; with --keep 0.9, much like a road network."""
    _make("grid", output, format, negative, **options)


@generate.command(
    epilog=examples(
        "warpath generate roads --rows 20 --columns 30 --pieces 3 -o roads.npz",
    )
)
@click.option("--rows", type=int, required=True, help="Rows of crossings.")
@click.option("--columns", type=int, required=True, help="Columns of crossings.")
@click.option("--keep", type=float, default=0.7, show_default=True, help="Share of roads built.")
@click.option("--pieces", type=float, default=1.0, show_default=True, help="Edges per road.")
@click.option("--junction", type=int, default=0, help="Degree of the crossing in the middle.")
@_common
def roads(output: str, format: Any, **options: Any) -> None:
    """A road network: crossings on a grid, roads of several pieces. Undirected."""
    _make("roads", output, format, False, **options)


@generate.command(
    epilog=examples(
        "warpath generate paper asia.osm --scale 0.001 -o asia.npz",
    )
)
@click.argument("name", type=Name(_paper_graphs))
@click.option(
    "--scale",
    type=float,
    default=1.0,
    show_default=True,
    help="Times the vertices of the paper's graph.",
)
@options.seed
@output
@options.file_format()
@options.threads
@options.as_json
def paper(name: str, output: str, format: Any, **options: Any) -> None:
    """A graph like one of a paper's, by NAME. Without weights."""
    from warpath.bench import paper_graphs

    with working("Generating"), Stopwatch() as watch:
        graph, _ = paper_graphs.graph(name, **options)
    _write(graph, output, format, watch.seconds)


@generate.command(
    "named",
    epilog=examples(
        "warpath generate named karate -o karate.npz",
        "warpath generate named cycle -n 10 -o cycle.npz",
    ),
)
@click.argument("name", type=Name(get_args(GraphName)))
@options.as_json
@options.file_format()
@output
@click.option("-n", "n", type=int, help="Vertices, of a family of graphs.")
def named(output: str, format: Any, name: Any, n: int | None) -> None:
    """A small known graph, by NAME."""
    from warpath import generate as generators

    _write(generators.named(name, n), output, format, 0.0)


def _make(kind: str, output: str, format: Any, negative: bool, **options: Any) -> None:
    from warpath import generate as generators

    if negative and not (options.get("directed") and options["weights"]):
        raise click.UsageError("--negative needs --directed and --weights")
    with working("Generating"), Stopwatch() as watch:
        graph = getattr(generators, kind)(**options)
        if negative:
            graph = generators.negative_weights(graph, options["seed"])
    _write(graph, output, format, watch.seconds)


def _write(graph: Any, output: str, format: Any, seconds: float) -> None:
    from warpath import write

    write(graph, output, format=format)
    data = {"graph": facts(output, graph), "seconds": seconds}
    line = f"{output}: {graph!r}, made in {duration(seconds)}"
    emit(data, lambda screen: screen.print(line, soft_wrap=True))
