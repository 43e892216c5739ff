"""Edge lists: comments that say something, sparse ids, columns."""

import numpy as np
import pytest

from warpath.errors import GraphFormatError
from warpath.io import read, write

MALFORMED = [
    ("", 1, "expected an edge, 'SOURCE TARGET [WEIGHT]', but the file ends here"),
    ("# only\n% comments\n", 2, "but the file ends here"),
    ("# Nodes: 3 Edges: 2\n", 1, "but the file ends here"),
    ("source,target\n", 1, "but the file ends here"),
    ("# c\n7\n", 2, "expected 'SOURCE TARGET [WEIGHT]', not '7'"),
    ("1 2 3 4\n", 1, "not '1 2 3 4'; weight_column= names the column of several"),
    ("name other\n0 1\n", 1, "expected a source id, an integer, not 'name'"),
    ("0 1\n0 1 5\n", 2, "expected 2 fields (source, target), not 3"),
    ("0 1 5\n0 1\n", 2, "expected 3 fields (source, target, weight), not 2"),
    ("0,1\n1,,2\n", 2, "expected 2 fields (source, target), not 3: '1,,2'"),
    ("0,1,5\n1,,2\n", 2, "expected a target id, an integer, not ''"),
    ("0,1\n1;2\n", 2, "not 1: '1;2'"),
    ("# c\n-1 0\n", 2, "source id -1: ids begin at 0 here"),
    ("0 2147483647\n", 1, "target id 2147483647 is larger than 2147483646; compact=True"),
    ("0 1 nan\n", 1, "weight 'nan': only finite numbers are legal"),
    ("0 1 1\n0 1 99999999999999999999\n", 2, "does not fit in a 64-bit integer"),
    ("# Nodes: 3 Edges: 3\n0 1\n0 2\n", 3, "a comment says 3 edges, but the file ends after 2"),
    ("# Nodes: 99999999999 Edges: 1\n0 1\n", 1, "99999999999 vertices: at most"),
]


@pytest.mark.parametrize(("content", "line", "fragment"), MALFORMED)
def test_malformed(content, line, fragment, refused):
    refused(content, line, fragment, "a.txt")


def test_comments_say_direction_and_vertices(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("% undirected GRAPH\n# Nodes: 9\tEdges: 1\n0 1\n")
    graph = read(path)
    assert (graph.num_vertices, graph.directed) == (9, False)
    assert read(path, directed=True).directed
    path.write_text("# Directed graph (each unordered pair of nodes is saved once)\n0 1\n")
    assert read(path).directed
    # SNAP counts the ids that occur, which may be fewer than the largest.
    path.write_text("# Nodes: 2 Edges: 1\n0 5\n")
    assert read(path).num_vertices == 6


@pytest.mark.parametrize("largest", [7, 10**6, 10**18])
def test_sparse_ids(largest, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"{largest} 2 1.5\n2 5 2\n5 {largest} 3\n")
    graph = read(path, compact=True)
    assert graph.labels.tolist() == [2, 5, largest]
    assert graph.coo()[0].tolist() == [0, 1, 2]
    assert graph.coo()[1].tolist() == [1, 2, 0]
    assert graph.weights.tolist() == [2, 3, 1.5]


def test_dense_ids_need_no_labels(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("1 0\n2 1\n")
    assert read(path, compact=True).labels is None


@pytest.mark.parametrize("column", [2, 3])
def test_weight_column(column, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("6,2,4,1289241911.5\n6,5,-2,7\n")
    assert (
        read(path, weight_column=column).weights.tolist()
        == [[4, -2], [1289241911.5, 7]][column - 2]
    )
    for bad in (1, 4):
        with pytest.raises(
            GraphFormatError, match=f"line 1: weight_column={bad}, but a row has 4 fields"
        ):
            read(path, weight_column=bad)


def test_csv_is_written_with_commas(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("0 1 5\n2 1 -7\n")
    write(read(path), tmp_path / "a.csv.gz")
    write(read(tmp_path / "a.csv.gz"), tmp_path / "b.csv")
    assert (
        tmp_path / "b.csv"
    ).read_text() == "# Directed graph\n# Nodes: 3 Edges: 2\n0,1,5\n2,1,-7\n"


def test_cugraph_files(data):
    edges = {}
    for path in sorted((data / "cugraph-datasets").glob("*.csv")):
        if path.name == "negative-vertex-id.csv":
            with pytest.raises(GraphFormatError, match="line 1: source id -1"):
                read(path)
            continue
        graph = read(path)
        lines = path.read_text().split("\n")
        assert graph.num_arcs == sum(bool(line.strip()) for line in lines)
        edges[path.stem] = (graph.num_vertices, graph.weights is not None)
    assert edges["karate"] == (34, True)
    assert edges["karate-data"] == (35, False)
    assert edges["netscience"] == (1589, True)
    assert read(data / "cugraph-datasets" / "karate-data.csv", compact=True).num_vertices == 34


def test_snap_files(data):
    graph = read(data / "snap-txt" / "wiki-Vote.txt.gz", compact=True)
    assert (graph.num_vertices, graph.num_arcs) == (7115, 103689)
    first = np.searchsorted(graph.labels, [30, 1412])  # the first row
    assert graph.has_edge(*first)


def test_a_long_comment_is_looked_at_once(tmp_path):
    path = tmp_path / "unknown"
    path.write_text("#" * 60_000 + "x\n" + " " * 60_000 + "#\n# Nodes: 7 Edges: 1\n0 1\n")
    assert read(path, format="edge-list").num_vertices == 7
    with pytest.raises(GraphFormatError, match="not recognised as any format"):
        read(path)
