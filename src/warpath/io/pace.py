"""The PACE challenge's undirected graphs without weights, as which the DIMACS roads are known too.

Format: https://pacechallenge.org/2016/treewidth/. ``p tw n m``, then ``u v`` a line, from 1.
"""

from warpath.graph.batches import EdgeBatches
from warpath.graph.graph import Graph
from warpath.io.assembly import graph_of_edges, read_edges
from warpath.io.columns import Ids
from warpath.io.dimacs import COMMENTS, read_problem
from warpath.io.format import Format, first_line
from warpath.io.source import File, Source, open_target
from warpath.io.table import write_table
from warpath.io.text_blocks import Text


def read(source: Source) -> Graph:
    """Read an undirected graph."""
    text = Text(source, COMMENTS)
    n, edges = read_problem(text, "p tw VERTICES EDGES")
    line = text.line - 1
    listed = EdgeBatches()
    read_edges(text, [Ids("vertex", 1, n), Ids("vertex", 1, n)], listed, rows=edges)
    return graph_of_edges(source, listed, n=n, line=line, directed=False)


def write(graph: Graph, file: File) -> None:
    """Write each edge once."""
    source, target, _ = graph.edges()
    with open_target(file) as stream:
        stream.write(f"p tw {graph.num_vertices} {len(source)}\n".encode())
        write_table(stream, [source + 1, target + 1])


def _refuse(graph: Graph) -> str | None:
    if graph.weights is not None:
        return "holds no weights: npz does, and without_weights() drops them"
    return "holds undirected graphs only" if graph.directed else None


FORMAT = Format(
    "pace",
    (".gr",),
    read,
    write,
    _refuse,
    sniff=lambda head: first_line(head, COMMENTS).split()[:2] == [b"p", b"tw"],
)
