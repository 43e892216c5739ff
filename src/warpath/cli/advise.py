"""``warpath advise``: which method, balance and device are best for a graph."""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import Name, examples
from warpath.cli.show import duration, emit, end, working
from warpath.typing import SEARCHES

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import Graph


@click.command(
    epilog=examples(
        "warpath advise roads.gr --output profile.json",
        "warpath advise roads.gr --algorithm bfs --seconds 20",
    )
)
@graph_argument
@click.option("--algorithm", "algorithms", multiple=True, type=Name(SEARCHES),
              help="bfs or sssp; give it again for more (default: both).")  # fmt: skip
@options.device
@click.option("--seconds", type=float, default=5.0, show_default=True,
              help="How long to measure, for each algorithm; compiling apart.")  # fmt: skip
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    help="Write the profile that schedule= of wp.bfs and wp.sssp takes.",
)
@options.threads
@options.as_json
def advise(
    file: str,
    graph: "Graph",
    algorithms: tuple[Any, ...],
    device: Any,
    seconds: float,
    output: str | None,
) -> None:
    """Measure which method, balance and device are best for GRAPH."""
    from dataclasses import asdict

    from warpath.bench.advise import advise as measured

    with working("Measuring"):
        advice = measured(
            graph, algorithms=algorithms or SEARCHES, device=device or "auto", seconds=seconds,
            compile_ahead=True,
        )  # fmt: skip
    if output is not None:
        advice.save(output)

    def render(screen: "Console") -> None:
        from rich.table import Table

        for algorithm, best in advice.best.items():
            table = Table(algorithm, "time", "searches", "note")
            rows = [one for one in advice.candidates if one.algorithm == algorithm]
            for one in rows:
                shown = "–" if one.seconds is None else duration(one.seconds)
                table.add_row(one.label, shown, f"{one.searches:,}", one.note)
            screen.print(table)
            call = ", ".join(f"{name}={value!r}" for name, value in best.items())
            screen.print(
                f"Best: wp.{algorithm}(graph, source, {call})", style="bold", soft_wrap=True
            )
        end(screen, output)

    emit({"file": facts(file, graph), **asdict(advice), "output": output}, render)
