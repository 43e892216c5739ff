"""METIS/Chaco graphs: line k lists the neighbours of vertex k, from 1.

Format: METIS 5 manual, section 4.1.1. ``VERTICES EDGES [FMT [NCON]]``, then a line a vertex,
an empty one where it has no neighbours; ``%`` begins a comment. FMT's three digits say
whether there are vertex sizes, vertex weights (NCON of them), edge weights; the first two
are skipped. FMT 100 is read as the 10th DIMACS Challenge means it: loops and parallel
edges are possible.

Each edge stands in the lines of both its ends, which is checked. With ``directed=True``
lines list arcs instead, as some programs write them.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.check import MAX_VERTICES
from warpath.graph.graph import Graph
from warpath.io.columns import Ids, Numbers
from warpath.io.format import Format
from warpath.io.source import File, Source, open_target
from warpath.io.table import narrow, parse_columns, read_pieces, squeeze
from warpath.io.text import Text, shown

Array = NDArray[Any]

_LINE_ENDS = bytes.maketrans(b" ", b"\n")
_FORM = "VERTICES EDGES [FMT [NCON]]"


def read(source: Source, *, directed: bool | None = None) -> Graph:
    """Read an undirected graph, or with ``directed=True`` lists of arcs."""
    text = Text(source, comments=(b"%",))
    adjacency = _read_header(text)
    where = text.line - 1
    parts = [
        part
        for block in text.blocks()
        for part in read_pieces(block, text.line, adjacency.fast, adjacency.exact)
    ]
    n = adjacency.n
    if not parts:
        parts = [adjacency.exact(b"", text.line)]
    lines, degrees, neighbours, weights = (
        np.concatenate(same) for same in zip(*parts, strict=True)
    )
    if len(degrees) < n:
        raise text.error(
            f"expected a line for each of {n} vertices, but the file ends after {len(degrees)}"
        )
    if degrees[n:].any():
        surplus = n + int(np.flatnonzero(degrees[n:])[0])
        raise text.error(
            f"expected the lines of {n} vertices, but there are more", int(lines[surplus])
        )

    offsets = np.zeros(n + 1, np.int64)
    np.cumsum(degrees[:n], out=offsets[1:])
    graph = Graph.from_csr(offsets, neighbours, narrow(weights) if adjacency.weighted else None)
    m = len(neighbours)
    legal = {adjacency.edges, 2 * adjacency.edges} if directed else {2 * adjacency.edges}
    # A loop may be listed once, as a neighbour of its vertex, or twice, as any other edge.
    if m not in legal and m + graph.num_self_loops not in legal:
        raise text.error(
            f"the header declares {adjacency.edges} edges, each to be listed twice, but {m} neighbours "
            "are listed (directed=True reads them as arcs)",
            where,
        )
    if directed:
        return graph
    try:
        return Graph.from_csr(
            graph.row_offsets, graph.column_indices, graph.weights, directed=False
        )
    except ValueError:
        u, v = _lone_arc(graph)
        raise text.error(
            f"vertex {u + 1} lists {v + 1}, but {v + 1} does not list {u + 1} likewise: each edge is "
            "listed by both its ends (directed=True reads arcs)",
            int(lines[u]),
        ) from None


@dataclass(frozen=True)
class _Adjacency:
    """What the header says of the lines, and how they are read.

    `fast` and `exact` give line numbers, degrees, neighbours and weights of a block.
    """

    text: Text
    n: int
    edges: int
    weighted: bool
    skipped: int  # fields before the neighbours

    def fast(self, block: bytes, line: int) -> tuple[Array, Array, Array, Array] | None:
        """Read a block by Polars; None if a line is not legal."""
        lines, block = self._vertex_lines(block, line)
        block = squeeze(block, empty_lines=True)
        fields = _count_fields(block)
        flat = squeeze(block.translate(_LINE_ENDS))  # one field a line
        plain = not (self.weighted or self.skipped)
        column = Ids("neighbour", 1, self.n) if plain else Numbers()
        for level in range(len(column.dtypes)):
            arrays = parse_columns(flat, [column], b" ", level)
            if arrays is not None:
                break
        else:
            return None
        values = arrays[0]
        if plain:
            return lines, fields, values, np.empty(0, np.int32)
        return self._split(lines, fields, values)

    def _split(
        self, lines: Array, fields: Array, values: Array
    ) -> tuple[Array, Array, Array, Array] | None:
        """Tell neighbours from weights, by their places in the lines."""
        step = 2 if self.weighted else 1
        if (fields < self.skipped).any() or ((fields - self.skipped) % step).any():
            return None
        first = np.cumsum(fields) - fields + self.skipped
        place = np.arange(len(values)) - np.repeat(first, fields)
        neighbours = values[(place >= 0) & (place % step == 0)]
        ids = neighbours.astype(np.int32)
        if len(ids) and not (
            neighbours.min() >= 1 and neighbours.max() <= self.n and (ids == neighbours).all()
        ):
            return None
        weights = values[(place >= 0) & (place % step == 1)]
        return lines, (fields - self.skipped) // step, ids - np.int32(1), weights

    def exact(self, block: bytes, line: int) -> tuple[Array, Array, Array, Array]:
        """Read a block by the definition; the error names the first line that breaks it."""
        ids, numbers = Ids("neighbour", 1, self.n), Numbers()
        lines, block = self._vertex_lines(block, line)
        degrees: list[int] = []
        neighbours: list[int] = []
        weights: list[float] = []
        for number, row in zip(lines, block.split(b"\n"), strict=False):
            fields = row.split()
            try:
                if len(fields) < self.skipped:
                    raise ValueError(f"expected {self.skipped} sizes and weights, not {shown(row)}")
                for field in fields[: self.skipped]:
                    numbers.parse(field)
                fields = fields[self.skipped :]
                if self.weighted:
                    if len(fields) % 2:
                        raise ValueError(
                            f"expected pairs of neighbour and weight, not {shown(row)}"
                        )
                    weights += [numbers.parse(field) for field in fields[1::2]]
                    fields = fields[::2]
                neighbours += [ids.parse(field) for field in fields]
            except ValueError as error:
                raise self.text.error(str(error), int(number)) from None
            degrees.append(len(fields))
        return lines, np.array(degrees, np.int64), ids.collect(neighbours), numbers.collect(weights)

    def _vertex_lines(self, block: bytes, line: int) -> tuple[Array, bytes]:
        """The lines of vertices, without comments, and their numbers.

        An empty line is a vertex without neighbours, except where it would lack fields.
        """
        count = block.count(b"\n")
        if b"%" not in block and not self.skipped:
            return np.arange(line, line + count), block
        rows = block.split(b"\n")[:count]
        kept = [
            k
            for k, row in enumerate(rows)
            if not row.lstrip().startswith(b"%") and (row.strip() or not self.skipped)
        ]
        return np.array(kept, np.int64) + line, b"".join(rows[k] + b"\n" for k in kept)


def _read_header(text: Text) -> _Adjacency:
    words = text.header(f"'{_FORM}'")
    if not 2 <= len(words) <= 4 or not all(word.isdigit() for word in words):
        raise text.error(f"expected '{_FORM}', not {shown(b' '.join(words))}")
    n, edges = int(words[0]), int(words[1])
    flags = words[2].decode().rjust(3, "0") if len(words) > 2 else "000"
    if len(flags) > 3 or set(flags) - {"0", "1"}:
        raise text.error(f"expected FMT of three digits 0 or 1, not {flags!r}")
    if n > MAX_VERTICES:
        raise text.error(f"{n} vertices: at most {MAX_VERTICES} are possible")
    sizes, vertex_weights, edge_weights = (flag == "1" for flag in flags)
    per_vertex = int(words[3]) if len(words) > 3 else 1
    skipped = int(sizes and flags != "100") + (per_vertex if vertex_weights else 0)
    return _Adjacency(text, n, edges, edge_weights, skipped)


def _count_fields(block: bytes) -> Array:
    """How many fields each line of a squeezed block has."""
    characters = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(characters == ord("\n"))
    spaces = np.searchsorted(np.flatnonzero(characters == ord(" ")), ends)
    empty = np.diff(ends, prepend=-1) == 1
    fields: Array = np.diff(spaces, prepend=0) + ~empty
    return fields


def _lone_arc(graph: Graph) -> tuple[int, int]:
    """The first arc that is there more often, or with other weights, than its reverse."""

    def row(side: Graph, u: int) -> Counter[tuple[int, Any]]:
        neighbours = side.neighbors(u).tolist()
        weights = [None] * len(neighbours) if side.weights is None else side.arc_weights(u).tolist()
        return Counter(zip(neighbours, weights, strict=True))

    for u in range(graph.num_vertices):
        lone = row(graph, u) - row(graph.reverse, u)
        if lone:
            return u, next(iter(lone))[0]
    raise ValueError("every arc has its reverse")


def write(graph: Graph, file: File) -> None:
    """Write a line a vertex."""
    import polars as pl

    source, target, weight = graph.coo()
    n = graph.num_vertices
    fields = pl.Series(target + 1).cast(pl.String)
    if weight is not None:
        fields = fields + " " + pl.Series(weight).cast(pl.String)
    rows = pl.DataFrame({"vertex": source, "row": fields}).group_by("vertex", maintain_order=True)
    lines = pl.DataFrame({"vertex": np.arange(n, dtype=np.int32)}).join(
        rows.agg(pl.col("row").str.join(" ")), on="vertex", how="left", maintain_order="left"
    )
    with open_target(file) as stream:
        stream.write(f"{n} {graph.num_edges}{'' if weight is None else ' 1'}\n".encode())
        lines.select("row").write_csv(
            stream, include_header=False, separator=" ", quote_style="never", null_value=""
        )


def _refuse(graph: Graph) -> str | None:
    if graph.directed:
        return "holds undirected graphs only"
    if graph.num_self_loops:
        return "holds no self-loops"
    if graph.weights is not None and graph.weights.dtype.kind == "f":
        return f"has integer weights, not {graph.weights.dtype}"
    if graph.weights is not None and graph.num_arcs and graph.weight_range[0] < 1:
        return f"has weights of 1 and more, not {graph.weight_range[0]}"
    return None


FORMAT = Format(
    "metis", (".graph", ".metis"), read, write, _refuse, options=frozenset({"directed"})
)
