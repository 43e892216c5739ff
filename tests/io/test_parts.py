"""Graphs in several files: the graph of all edges in one."""

import gzip

import numpy as np
import polars as pl
import pytest

from warpath.errors import GraphFormatError
from warpath.graph.graph import Graph
from warpath.io import read, write

EDGES = [(0, 1, 5), (1, 2, 7), (4, 0, 2), (1, 2, 3), (3, 3, 9)]


def text(edges, gap=" "):
    return "".join(gap.join(map(str, edge)) + "\n" for edge in edges)


def whole(**options):
    return Graph.from_edges(*np.array(EDGES).T, **options)


@pytest.fixture
def identical():
    """A function that demands that two graphs have the same arrays, parallel arcs in order."""

    def check(graph, other):
        assert graph.directed == other.directed
        for a, b in zip(graph.resident, other.resident, strict=True):
            np.testing.assert_array_equal(a, b)

    return check


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("suffix", ["txt", "csv", "wel", "parquet"])
def test_a_folder_a_pattern_and_a_list(suffix, directed, tmp_path, identical):
    folder = tmp_path / "parts"
    folder.mkdir()
    paths = []
    for k in range(3):
        path = folder / f"part-{k}.{suffix}"
        part = EDGES[2 * k : 2 * k + 2]
        if suffix == "parquet":
            pl.DataFrame(part, ["source", "target", "weight"], orient="row").write_parquet(path)
        else:
            path.write_text(text(part, "," if suffix == "csv" else " "))
        paths.append(path)
    for odd in ("_SUCCESS", ".part-0.crc"):
        (folder / odd).write_text("")
    for file in (folder, str(folder), f"{folder}/part-?.{suffix}", paths, [str(p) for p in paths]):
        identical(read(file, directed=directed), whole(directed=directed))
    identical(read(paths[:1]), read(paths[0]))
    if suffix == "wel":
        return
    backwards = [*EDGES[4:], *EDGES[2:4], *EDGES[:2]]
    wanted = Graph.from_edges(*np.array(backwards).T)
    identical(read(paths[::-1]), wanted)


def test_a_pattern_that_a_file_is_called(tmp_path):
    (tmp_path / "a[1].el").write_text("0 1\n")
    (tmp_path / "a1.el").write_text("0 1\n1 2\n")
    assert read(tmp_path / "a[1].el").num_arcs == 1


def test_compressed_parts_and_options(tmp_path, identical):
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"km,from,to\n5,0,1\n7,1,2\n2,4,0\n"))
    (tmp_path / "b.csv").write_text("km,from,to\n3,1,2\n9,3,3\n")
    graph = read(tmp_path, columns=["from", "to", "km"])
    identical(graph, whole())


@pytest.mark.parametrize("large", [1, 2**31, 2**40])
def test_names_of_all_parts(large, tmp_path):
    """Integers that are names from the second part on."""
    parts = [[(0, 5), (7, 5)], [(7 * large, 0), (5, 7)]]
    for k, edges in enumerate(parts):
        (tmp_path / f"{k}.txt").write_text(text(edges))
    graph = read(tmp_path, compact=True)
    wanted = Graph.from_edges(*np.array([*parts[0], *parts[1]]).T, compact=True)
    assert graph.labels.tolist() == wanted.labels.tolist()
    assert graph.coo()[1].tolist() == wanted.coo()[1].tolist()
    assert read(tmp_path).num_vertices == (8 if large == 1 else 4)


def test_text_in_parts(tmp_path):
    (tmp_path / "a.txt").write_text("ulm bonn 3\nbonn kiel 4\n")
    (tmp_path / "b.txt").write_text("kiel aalen 2.5\n")
    graph = read(tmp_path)
    assert graph.labels.tolist() == ["aalen", "bonn", "kiel", "ulm"]
    source, target, weight = graph.coo()
    arcs = zip(graph.labels[source], graph.labels[target], weight.tolist(), strict=True)
    assert list(arcs) == [("bonn", "kiel", 4.0), ("kiel", "aalen", 2.5), ("ulm", "bonn", 3.0)]


def test_what_parts_say(tmp_path):
    for k in range(2):
        (tmp_path / f"{k}.txt").write_text(
            f"# Undirected graph\n# Nodes: {9 - k} Edges: 1\n0 {k + 1}\n"
        )
    graph = read(tmp_path)
    assert (graph.num_vertices, graph.directed, graph.num_edges) == (9, False, 2)
    (tmp_path / "2.txt").write_text("0 3\n")
    with pytest.raises(GraphFormatError, match=r"2.txt: says a directed graph, but .*0.txt an und"):
        read(tmp_path)
    assert read(tmp_path, directed=False).num_edges == 3


@pytest.mark.parametrize(
    ("name", "content", "line", "message"),
    [
        ("b.txt", "0 1 2\n0 x 1\n", 2, "expected a target id, an integer, not 'x'"),
        ("b.txt", "0 1\n", 1, "some edges have weights, and others none"),
        ("b.txt", "ulm bonn 3\n", 1, "all integers or all text, in all files: '# Labels: text'"),
        ("b.wel", "0 1 2\n", None, "is wel, but "),
        ("b.mtx", "%%MatrixMarket matrix\n", None, "a matrix-market file holds a whole graph"),
        ("b.txt", "", None, "expected an edge"),
    ],
)
def test_errors_name_the_part(name, content, line, message, tmp_path):
    (tmp_path / "a.txt").write_text("0 1 2\n")
    (tmp_path / name).write_text(content)
    with pytest.raises(GraphFormatError) as caught:
        read(tmp_path)
    assert caught.value.file == str(tmp_path / name)
    assert caught.value.line in (line, 1)
    assert message in caught.value.message


@pytest.mark.parametrize("suffix", ["npz", "wsg", "gr"])
def test_whole_graphs_are_no_parts(suffix, tmp_path):
    for name in "ab":
        write(whole(), tmp_path / f"{name}.{suffix}")
    with pytest.raises(GraphFormatError, match="file holds a whole graph, not a part of one"):
        read(tmp_path)


def test_no_parts(tmp_path):
    with pytest.raises(FileNotFoundError, match="No files in the folder"):
        read(tmp_path)
    with pytest.raises(FileNotFoundError, match="No file matches the pattern"):
        read(tmp_path / "*.txt")
    with pytest.raises(TypeError, match="expected a path, or several, not int"):
        read(3)
    with pytest.raises(ValueError, match="a list of no files"):
        read([])
    with pytest.raises(ValueError, match="standard input is no part"):
        read(["-", "a.txt"])
    (tmp_path / "year=2020").mkdir()
    with pytest.raises(ValueError, match="year=2020 is a folder: give a pattern"):
        read(tmp_path)


def test_vertices_of_all_parts_against_all_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr("warpath.io.source._ALWAYS", 0)
    for k in range(3):
        (tmp_path / f"{k}.el").write_text("0 150\n")
    assert read(tmp_path).num_vertices == 151
    (tmp_path / "3.el").write_text("0 9999\n")
    with pytest.raises(GraphFormatError, match="a graph of 10,000 vertices takes"):
        read(tmp_path)
