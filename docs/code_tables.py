"""The directive ``code-table``: tables of what the code itself knows, so that no page repeats it."""

from collections.abc import Iterator
from inspect import cleandoc

import numpy as np
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

Row = tuple[str, ...]


def code(text: str) -> str:
    """A name, as reStructuredText writes it."""
    return f"``{text}``"


def yes(value: bool) -> str:
    """In a column of properties."""
    return "yes" if value else ""


def sssp_methods() -> Iterator[Row]:
    """The methods of `warpath.sssp`."""
    from warpath.planning.methods import METHODS

    yield "``method=``", "what it is", "negative weights", "``delta``", "on"
    for name, method in METHODS.items():
        devices = ", ".join({"cpu": "CPU", "cuda": "GPU"}[device] for device in method.devices)
        yield code(f'"{name}"'), method.about, yes(method.negative), yes(method.has_delta), devices


def apsp_methods() -> Iterator[Row]:
    """The methods of `warpath.apsp`."""
    from warpath.planning.all_pairs import METHODS

    yield "``method=``", "what it is", "work"
    for name, method in METHODS.items():
        work = "" if name == "auto" else "n³" if method.dense else "one search per vertex"
        yield code(f'"{name}"'), method.about, work


def balances() -> Iterator[Row]:
    """The load-balancing techniques."""
    from warpath.balance import TECHNIQUES

    yield "name", "what it does", "cost", "knobs", "paper"
    for name, technique in TECHNIQUES.items():
        about = cleandoc(technique.__doc__ or "").splitlines()[0]
        knobs = "; ".join(
            f"{code(knob)}: {', '.join(map(str, values))}"
            for knob, values in technique.choices().items()
        )
        yield code(name), about, technique.cost, knobs, technique.paper


def frontiers() -> Iterator[Row]:
    """How a GPU makes the next frontier."""
    from warpath.frontier import FRONTIERS

    yield "``frontier=``", "what it does", "duplicates", "directions", "paper"
    for name, frontier in FRONTIERS.items():
        duplicates, directions = ", ".join(frontier.duplicates), ", ".join(frontier.directions)
        yield code(name), frontier.about, duplicates, directions, frontier.paper


def duplicates() -> Iterator[Row]:
    """How a vertex is kept from entering a frontier twice."""
    from warpath.frontier import DUPLICATES

    yield "``duplicates=``", "what it does", "drops all", "paper"
    for name, one in DUPLICATES.items():
        yield code(name), one.about, yes(one.exact), one.paper


def optimizations() -> Iterator[Row]:
    """The optimizations of H-BF."""
    from warpath.schedule.optimizations import IN_PLACE_OF_REMOVAL, OPTIMIZATIONS, default

    narrow, wide = default(np.dtype(np.int32)), default(np.dtype(np.int64))
    yield "optimization", "what it does", "by default", "of distances of 64 bits"
    for name, about in (OPTIMIZATIONS | IN_PLACE_OF_REMOVAL).items():
        yield code(name), about, yes(name in narrow), yes(name in wide)


def presets() -> Iterator[Row]:
    """The papers' systems, as schedules."""
    from warpath.schedule import PRESETS

    yield "preset", "schedule", "work", "space", "paper"
    for name, preset in PRESETS.items():
        yield code(name), code(str(preset.schedule)), preset.work, preset.space, preset.paper


def networkx_functions() -> Iterator[Row]:
    """What the NetworkX backend has."""
    from _warpath_networkx.functions import FUNCTIONS

    yield "function of NetworkX", "further arguments"
    for name, keywords in FUNCTIONS.items():
        yield code(name), ", ".join(map(code, keywords))


def csgraph_of_scipy() -> Iterator[Row]:
    """What `warpath.csgraph` takes from SciPy unchanged."""
    from warpath import csgraph

    yield "function of SciPy", "what it does"
    for name in csgraph.__all__:
        function = getattr(csgraph, name)
        if function.__module__.startswith("scipy"):
            about = cleandoc(function.__doc__.split(")\n", 1)[-1]).splitlines()[0]
            yield code(name), about


TABLES = {
    table.__name__: table
    for table in (
        sssp_methods, apsp_methods, balances, frontiers, duplicates, optimizations, presets,
        networkx_functions, csgraph_of_scipy,
    )
}  # fmt: skip


class CodeTable(SphinxDirective):
    """``.. code-table:: NAME``: one of `TABLES`, its first row as the head."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Make the nodes of a ``list-table``."""
        lines = [".. list-table::", "   :header-rows: 1", ""]
        for row in TABLES[self.arguments[0]]():
            marks = ("   * - ", *["     - "] * (len(row) - 1))
            lines += [mark + cell for mark, cell in zip(marks, row, strict=True)]
        return self.parse_text_to_nodes("\n".join(lines))


def setup(app):
    """Add the directive."""
    app.add_directive("code-table", CodeTable)
    return {"version": "1", "parallel_read_safe": True}
