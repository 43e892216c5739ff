"""LDBC Graphalytics graphs: vertices ``.v``, edges ``.e`` and ``.properties`` side by side.

Format: https://arxiv.org/abs/2011.15028, section 2.3. A vertex id a line; an edge a line,
each undirected edge once; the properties say whether the graph is directed, and what
columns follow the ends of an edge. Ids are sparse and kept as `Graph.labels`.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.batches import EdgeBatches
from warpath.graph.check import MAX_VERTICES
from warpath.graph.graph import Graph
from warpath.io.assembly import read_edges
from warpath.io.columns import Column, Ids, Numbers, Tag
from warpath.io.format import Format, exceeds_int64
from warpath.io.source import COMPRESSIONS, File, Source, open_targets, split_suffix
from warpath.io.table import read_table, write_table
from warpath.io.text_blocks import Text, shown

Array = NDArray[Any]

_SUFFIXES = (".v", ".e", ".properties")
_PROPERTY = re.compile(r"([^#!=:\s]+)\s*[=:](.*)", re.DOTALL)
_KINDS = {"int": "integer", "real": "real"}


def read(source: Source, *, directed: bool | None = None) -> Graph:
    """Read a graph of which ``source`` is any of the three files.

    Without ``.properties``, ``directed`` must be given, and a third column is the weight.
    """
    if source.path is None:
        raise source.error("a Graphalytics graph is three files: give the path of one")
    properties, vertex_path, edge_path = _find(source.path, source.max_bytes)
    if directed is None:
        directed = properties.directed
    if directed is None:
        raise ValueError(
            f"{source.name}: no .properties file next to it says whether the graph is directed: "
            "pass directed="
        )
    with Source(vertex_path, source.max_bytes) as vertices:
        labels = _read_vertices(vertices, properties.vertices)
    with Source(edge_path, source.max_bytes) as edges:
        text = Text(edges)
        columns = _columns(text, labels, properties)
        listed = EdgeBatches()
        read_edges(text, columns, listed, rows=properties.edges)
        if not len(listed) and properties.edges is None:
            raise text.error("expected an edge, but the file is empty")
    csr = listed.csr(len(labels), mirror=not directed)
    dense = len(labels) == 0 or (labels[0] == 0 and labels[-1] == len(labels) - 1)  # they ascend
    return Graph._from_parts(*csr, directed, None if dense else labels)


_LONGEST_NAME = 255  # bytes, of a file in most file systems


@dataclass(frozen=True)
class _Properties:
    """What a ``.properties`` file says; None where there is none."""

    directed: bool | None = None
    vertices: int | None = None
    edges: int | None = None
    vertex_file: str | None = None
    edge_file: str | None = None
    kinds: tuple[str, ...] | None = None  # of the columns after the ends, as `Numbers` calls them
    weight: int = 0  # which of these is the weight


def _find(path: Path, max_bytes: int | None) -> tuple[_Properties, Path, Path]:
    """The properties, the vertex file and the edge file, where ``path`` is one of the three."""
    base, suffix, compression = split_suffix(path)
    if suffix not in _SUFFIXES:
        base = base.with_name(base.name + suffix)
    config = path if suffix == ".properties" else _beside(base, ".properties", compression)
    properties = _Properties()
    if config.exists():
        with Source(config, max_bytes) as source:
            properties = _read_properties(source)
    if suffix == ".properties" and properties.vertex_file and properties.edge_file:
        return (
            properties,
            path.with_name(properties.vertex_file),
            path.with_name(properties.edge_file),
        )
    return properties, _beside(base, ".v", compression), _beside(base, ".e", compression)


def _beside(base: Path, suffix: str, compression: str) -> Path:
    """The file ``base`` + suffix: of those that are there the one compressed likewise, or the plain one."""
    plain = base.with_name(base.name + suffix)
    paths = [plain.with_name(plain.name + end) for end in (compression, "", *COMPRESSIONS)]
    return next((path for path in paths if path.exists()), plain)


def _read_properties(source: Source) -> _Properties:
    """Read ``graph.NAME.KEY = VALUE`` lines."""
    text = Text(source, comments=(b"#", b"!"))
    said: dict[str, str] = {}
    where: dict[str, int] = {}
    while (line := text.next_line()) is not None:
        match = _PROPERTY.fullmatch(line.decode("utf-8", "replace"))
        if match:
            key = match[1].removeprefix("graph.").partition(".")[2]
            said[key], where[key] = match[2].strip(), text.line - 1

    def value(key: str, legal: dict[str, Any] | None = None) -> Any:
        word = said.get(key)
        if word is None:
            return None
        if legal is None and word.isascii() and word.isdigit():
            return text.count(word.encode(), where[key])
        if legal is None or word.lower() not in legal:
            wanted = "a count" if legal is None else " or ".join(legal)
            raise text.error(f"expected {wanted} for {key}, not {shown(word.encode())}", where[key])
        return legal[word.lower()]

    for key in ("vertex-file", "edge-file"):
        name = said.get(key)
        if name is None:
            continue
        is_long = len(name.encode()) > _LONGEST_NAME
        if is_long or name in ("", ".", "..") or set(name) & {"/", os.sep, "\0"}:
            raise text.error(
                f"expected the name of a file in the same folder for {key}, not "
                f"{shown(name.encode())}",
                where[key],
            )

    names = _words(said.get("edge-properties.names", ""))
    types = _words(said.get("edge-properties.types", ""))
    if len(types) != len(names):
        raise text.error(f"{len(names)} edge-properties.names, but {len(types)} types")
    for kind in types:
        if kind not in _KINDS:
            line_number = where["edge-properties.types"]
            raise text.error(
                f"edge property type {kind!r}: only int and real are read", line_number
            )
    weight = said.get("sssp.weight-property", "weight")
    return _Properties(
        value("directed", {"true": True, "false": False}),
        value("meta.vertices"),
        value("meta.edges"),
        said.get("vertex-file"),
        said.get("edge-file"),
        tuple(_KINDS[kind] for kind in types),
        names.index(weight) if weight in names else 0,
    )


def _words(value: str) -> list[str]:
    return [word.strip() for word in value.split(",") if word.strip()]


def _read_vertices(source: Source, count: int | None) -> Array:
    """The ids of the vertices, ascending."""
    text = Text(source)
    (ids,) = read_table(text, [Ids("vertex", sparse=True)], rows=count)
    if not len(ids) and count is None:
        raise text.error("expected a vertex id, but the file is empty")
    if len(ids) > MAX_VERTICES:
        raise source.error(f"{len(ids)} vertices: at most {MAX_VERTICES} are possible")
    labels = np.sort(ids).astype(np.int64)
    twice = np.flatnonzero(labels[1:] == labels[:-1])
    if len(twice):
        raise source.error(f"vertex {labels[twice[0]]} is listed twice")
    return labels


@dataclass(frozen=True)
class _Labels(Ids):
    """A column of vertices by their labels; kept as their places among the labels."""

    labels: Array | None = None

    def convert(self, column: Any) -> Array | None:
        values = super().convert(column)
        if values is None or self.labels is None:
            return values
        places = np.searchsorted(self.labels, values)
        known = np.zeros(len(values), bool)
        inside = places < len(self.labels)
        known[inside] = self.labels[places[inside]] == values[inside]
        return places.astype(np.int32) if known.all() else None

    def parse(self, field: bytes) -> int:
        value = super().parse(field)
        assert self.labels is not None
        place = int(np.searchsorted(self.labels, value))
        if place == len(self.labels) or self.labels[place] != value:
            raise ValueError(f"{self.name} id {value} is not in the vertex file")
        return place

    def collect(self, values: list[int]) -> Array:
        return np.array(values, np.int32)


def _columns(text: Text, labels: Array, properties: _Properties) -> list[Column]:
    ends: list[Column] = [
        _Labels(name, sparse=True, labels=labels) for name in ("source", "target")
    ]
    if properties.kinds is None:
        return ends + [Numbers()] * (len((text.peek_line() or b"").split()) == 3)
    return ends + [
        Numbers(kind=kind) if k == properties.weight else Tag()
        for k, kind in enumerate(properties.kinds)
    ]


def write(graph: Graph, file: File) -> None:
    """Write the three files, all or none; ``file`` names one of them."""
    if os.fspath(file) == "-":
        raise ValueError("a Graphalytics graph is three files: give the path of one, not '-'")
    base, suffix, compression = split_suffix(Path(file))
    if suffix not in _SUFFIXES:
        base = base.with_name(base.name + suffix)
    vertex_path, edge_path = (base.with_name(base.name + s + compression) for s in (".v", ".e"))
    labels = np.arange(graph.num_vertices) if graph.labels is None else graph.labels
    source, target, weight = graph.edges()
    said = {
        "vertex-file": vertex_path.name,
        "edge-file": edge_path.name,
        "meta.vertices": len(labels),
        "meta.edges": len(source),
        "directed": "true" if graph.directed else "false",
    }
    if weight is not None:
        said["edge-properties.names"] = "weight"
        said["edge-properties.types"] = "real" if weight.dtype.kind == "f" else "int"
    plain, likewise = (base.with_name(f"{base.name}.properties{end}") for end in ("", compression))
    # What `_find` will take: the file that is named, or one that lies there and is compressed as the others.
    properties = likewise if suffix == ".properties" or likewise.exists() else plain
    with open_targets(vertex_path, edge_path, properties) as (vertices, edges, about):
        write_table(vertices, [labels])
        ends = [labels[source], labels[target]]
        write_table(edges, [*ends, *([] if weight is None else [weight])])
        for key, value in said.items():
            about.write(f"graph.{base.name}.{key} = {value}\n".encode())


def _refuse(graph: Graph) -> str | None:
    if graph.labels is None:
        return None
    if graph.labels.dtype.kind not in "iu" or len(np.unique(graph.labels)) < graph.num_vertices:
        return "needs labels that are distinct integers"
    if graph.num_vertices and (graph.labels[0] < 0 or exceeds_int64(graph.labels)):
        return "needs labels from 0 to 2⁶³ − 1"
    ascending = bool((graph.labels[1:] > graph.labels[:-1]).all())
    return None if ascending else "orders the vertices by label, so labels must ascend"


FORMAT = Format("graphalytics", _SUFFIXES, read, write, _refuse, options=frozenset({"directed"}))
