"""``warpath apsp``: from a graph file to a matrix of all distances."""

from typing import TYPE_CHECKING, Any, get_args

import click

from warpath.cli import options
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import examples, name_option
from warpath.cli.result_files import ends_in
from warpath.cli.show import bar, emit, end, number, verify_if
from warpath.typing import APSP_DEVICES, ApspMethodName

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import AllPairs

_ROWS_AT_ONCE = 256  # of a matrix that may be larger than memory: a guess


@click.command(
    epilog=examples(
        "warpath apsp roads.gr",
        "warpath apsp roads.gr --predecessors --output matrix.npy",
    )
)
@graph_argument
@name_option("--method", get_args(ApspMethodName), "How to search", default="auto")
@options.algebra
@options.dtype
@click.option("--predecessors", is_flag=True, help="Find paths too, not only their lengths.")
@click.option("--exact", is_flag=True, help="Sum floats from left to right, as sssp does.")
@click.option("--lazy", is_flag=True, help="Let dense methods skip blocks without paths.")
@name_option("--device", APSP_DEVICES, "Where to compute", default="auto")
@options.several(
    "How many GPUs, or which (0,1): blocked-floyd-warshall divides the rows among them."
)
@click.option(
    "-o", "--out", "--output", "out", type=click.Path(dir_okay=False), callback=ends_in(".npy"),
    help="Write the matrix to this .npy file, predecessors to one next to it.",
)  # fmt: skip
@options.check
@options.threads
@options.as_json
def apsp(
    file: str, graph: Any, predecessors: bool, exact: bool, lazy: bool, out: str | None, check: bool,
    **choices: Any,
) -> None:  # fmt: skip
    """Shortest paths between all pairs of vertices."""
    import warpath

    chosen: dict[str, Any] = {name: value for name, value in choices.items() if value is not None}
    with bar("All pairs") as progress:
        found = warpath.apsp(
            graph,
            predecessors=predecessors,
            exact=exact,
            lazy=lazy,
            out=out,
            progress=progress,
            **chosen,
        ).to_numpy()
    verify_if(check, found)
    answer = _answer(found)
    data = {
        "graph": facts(file, graph),
        "algorithm": "apsp",
        **answer,
        "exact": found.exact,
        "verified": check or None,
        "output": out,
        "stats": found.stats.as_dict(),
    }

    def render(screen: "Console") -> None:
        from rich.table import Table

        screen.print(f"apsp of {file}", style="bold", soft_wrap=True)
        table = Table(*answer)
        table.add_row(*(number(value) for value in answer.values()))
        screen.print(table)
        screen.print(str(found.stats).splitlines()[0], soft_wrap=True)
        end(screen, out, verified=check)

    emit(data, render)


def _answer(found: "AllPairs") -> dict[str, Any]:
    """The answer in short: how many pairs have a path, and the worst of the best paths."""
    import numpy as np

    from warpath.operators import lookup

    algebra = lookup(found.algebra)
    none = algebra.none(found.distance.dtype)
    pairs, worst = 0, []
    for begin in range(0, len(found), _ROWS_AT_ONCE):
        rows = found.distance[begin : begin + _ROWS_AT_ONCE]
        reached = rows != none
        # A vertex's way to itself is no pair.
        reached[np.arange(len(rows)), np.arange(begin, begin + len(rows))] = False
        pairs += int(np.count_nonzero(reached))
        if reached.any():
            values = rows[reached]
            worst.append(values.min() if algebra.larger_is_better else values.max())
    worst_of_all = None
    if worst:
        worst_of_all = (min(worst) if algebra.larger_is_better else max(worst)).item()
    name = "least" if algebra.larger_is_better else "farthest"
    return {"vertices": len(found), "pairs": pairs, name: worst_of_all}
