"""Real graphs with known answers, from the folder of test data (its README says what they are).

Every ``*_names()`` lists what is there, and nothing where the folder is absent, so that
tests can be parametrised with it.
"""

import functools
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from warpath.graph.graph import Graph
from warpath.io import read
from warpath.io.columns import Ids, Numbers, Tag
from warpath.io.source import Source
from warpath.io.table import read_table
from warpath.io.text_blocks import Text

DATA = Path(
    os.environ.get("WARPATH_TEST_DATA")
    or Path(__file__).resolve().parents[2] / "shared" / "data"
)  # fmt: skip


def _names(folder: str, pattern: str) -> list[str]:
    return sorted(path.name for path in (DATA / folder).glob(pattern))


# -- graphs of expected.json ---------------------------------------------------------------


@functools.cache
def _expected() -> dict[str, Any]:
    path = DATA / "expected.json"
    return json.loads(path.read_text()) if path.exists() else {}


def names() -> list[str]:
    """The graphs of expected.json."""
    return list(_expected())


def small_names() -> list[str]:
    """Those of fewer than 20,000 vertices."""
    return [name for name in names() if expected(name)["nodes"] < 20_000]


def expected(name: str) -> dict[str, Any]:
    """What expected.json says of a graph; without that file the test is skipped."""
    if not _expected():
        pytest.skip(f"{name}: there is no folder of test data")
    return _expected()[name]


@functools.cache
def load(name: str) -> Graph:
    """A graph of expected.json, with the weights that its answers are of."""
    about = expected(name)
    path = DATA / about["file"]
    folder = about["file"].split("/")[0]
    if folder == "fast-paths-maps":
        _, tail, head, weight = _table(path, Tag("a"), Ids("tail"), Ids("head"), Numbers())
        graph = Graph.from_edges(tail, head, weight)
    elif folder == "tntp":
        graph = _tntp(path)
    elif folder == "suitesparse-small":  # this copy lacks the two lines of the header
        graph = Graph.from_edges(*_table(path, Ids("row", 1), Ids("column", 1)), directed=False)
    elif folder == "snap-juliagraphs":
        graph = _jlg(path)
    elif folder == "snap-signed":
        graph = read(path, compact=True, weight_column=2)
    elif folder == "snap-txt":
        graph = read(path, compact=True, directed=about["directed"])
    else:
        graph = read(path)
    if about["weights"].startswith("synthetic"):
        graph = graph.with_weights(_synthetic_weights(graph))
    return graph.without_labels()


def sha256(array: np.ndarray) -> str:
    """What expected.json has of long answers."""
    return hashlib.sha256(array.tobytes()).hexdigest()


@functools.cache
def negative_twin(name: str) -> Graph:
    """The graph with w + p(u) − p(v) for weights: directed, negative ones, no negative cycle."""
    graph = load(name)
    source, target, weight = graph.coo()
    p = potential(graph.num_vertices)
    return Graph.from_csr(
        graph.row_offsets, graph.column_indices, weight + p[source] - p[target]
    )  # fmt: skip


def potential(n: int) -> np.ndarray:
    """p(v) of the README."""
    return ((np.arange(n, dtype=np.int64) * 1103515245 + 12345) & 0x7FFFFFFF) % 2000


def _synthetic_weights(graph: Graph) -> np.ndarray:
    source, target, _ = graph.coo()
    low = np.minimum(source, target).astype(np.uint64)
    high = np.maximum(source, target).astype(np.uint64)
    mixed = (low * np.uint64(2654435761)) ^ (high * np.uint64(2246822519))
    return (1 + mixed % np.uint64(2**32) % np.uint64(1000)).astype(np.int32)


def _table(path: Path, *columns: Any, comments: tuple[bytes, ...] = (), **options: Any) -> Any:
    with Source(path) as source:
        return read_table(Text(source, comments), columns, **options)


def _tntp(path: Path) -> Graph:
    """TNTP networks: header lines ``<KEY> value``, names after ``~``, rows that end in ``;``."""
    columns = [Tag() for _ in range(11)]
    columns[:4] = [Ids("tail", 1), Ids("head", 1), Tag(), Numbers(kind="real")]
    tail, head, _, length, *_ = _table(path, *columns, comments=(b"<", b"~"))
    return Graph.from_edges(tail, head, length)


def _jlg(path: Path) -> Graph:
    """JuliaGraphs: ``n,m,d|u,…``, then ``u,v`` from 1."""
    with Source(path) as source:
        text = Text(source)
        n, m, kind, *_ = text.header("n,m,kind")[0].decode().split(",")
        ends = read_table(
            text, [Ids("tail", 1, int(n)), Ids("head", 1, int(n))], rows=int(m), delimiter=b","
        )
    return Graph.from_edges(*ends, n=int(n), directed=kind == "d")


# -- answers that others published -----------------------------------------------------------


@dataclass(frozen=True)
class Published:
    """A graph, a source and the answers from it; None where there is none."""

    graph: Graph
    source: int
    levels: np.ndarray | None  # int32, -1 where unreachable
    distances: np.ndarray | None  # float64, inf where unreachable


_LDBC = {
    "example-directed": ("example/example-directed", True, "1"),
    "example-undirected": ("example/example-undirected", False, "2"),
    "bfs-directed": ("bfs/dir", True, "1"),
    "bfs-undirected": ("bfs/undir", False, "1"),
    "sssp-directed": ("sssp/dir", True, "1"),
    "sssp-undirected": ("sssp/undir", False, "1"),
}


def ldbc_names() -> list[str]:
    """The Graphalytics validation graphs."""
    return list(_LDBC) if (DATA / "ldbc-graphalytics-validation").is_dir() else []


def ldbc(name: str) -> Published:
    """A Graphalytics validation graph and its answers."""
    stem, directed, source = _LDBC[name]
    base = DATA / "ldbc-graphalytics-validation" / stem
    kind = name.split("-")[0]
    if kind == "bfs":
        graph = _adjacency(base.with_name(base.name + "-input"), directed)
    else:
        edges = base.name + (".e" if kind == "example" else "-input.e")
        graph = read(base.with_name(edges), directed=directed)
    labels = [str(label) for label in graph.labels]

    def answers(suffix: str) -> list[str]:
        lines = base.with_name(base.name + suffix).read_text().splitlines()
        of = dict(line.split() for line in lines)
        return [of[label] for label in labels]

    levels = distances = None
    if kind != "sssp":
        found = answers("-output" if kind == "bfs" else "-BFS")
        levels = np.array([-1 if v == "9223372036854775807" else int(v) for v in found], np.int32)
    if kind != "bfs":
        found = answers("-output" if kind == "sssp" else "-SSSP")
        distances = np.array([float(v) for v in found])
    return Published(graph.without_labels(), labels.index(source), levels, distances)


def _adjacency(path: Path, directed: bool) -> Graph:
    """Lines ``u v v …``; undirected edges stand in both lines."""
    rows = [[int(field) for field in line.split()] for line in path.read_text().splitlines()]
    labels = sorted({label for row in rows for label in row})
    arcs = [(labels.index(u), labels.index(v)) for u, *vs in rows for v in vs]
    source, target = np.array(arcs).T
    graph = Graph.from_edges(source, target, n=len(labels), labels=labels)
    return Graph.from_csr(graph.row_offsets, graph.column_indices, directed=directed, labels=labels)


def library_checker_names() -> list[str]:
    """The instances of library-checker's shortest path."""
    found = _names("library-checker-shortest-path/instances", "*.in.xz")
    return [name.removesuffix(".in.xz") for name in found]


def library_checker(name: str) -> tuple[Graph, int, int, int | None]:
    """(graph, s, t, distance from s to t, None where there is no path)."""
    folder = DATA / "library-checker-shortest-path" / "instances"
    with Source(folder / f"{name}.in.xz") as source:
        text = Text(source)
        n, m, s, t = map(int, text.header("n m s t"))
        arrays = read_table(text, [Ids("tail", n=n), Ids("head", n=n), Numbers()], rows=m)
    distance = int((folder / f"{name}.answer").read_text().split()[0])
    return Graph.from_edges(*arrays, n=n), s, t, None if distance < 0 else distance


def dijkstra_names() -> list[str]:
    """stanford-algs' instances for Dijkstra's algorithm."""
    found = _names("stanford-algs/dijkstra", "input_*.txt")
    return [name.removeprefix("input_").removesuffix(".txt") for name in found]


# The course that these are from asks for the distances of ten vertices, these from 1.
_ASKED = np.array([7, 37, 59, 82, 99, 115, 133, 165, 188, 197]) - 1
_STANFORD_UNREACHABLE = 1000000


def dijkstra(name: str) -> tuple[Graph, int, np.ndarray, np.ndarray]:
    """(graph, source, vertices, their distances; -1 where unreachable)."""
    folder = DATA / "stanford-algs" / "dijkstra"
    lines = (folder / f"input_{name}.txt").read_text().splitlines()
    arcs = [
        (int(tail), *map(int, field.split(",")))
        for tail, *fields in map(str.split, lines)
        for field in fields
    ]
    tail, head, weight = np.array(arcs).T
    answers = np.array((folder / f"output_{name}.txt").read_text().split(","), np.int64)
    answers[answers == _STANFORD_UNREACHABLE] = -1
    return Graph.from_edges(tail - 1, head - 1, weight, n=len(lines)), 0, _ASKED, answers


def apsp_names() -> list[str]:
    """stanford-algs' instances with negative weights."""
    found = _names("stanford-algs/apsp-negative", "input_*.txt")
    return [name.removeprefix("input_").removesuffix(".txt") for name in found]


def apsp(name: str) -> tuple[Graph, int | None]:
    """(graph, the smallest distance between two vertices; None: there is a negative cycle)."""
    folder = DATA / "stanford-algs" / "apsp-negative"
    with Source(folder / f"input_{name}.txt") as source:
        text = Text(source)
        n, m = map(int, text.header("n m"))
        arrays = read_table(text, [Ids("tail", 1, n), Ids("head", 1, n), Numbers()], rows=m)
    answer = (folder / f"output_{name}.txt").read_text().strip()
    return Graph.from_edges(*arrays, n=n), None if answer == "NULL" else int(answer)
