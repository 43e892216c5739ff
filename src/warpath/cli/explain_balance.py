"""``warpath explain-balance``: a technique's knobs, and which thread of a GPU visits which edge."""

from dataclasses import fields
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, get_args

import click

from warpath.cli import options
from warpath.cli.name_types import Name, examples, knobs_of
from warpath.cli.show import emit
from warpath.typing import BalanceName

if TYPE_CHECKING:
    from rich.console import Console

    from warpath.balance import Technique

# Few arcs and many, so that a vertex is less than a virtual warp, and more than a warp's row.
DEGREES = (2, 1, 9, 3, 33, 4)
_ARCS_A_LINE = 12
_WARP = 32


@click.command(
    "explain-balance",
    epilog=examples(
        "warpath explain-balance virtual-warp:width=8",
    ),
)
@click.argument(
    "balance", metavar="NAME[:KNOB=VALUE]", type=Name(get_args(BalanceName), knobs=knobs_of)
)
@options.as_json
def explain_balance(balance: str) -> None:
    """Explain how a balance distributes edges to a GPU's threads.

    Its knobs, what it costs, its paper; and, where there is a GPU, what its kernel did there with
    a frontier of six vertices: which lane of which of two warps visited each arc.
    """
    from warpath import balance as balances
    from warpath import devices

    technique = balances.lookup(balance)
    data: dict[str, Any] = {
        "balance": str(technique),
        "paper": technique.paper,
        "cost": technique.cost,
        "knobs": {
            name: {"value": getattr(technique, name), "choices": list(values)}
            for name, values in technique.choices().items()
        },
        "degrees": list(DEGREES),
        "threads": None,
    }
    missing = devices.missing()
    if missing is None:
        from warpath import Graph
        from warpath.cuda.explain import who_visits
        from warpath.planning.fitted_balance import fitted

        source = [vertex for vertex, degree in enumerate(DEGREES) for _ in range(degree)]
        technique = fitted(technique, Graph.from_edges(source, source, n=len(DEGREES)))
        data["threads"] = [arcs.tolist() for arcs in who_visits(technique, DEGREES)]
    emit(data, lambda screen: _render(technique, data["threads"], missing, screen))


def _render(
    technique: "Technique",
    threads: list[list[int]] | None,
    missing: str | None,
    screen: "Console",
) -> None:
    text = (
        f"{technique}: {cleandoc(technique.__doc__ or '')}\n\n"
        f"Paper: {technique.paper}\nCost: {technique.cost}"
    )
    screen.print(text.replace("`", ""), highlight=False)  # docstrings mark code with them
    for field in fields(technique):
        values = ", ".join(map(str, technique.choices()[field.name]))
        screen.print(f"{field.name} = {getattr(technique, field.name)} of {values}")
    if threads is None:
        screen.print(f"\nNo picture: {missing}")
    else:
        screen.print(f"\n{picture(threads)}", highlight=False)


def picture(threads: list[list[int]]) -> str:
    """Each vertex's arcs as ``warp:lane`` of the threads that visited them, a dozen a line.

    Examples
    --------
    >>> print(picture([[0, 33], [1]]))
    vertex 0    0:0   1:1
    vertex 1    0:1
    """
    lines = []
    for vertex, arcs in enumerate(threads):
        for first in range(0, len(arcs), _ARCS_A_LINE):
            whose = f"vertex {vertex}" if first == 0 else ""
            cells = [f"{t // _WARP}:{t % _WARP}" for t in arcs[first : first + _ARCS_A_LINE]]
            lines.append(f"{whose:<8} " + "".join(f"{cell:>6}" for cell in cells))
    return "\n".join(line.rstrip() for line in lines)
