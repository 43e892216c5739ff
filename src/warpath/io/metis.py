"""METIS/Chaco graphs: line k lists the neighbours of vertex k, from 1.

Format: METIS 5 manual, section 4.1.1. ``VERTICES EDGES [FMT [NCON]]``, then a line a vertex,
an empty one where it has no neighbours; ``%`` begins a comment. FMT's three digits say
whether there are vertex sizes, vertex weights (NCON of them), edge weights; the first two
are skipped. FMT 100 is read as the 10th DIMACS Challenge means it: loops and parallel
edges are possible.

Each edge stands in the lines of both its ends, which is checked. With ``directed=True``
lines list arcs instead, as some programs write them.
"""

import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.graph.check import MAX_VERTICES
from warpath.graph.csr import row_blocks
from warpath.graph.graph import Graph
from warpath.io.columns import Ids, Numbers
from warpath.io.format import Format
from warpath.io.source import File, Source, open_target
from warpath.io.symmetry import as_undirected
from warpath.io.table import narrow, parse_columns, read_pieces, squeezed
from warpath.io.text_blocks import Text, shown
from warpath.parallel.jit import compiled
from warpath.progress import Progress

Array = NDArray[Any]

_LINE_ENDS = bytes.maketrans(b" ", b"\n")
_FIELD = re.compile(rb"\S+")
_FIELDS = 1 << 16  # of a line, parsed at a time where it is read by the definition; even
_FIELD_BYTES = 22  # of a line for each field, at most: a number of 20 characters, and blanks
_ARCS = 1 << 20  # written at a time, or one vertex's: bounds the text in memory to some 25 MB
_LONGEST_LINE = 1 << 30  # bytes, whatever the header declares: a vertex with 10⁸ neighbours
_LINE_END, _COMMENT, _SPACE, _TAB, _RETURN = b"\n% \t\r"
_FORM = "VERTICES EDGES [FMT [NCON]]"


def read(source: Source, *, directed: bool | None = None) -> Graph:
    """Read an undirected graph, or with ``directed=True`` lists of arcs."""
    text = Text(source, comments=(b"%",))
    adjacency = _read_header(text)
    where = text.line - 1
    n = adjacency.n
    parts: list[_Part] = []
    listed = 0  # lines
    for block in text.blocks():
        for part in read_pieces(block, text.line, adjacency.fast, adjacency.exact):
            parts.append(adjacency.first(n - listed, part))
            listed += len(part.degrees)
    if not parts:
        parts = [adjacency.exact(b"", text.line)]
    if listed < n:
        raise text.error(
            f"expected a line for each of {n} vertices, but the file ends after {listed}"
        )
    offsets = np.zeros(n + 1, np.int64)
    np.concatenate([part.degrees for part in parts], out=offsets[1:])
    np.cumsum(offsets, out=offsets)
    lines = [part.lines for part in parts]
    pieces = [[part.neighbours for part in parts], [narrow(part.weights) for part in parts]]
    del parts
    neighbours, weights = map(_joined, pieces)
    m = len(neighbours)
    graph = Graph.from_csr(offsets, neighbours, weights if adjacency.weighted else None)
    del neighbours, weights
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
        return as_undirected(graph)
    except ValueError:
        u, v = _unpaired_arc(graph)
        raise text.error(
            f"vertex {u + 1} lists {v + 1}, but {v + 1} does not list {u + 1} likewise: each edge is "
            "listed by both its ends (directed=True reads arcs)",
            _item(lines, u),
        ) from None


class _Part(NamedTuple):
    """Consecutive lines of vertices."""

    lines: Any  # their numbers in the file: a range or an array
    degrees: Array  # int32
    neighbours: Array  # int32, counted from 0
    weights: Array


@dataclass(frozen=True)
class _Adjacency:
    """What the header says of the lines, and how they are read."""

    text: Text
    n: int
    edges: int
    weighted: bool
    skipped: int  # fields before the neighbours

    def fast(self, block: bytes, line: int) -> _Part | None:
        """Read a block by Polars; None if a line is not legal."""
        lines, block = self._vertex_lines(block, line)
        fields = np.zeros(block.count(b"\n"), np.int32)
        _count_fields(np.frombuffer(block, np.uint8), fields)
        flat = squeezed(block.translate(_LINE_ENDS), b" ", quotes=False)[0]  # one field a line
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
            return _Part(lines, fields, values, np.empty(0, np.int32))
        return self._split(lines, fields, values)

    def first(self, count: int, part: _Part) -> _Part:
        """The first lines of a part; the others must be empty."""
        if len(part.degrees) <= count:
            return part
        count = max(0, count)
        surplus = np.flatnonzero(part.degrees[count:])
        if len(surplus):
            line = int(part.lines[count + int(surplus[0])])
            raise self.text.error(
                f"expected the lines of {self.n} vertices, but there are more", line
            )
        return part._replace(lines=part.lines[:count], degrees=part.degrees[:count].copy())

    def _split(self, lines: Any, fields: Array, values: Array) -> _Part | None:
        """Tell neighbours from weights, by their places in the lines."""
        step = 2 if self.weighted else 1
        if (fields < self.skipped).any() or ((fields - self.skipped) % step).any():
            return None
        first = np.cumsum(fields, dtype=np.int64) - fields + self.skipped
        place = np.arange(len(values)) - np.repeat(first, fields)
        neighbours = values[(place >= 0) & (place % step == 0)]
        ids = neighbours.astype(np.int32)
        if len(ids) and not (
            neighbours.min() >= 1 and neighbours.max() <= self.n and (ids == neighbours).all()
        ):
            return None
        weights = values[(place >= 0) & (place % step == 1)]
        return _Part(lines, (fields - self.skipped) // step, ids - np.int32(1), weights)

    def exact(self, block: bytes, line: int) -> _Part:
        """Read a block by the definition; the error names the first line that breaks it."""
        lines, block = self._vertex_lines(block, line)
        degrees: list[int] = []
        neighbours, weights = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
        for number, row in zip(lines, io.BytesIO(block), strict=True):
            try:
                degrees.append(self._read_row(row, neighbours, weights))
            except ValueError as error:
                raise self.text.error(str(error), int(number)) from None
        return _Part(
            lines, np.array(degrees, np.int32), np.concatenate(neighbours), np.concatenate(weights)
        )

    def _read_row(self, row: bytes, neighbours: list[Array], weights: list[Array]) -> int:
        """Append a line's neighbours and weights, and give its degree; a ValueError says what is wrong.

        A line may have 10⁸ fields: only `_FIELDS` of them are Python's objects at a time.
        """
        ids, numbers = Ids("neighbour", 1, self.n), Numbers()
        fields = (match[0] for match in _FIELD.finditer(row))
        skipped = degree = 0
        for field in islice(fields, self.skipped):
            numbers.parse(field)
            skipped += 1
        if skipped < self.skipped:
            raise ValueError(f"expected {self.skipped} sizes and weights, not {shown(row)}")
        while some := list(islice(fields, _FIELDS)):
            if self.weighted:
                if len(some) % 2:
                    raise ValueError(f"expected pairs of neighbour and weight, not {shown(row)}")
                weights.append(numbers.collect([numbers.parse(field) for field in some[1::2]]))
                some = some[::2]
            neighbours.append(ids.collect([ids.parse(field) for field in some]))
            degree += len(some)
        return degree

    def _vertex_lines(self, block: bytes, line: int) -> tuple[Any, bytes]:
        """The lines of vertices, without comments, and their numbers.

        An empty line is a vertex without neighbours, except where it would lack fields.
        """
        count = block.count(b"\n")
        if b"%" not in block and not self.skipped:
            return range(line, line + count), block
        kept, numbers = np.empty(len(block), np.uint8), np.empty(count, np.int64)
        size, count = _drop_lines(
            np.frombuffer(block, np.uint8), self.skipped > 0, line, kept, numbers
        )
        return numbers[:count], kept[:size].tobytes()


def _read_header(text: Text) -> _Adjacency:
    words = text.header(f"'{_FORM}'")
    if not 2 <= len(words) <= 4 or not all(word.isdigit() for word in words):
        raise text.error(f"expected '{_FORM}', not {shown(b' '.join(words))}")
    n, edges = text.count(words[0]), text.count(words[1])
    flags = words[2].decode().rjust(3, "0") if len(words) > 2 else "000"
    if len(flags) > 3 or set(flags) - {"0", "1"}:
        raise text.error(f"expected FMT of three digits 0 or 1, not {flags!r}")
    if n > MAX_VERTICES:
        raise text.error(f"{n} vertices: at most {MAX_VERTICES} are possible")
    sizes, vertex_weights, edge_weights = (flag == "1" for flag in flags)
    per_vertex = text.count(words[3]) if len(words) > 3 else 1
    if per_vertex > MAX_VERTICES:
        raise text.error(
            f"{per_vertex} weights of each vertex: at most {MAX_VERTICES} are possible"
        )
    skipped = int(sizes and flags != "100") + (per_vertex if vertex_weights else 0)
    fields = skipped + (4 if edge_weights else 2) * edges  # a loop may be listed twice
    text.max_line = max(text.max_line, min(_FIELD_BYTES * fields, _LONGEST_LINE))
    return _Adjacency(text, n, edges, edge_weights, skipped)


@compiled
def _is_blank(character):  # type: ignore[no-untyped-def]
    """Whether bytes.split takes this for a blank, line ends among them."""
    return character == _SPACE or _TAB <= character <= _RETURN


@compiled
def _drop_lines(text, empty_ones, line, kept, numbers):  # type: ignore[no-untyped-def]
    """Copy the lines that are no comments, nor empty if ``empty_ones``, and number them."""
    size = count = begin = 0
    first = _LINE_END  # of a line's characters that are no blanks
    for at in range(text.shape[0]):
        character = text[at]
        if first == _LINE_END and not _is_blank(character):
            first = character
        if character == _LINE_END:
            if first != _COMMENT and not (empty_ones and first == _LINE_END):
                kept[size : size + at + 1 - begin] = text[begin : at + 1]
                size += at + 1 - begin
                numbers[count] = line
                count += 1
            line += 1
            begin = at + 1
            first = _LINE_END
    return size, count


@compiled
def _count_fields(text, fields):  # type: ignore[no-untyped-def]
    """Count how many fields each line has."""
    line, blank = 0, True
    for character in text:
        if _is_blank(character):
            blank = True
            line += character == _LINE_END
        elif blank:
            fields[line] += 1
            blank = False


def _joined(pieces: list[Array]) -> Array:
    """The pieces one after the other; the list is emptied, so that each is freed when it is copied."""
    joined = np.empty(sum(map(len, pieces)), np.result_type(*{piece.dtype for piece in pieces}))
    end = len(joined)
    while pieces:
        piece = pieces.pop()
        joined[end - len(piece) : end] = piece
        end -= len(piece)
    return joined


def _item(parts: Sequence[Any], index: int) -> int:
    """The item at an index of several sequences one after the other."""
    for part in parts:
        if index < len(part):
            return int(part[index])
        index -= len(part)
    raise IndexError(index)


def _unpaired_arc(graph: Graph) -> tuple[int, int]:
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
    with open_target(file) as stream, Progress("Writing", graph.num_arcs, "steps") as progress:
        weighted = graph.weights is not None
        stream.write(f"{graph.num_vertices} {graph.num_edges}{' 1' if weighted else ''}\n".encode())
        for first, last in row_blocks(graph.row_offsets, _ARCS):
            _write_lines(stream, graph, first, last)
            progress.advance(int(graph.row_offsets[last] - graph.row_offsets[first]))


def _write_lines(stream: IO[bytes], graph: Graph, first: int, last: int) -> None:
    """Write the lines of the vertices from ``first`` up to ``last``."""
    import polars as pl

    offsets = graph.row_offsets[first : last + 1]
    arcs = slice(int(offsets[0]), int(offsets[-1]))
    fields = pl.Series(graph.column_indices[arcs] + 1).cast(pl.String)
    if graph.weights is not None:
        fields = fields + " " + pl.Series(graph.weights[arcs]).cast(pl.String)
    vertices = np.arange(last - first, dtype=np.int32)
    rows = pl.DataFrame({"vertex": np.repeat(vertices, np.diff(offsets)), "row": fields})
    joined = rows.group_by("vertex", maintain_order=True).agg(pl.col("row").str.join(" "))
    lines = pl.DataFrame({"vertex": vertices}).join(
        joined, on="vertex", how="left", maintain_order="left"
    )
    lines.select("row").write_csv(
        stream, include_header=False, separator=" ", quote_style="never", null_value=""
    )


def _refuse(graph: Graph) -> str | None:
    if graph.directed:
        return "holds undirected graphs only"
    if graph.num_self_loops:
        return "holds no self-loops: Graph.from_edges(..., drop_self_loops=True) drops them, npz holds them"
    if graph.weights is not None and graph.weights.dtype.kind == "f":
        return f"has integer weights, not {graph.weights.dtype}: npz holds these"
    if graph.weights is not None and graph.num_arcs and graph.weight_range[0] < 1:
        return f"has weights of 1 and more, not {graph.weight_range[0]}"
    return None


FORMAT = Format(
    "metis", (".graph", ".metis"), read, write, _refuse, options=frozenset({"directed"})
)
