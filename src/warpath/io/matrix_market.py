"""Matrix Market coordinate files: entry (i, j) is the arc i → j.

Format: https://math.nist.gov/MatrixMarket/formats.html. ``general`` is a directed graph;
``symmetric`` an undirected one, each entry an edge. ``pattern`` has no weights.
"""

from warpath.graph.batches import EdgeBatches
from warpath.graph.graph import Graph
from warpath.io.assembly import graph_of_edges, read_edges
from warpath.io.columns import Column, Ids, Numbers
from warpath.io.dimacs import read_problem
from warpath.io.format import Format
from warpath.io.source import File, Source, open_target
from warpath.io.table import write_table
from warpath.io.text_blocks import Text, shown

_BANNER = b"%%matrixmarket"
_FIELDS = {"pattern": None, "integer": "integer", "unsigned-integer": "integer", "real": "real"}
_SYMMETRIES = ("general", "symmetric")


def read(source: Source) -> Graph:
    """Read a square matrix as a graph.

    Raises
    ------
    GraphFormatError
        Also for what is legal Matrix Market but no graph of ours: dense arrays, complex,
        skew-symmetric and Hermitian matrices, rectangular ones.
    """
    text = Text(source, comments=(b"%",))
    field, symmetry = _read_banner(text)
    n, entries = _read_size(text)
    line = text.line - 1
    columns: list[Column] = [Ids("row", 1, n), Ids("column", 1, n)]
    kind = _FIELDS[field]
    if kind is not None:
        columns.append(Numbers("value", kind))
    edges = EdgeBatches()
    read_edges(text, columns, edges, rows=entries)
    return graph_of_edges(source, edges, n=n, line=line, directed=symmetry == "general")


def _read_banner(text: Text) -> tuple[str, str]:
    line = text.next_line() or b""
    words = line.decode("utf-8", "replace").lower().split()
    expected = "expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'"
    if len(words) != 5 or words[0] != _BANNER.decode() or words[1] != "matrix":
        raise text.error(f"{expected}, not {shown(line)}")
    _, _, layout, field, symmetry = words
    for word, legal in (
        (layout, ("coordinate",)),
        (field, tuple(_FIELDS)),
        (symmetry, _SYMMETRIES),
    ):
        if word not in legal:
            raise text.error(f"{expected}: {word!r} is not read, only {', '.join(legal)}")
    return field, symmetry


def _read_size(text: Text) -> tuple[int, int]:
    rows, columns, entries = read_problem(text, "ROWS COLUMNS ENTRIES", "the size line")
    if rows != columns:
        raise text.error(f"an adjacency matrix is square, not {rows} × {columns}")
    return rows, entries


def write(graph: Graph, file: File) -> None:
    """Write a graph: general if directed, else symmetric, the lower triangle."""
    target, source, weight = graph.edges()
    if graph.directed:
        source, target = target, source
    field = "pattern" if weight is None else "real" if weight.dtype.kind == "f" else "integer"
    symmetry = "general" if graph.directed else "symmetric"
    n = graph.num_vertices
    with open_target(file) as stream:
        stream.write(f"%%MatrixMarket matrix coordinate {field} {symmetry}\n".encode())
        stream.write(f"{n} {n} {len(source)}\n".encode())
        write_table(stream, [source + 1, target + 1, *([] if weight is None else [weight])])


FORMAT = Format(
    "matrix-market",
    (".mtx",),
    read,
    write,
    sniff=lambda head: head[: len(_BANNER)].lower() == _BANNER,
)
