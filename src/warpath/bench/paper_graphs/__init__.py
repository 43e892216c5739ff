"""The graphs of the five papers: what their tables print of each, and a graph that is like it.

>>> from warpath.bench import paper_graphs
>>> graph, provenance = paper_graphs.graph("asia.osm", scale=0.001)
>>> provenance["kind"], paper_graphs.published("asia.osm").deviation
('stand-in', 0.5)
"""

import re
from typing import Any

from warpath.bench.paper_graphs.catalog import ROWS, Row
from warpath.bench.paper_graphs.published import Published
from warpath.graph.graph import Graph
from warpath.typing import BuildDeviceName

__all__ = ["NAMES", "Published", "graph", "published"]

NAMES: tuple[str, ...] = tuple(ROWS)
_LEAST_VERTICES = 64  # fewer have no family


def published(name: str) -> Published:
    """What the paper's table says of a graph.

    Raises
    ------
    ValueError
        An unknown name; the message lists the choices.
    """
    return _row(name)[1].published


def graph(
    name: str,
    scale: float = 1.0,
    seed: int = 1,
    *,
    originals: bool = False,
    device: BuildDeviceName = "cpu",
) -> tuple[Graph, dict[str, Any]]:
    """A graph like one of a paper's, without weights, and where it comes from.

    Parameters
    ----------
    name : str
        One of `NAMES`. Capitals, dots, hyphens and underscores make no difference: the papers
        and the collections do not agree about them.
    scale : float
        Times the paper's vertices; the mean degree stays.
    seed : int
    originals : bool
        True: the original, whole, if `warpath.datasets` has it in its cache. Nothing is
        downloaded.
    device : {"cpu", "cuda"}
        Where to make it, if its generator can: R-MAT, uniform and power-law graphs. It is the same
        graph, and stays there (see `warpath.generate`).

    Returns
    -------
    graph : Graph
    provenance : dict
        Plain values: name, kind ("original", "stand-in", "generated": the paper drew it by the
        same rule, or "fitted": by that rule with fitted parameters), recipe, scale, seed, source
        (the paper's table).

    Raises
    ------
    ValueError
        An unknown name, or a scale that is not positive or leaves no graph.
    """
    name, row = _row(name)
    table = row.published
    facts = {"name": name, "source": table.where}
    if originals and row.dataset is not None:
        from warpath import datasets

        if datasets.cached(row.dataset) is not None:
            whole = datasets.load(row.dataset).without_weights().without_labels()
            how = f"{row.dataset} as downloaded"
            return whole, facts | {"kind": "original", "recipe": how, "scale": 1.0, "seed": None}
    n = round(table.vertices * scale) if scale > 0 else 0
    if n < _LEAST_VERTICES:
        raise ValueError(
            f"scale is {scale!r}: it leaves {n} of {table.vertices:,.0f} vertices, "
            f"fewer than {_LEAST_VERTICES}"
        )
    recipe = row.recipe
    provenance = {"kind": recipe.kind, "recipe": recipe.sentence, "scale": scale, "seed": seed}
    return recipe.make(n, table, seed, device), facts | provenance


def _row(name: str) -> tuple[str, Row]:
    """The name as the paper has it, and its row."""
    for own, row in ROWS.items():
        if _plain(own) == _plain(name):
            return own, row
    raise ValueError(f"no paper has a graph {name!r}: choose one of {', '.join(NAMES)}")


def _plain(name: str) -> str:
    return re.sub(r"[._-]", "", name.lower())
