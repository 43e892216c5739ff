"""What a file format is to `warpath.read` and `warpath.write`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.batches import EdgeBatches
from warpath.graph.graph import Graph
from warpath.io.assembly import Listing, graph_of_listing
from warpath.io.source import File, Source


def accepts_every_graph(graph: Graph) -> str | None:
    """Refuse nothing."""
    return None


def recognises_nothing(head: bytes) -> bool:
    """Leave it to the suffix."""
    return False


@dataclass(frozen=True)
class Format:
    """One file format.

    Parameters
    ----------
    name : str
        What ``format=`` calls it.
    suffixes : tuple of str
        Lower case, with the dot.
    read : callable
        ``read(source, **options)``: the graph, or GraphFormatError.
    write : callable
        ``write(graph, file)``.
    refuse : callable
        ``refuse(graph)``: why the format cannot hold the graph; None if it can.
    sniff : callable
        ``sniff(head)``: whether a file that begins with these bytes looks like the format.
    options : frozenset of str
        Options that ``read`` takes. Formats without "directed" say in the file whether the
        graph is.
    list_edges : callable, optional
        ``list_edges(source, edges, **options)``: add the edges of a file, which may be a part of a
        graph, to an `EdgeBatches`. None: a file of this format is always a whole graph.
    make_graph : callable
        ``make_graph(source, edges, listing, **options)``: the graph of the edges that were listed.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[..., Graph]
    write: Callable[[Graph, File], Any]
    refuse: Callable[[Graph], str | None] = accepts_every_graph
    sniff: Callable[[bytes], bool] = recognises_nothing
    options: frozenset[str] = frozenset()
    list_edges: Callable[..., Listing] | None = None
    make_graph: Callable[..., Graph] = graph_of_listing


def one_file(
    list_edges: Callable[..., Listing], make_graph: Callable[..., Graph] = graph_of_listing
) -> Callable[..., Graph]:
    """The reader of a whole graph by what reads a part of one."""

    def read(source: Source, **options: Any) -> Graph:
        edges = EdgeBatches()
        listing = list_edges(source, edges, **options)
        return make_graph(source, edges, listing, **options)

    return read


OTHER_LABELS = "pickle keeps others, and without_labels() drops them"
"""What to do with a graph whose labels a format cannot hold."""


def exceeds_int64(labels: NDArray[Any]) -> bool:
    """Whether one of the labels is an integer that no reader of text or tables takes."""
    return labels.dtype.kind == "u" and bool((labels > np.iinfo(np.int64).max).any())


def names_lost(graph: Graph) -> str | None:
    """Why a table of edges cannot hold the labels of a graph's vertices; None if it can."""
    if graph.labels is None:
        return None
    if graph.labels.dtype.kind not in "iuU" and not all(
        isinstance(label, str) for label in graph.labels.tolist()
    ):
        return f"holds labels that are integers or text: {OTHER_LABELS}"
    if exceeds_int64(graph.labels):
        return "holds integer labels below 2⁶³; use npz"
    isolated = np.flatnonzero((graph.degree == 0) & (graph.in_degree == 0))
    if len(isolated):
        label = graph.labels[isolated[:1]].tolist()[0]
        return f"cannot name vertices without edges, as {label!r}; use npz, or without_labels()"
    try:
        len(graph.names.labels)
    except ValueError as error:
        return f"needs labels that differ: {error}"
    return None


def first_line(head: bytes, comments: tuple[bytes, ...]) -> bytes:
    """The first line that is neither blank nor a comment, stripped; empty if there is none."""
    for line in head.split(b"\n"):
        line = line.strip()
        if line and not line.startswith(comments):
            return line
    return b""
