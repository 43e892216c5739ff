"""Graphs that take long to make, in a folder for the next suite."""

import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import warpath
from warpath.files import replacing
from warpath.graph.graph import Graph

Made = tuple[Graph, dict[str, Any]]


def cached(folder: str | None, key: tuple[Any, ...], make: Callable[[], Made]) -> Made:
    """What ``make`` makes, or what it once made for the same key; without a folder it makes it.

    A graph that was made on a GPU is not kept: it is made again sooner than it is read. Files are
    taken for what they were when they were written, without a look at each arc.

    Parameters
    ----------
    folder : str or None
    key : tuple
        All that the graph depends on except the code, which counts as well: another version
        of what makes graphs finds nothing.
    make : callable
        The graph, without weights, and where it is from.
    """
    if folder is None:
        return make()
    words = json.dumps([_recipes(), *key])
    path = Path(folder) / f"{hashlib.sha256(words.encode()).hexdigest()[:32]}.npz"
    if path.exists():
        with np.load(path) as file:
            provenance = json.loads(str(file["provenance"]))
            directed = bool(file["directed"])
            return Graph._from_parts(file["offsets"], file["indices"], None, directed), provenance
    graph, provenance = make()
    if graph.device == "cpu":
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as new:
            np.savez(
                new, offsets=graph.row_offsets, indices=graph.column_indices,
                directed=graph.directed, provenance=json.dumps(provenance),
            )  # fmt: skip
    return graph, provenance


@cache
def _recipes() -> str:
    """A digest of the code that makes graphs."""
    digest, root = hashlib.sha256(warpath.__version__.encode()), Path(warpath.__file__).parent
    for part in ("bench/paper_graphs", "generate", "graph"):
        for path in sorted((root / part).glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()
