"""LDBC Graphalytics: three files, sparse ids, properties."""

import io
import sys

import numpy as np
import pytest

from warpath.errors import GraphFormatError
from warpath.graph.graph import Graph
from warpath.io import read, write

VERTICES = "10\n7\n30\n"
EDGES = "10 7 0.5\n7 30 2\n"
PROPERTIES = """# A graph
graph.small.vertex-file = small.v
graph.small.edge-file = small.e
graph.small.meta.vertices = 3
graph.small.meta.edges = 2
graph.small.directed = false
graph.small.edge-properties.names = weight
graph.small.edge-properties.types = real
"""


@pytest.fixture
def small(tmp_path):
    """A function that writes the three files, with changes, and reads them."""

    def read_with(v=VERTICES, e=EDGES, p=PROPERTIES, which="small.e", **options):
        for name, content in (("small.v", v), ("small.e", e), ("small.properties", p)):
            if content is not None:
                (tmp_path / name).write_text(content)
        return read(tmp_path / which, **options)

    return read_with


@pytest.mark.parametrize("which", ["small.v", "small.e", "small.properties"])
def test_any_of_the_three(which, small):
    graph = small(which=which)
    assert not graph.directed
    assert graph.labels.tolist() == [7, 10, 30]
    assert graph.coo()[0].tolist() == [0, 0, 1, 2]
    assert graph.coo()[1].tolist() == [1, 2, 0, 0]
    assert graph.weights.tolist() == [0.5, 2, 0.5, 2]


def test_without_properties(small):
    with pytest.raises(ValueError, match=r"no .properties file next to it says .*: pass directed="):
        small(p=None)
    graph = small(p=None, directed=True)
    assert graph.directed
    assert graph.num_arcs == 2


def test_other_files_and_columns(small, tmp_path):
    (tmp_path / "else.e").write_text("7 10 1.5 8\n")
    properties = PROPERTIES.replace("small.e\n", "else.e\n").replace("edges = 2", "edges = 1")
    properties = properties.replace("= weight", "= speed, weight").replace("= real", "= real, int")
    graph = small(p=properties, which="small.properties")
    assert graph.weights.dtype == np.int32
    assert graph.weights.tolist() == [8, 8]


@pytest.mark.parametrize(
    ("changes", "name", "line", "fragment"),
    [
        ({"v": "10\nx\n30\n"}, "small.v", 2, "expected a vertex id, an integer, not 'x'"),
        ({"v": "10\n7\n"}, "small.v", 2, "expected 3 rows, as declared, but the file ends after 2"),
        ({"v": "10\n7\n7\n"}, "small.v", None, "vertex 7 is listed twice"),
        ({"v": "10\n7\n-1\n"}, "small.v", 3, "vertex id -1: ids begin at 0"),
        ({"v": "", "p": "graph.small.directed = true"}, "small.v", 1, "but the file is empty"),
        ({"e": "", "p": "graph.small.directed = true"}, "small.e", 1, "but the file is empty"),
        ({"e": "10 7 0.5\n"}, "small.e", 1, "expected 2 rows, as declared, but the file ends after 1"),
        ({"e": "10 7 0.5\n7 31 2\n"}, "small.e", 2, "target id 31 is not in the vertex file"),
        ({"e": "10 7 0.5\n8 30 2\n"}, "small.e", 2, "source id 8 is not in the vertex file"),
        ({"e": "10 7 0.5\n7 30\n"}, "small.e", 2, "expected 3 fields (source, target, weight), not 2"),
        ({"e": "10 7 0.5\n7 30 inf\n"}, "small.e", 2, "weight 'inf': only finite"),
        ({"p": PROPERTIES.replace("false", "maybe")}, "small.properties", 6, "expected true or false for directed, not 'maybe'"),
        ({"p": PROPERTIES.replace("= 3", "= -3")}, "small.properties", 4, "expected a count for meta.vertices, not '-3'"),
        ({"p": PROPERTIES.replace("real", "text")}, "small.properties", 8, "'text': only int and real are read"),
        ({"p": "graph.small.edge-file = " + "9" * 300}, "small.properties", 1, "expected the name of a file in the same folder"),
        ({"p": PROPERTIES.replace("real", "real, real")}, "small.properties", 8, "1 edge-properties.names, but 2 types"),
    ],
)  # fmt: skip
def test_malformed(changes, name, line, fragment, small):
    with pytest.raises(GraphFormatError) as caught:
        small(**changes)
    assert caught.value.file.endswith(name)
    assert caught.value.line == line
    assert fragment in caught.value.message


def test_a_missing_part(small, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"small\.v"):
        small(v=None)


@pytest.mark.parametrize("name", ["g.v.gz", "g.e.xz", "g.properties", "g.zst"])
@pytest.mark.parametrize("labels", [None, [5, 9, 2**40]])
def test_round_trip_with_labels(labels, name, tmp_path, same):
    graph = Graph.from_edges([0, 2], [2, 2], np.array([1, -7], np.int32), n=3, labels=labels)
    write(graph, tmp_path / name, format="graphalytics")
    written = sorted(path.name for path in tmp_path.iterdir())
    packed = "." + name.split(".")[-1] if name != "g.properties" else ""
    assert written == sorted([f"g.v{packed}", f"g.e{packed}", "g.properties"])
    same(read(tmp_path / written[0]), graph)
    same(read(tmp_path / "g.properties"), graph)


def test_properties_are_written_where_they_are_read(tmp_path, same):
    graphs = [Graph.from_edges([0], [k], n=k + 1) for k in (1, 2)]
    write(graphs[0], tmp_path / "g.properties.gz")
    same(read(tmp_path / "g.properties.gz"), graphs[0])
    write(graphs[1], tmp_path / "g.v.gz")  # else the first one's properties would be read with it
    same(read(tmp_path / "g.v.gz"), graphs[1])
    assert not (tmp_path / "g.properties").exists()


@pytest.mark.parametrize(
    "labels",
    [
        ["a", "b"],
        [2, 1],
        [1, 1],
        [-5, 3],
        np.array([2, 1], np.uint8),
        np.array([1, 2**63], np.uint64),
    ],
)
def test_labels_that_cannot_be_ids(labels, tmp_path):
    graph = Graph.from_edges([0], [1], labels=labels)
    with pytest.raises(ValueError, match="graphalytics format"):
        write(graph, tmp_path / "g.e")


def test_streams_hold_no_three_files(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"0 1\n")))
    with pytest.raises(GraphFormatError, match="three files"):
        read("-", format="graphalytics")
    with pytest.raises(ValueError, match="three files"):
        write(Graph.from_edges([0], [1]), "-", format="graphalytics")


def test_validation_graphs(data):
    folder = data / "ldbc-graphalytics-validation" / "example"
    graph = read(folder / "example-directed.e", directed=True)
    assert (graph.num_vertices, graph.num_arcs, graph.weights.dtype) == (10, 17, np.float64)
    assert graph.labels.tolist() == list(range(1, 11))
    other = read(folder / "example-undirected.v", directed=False)
    assert (other.num_vertices, other.num_edges) == (9, 12)
    assert other.labels.tolist() == list(range(2, 11))


@pytest.mark.parametrize(
    ("line", "fragment"),
    [
        ("graph.small.vertex-file = small.v\0", "for vertex-file, not 'small.v\\x00'"),
        ("graph.small.edge-file = ../small.e", "the name of a file in the same folder for edge-file"),
        ("graph.small.vertex-file = ..", "for vertex-file, not '..'"),
        ("graph.small.vertex-file =", "for vertex-file, not ''"),
        ("graph.small.meta.vertices = ²", "expected a count for meta.vertices, not '²'"),
        ("graph.small.meta.edges = ٣", "expected a count for meta.edges, not '٣'"),
        ("graph.small.meta.edges = " + "9" * 5000, "an integer of 5000 digits is too large"),
    ],
    ids=range(7),
)  # fmt: skip
def test_odd_properties(line, fragment, small):
    with pytest.raises(GraphFormatError) as caught:
        small(p="# c\n" + line + "\ngraph.small.directed = true\n", which="small.properties")
    assert (caught.value.line, caught.value.file[-16:]) == (2, "small.properties")
    assert fragment in caught.value.message


def test_a_long_property_is_looked_at_once(small):
    properties = PROPERTIES + "graph.small.note = b" + " " * 500_000 + "c\n"
    assert small(p=properties).num_edges == 2


def test_max_bytes_is_for_each_file(small):
    assert small(max_bytes=1000).num_edges == 2
    with pytest.raises(GraphFormatError, match=r"small.properties: the file takes"):
        small(max_bytes=100)


def test_the_file_that_is_named_is_read(tmp_path, same):
    """Where the same graph's name has other files, compressed otherwise."""
    graphs = {
        end: Graph.from_edges([0], [k], n=k + 1) for k, end in enumerate(["", ".gz", ".zst"], 1)
    }
    for end, graph in graphs.items():
        write(graph, tmp_path / f"g.e{end}", format="graphalytics")
        (tmp_path / "g.properties").unlink()
    for end, graph in graphs.items():
        for suffix in (".v", ".e"):
            same(read(tmp_path / f"g{suffix}{end}", directed=True), graph)
