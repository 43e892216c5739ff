"""GAPBS: text and binary, and the suite's own test graphs."""

import struct

import numpy as np
import pytest

from warpath.graph.graph import Graph
from warpath.io import read, write


def test_malformed_text(refused):
    for name, content, line, fragment in [
        ("a.el", "", 1, "expected an edge, but the file is empty"),
        ("a.el", "0 1\n0 1 5\n", 2, "expected 2 fields (source, target), not 3: '0 1 5'"),
        ("a.el", "0 1\n\n0 -1\n", 3, "target id -1: ids begin at 0 here"),
        ("a.el", "0 2147483647\n", 1, "target id 2147483647 is larger than 2147483646"),
        ("a.wel", "0 1 4\n0 1\n", 2, "expected 3 fields (source, target, weight), not 2"),
        ("a.wel", "0 1 inf\n", 1, "weight 'inf'"),
        ("a.el", "# no comments here\n0 1\n", 1, "not 4"),
    ]:
        refused(content, line, fragment, name)


def binary(directed, n, *parts, m=None) -> bytes:
    """A file of (offsets, neighbours) parts."""
    m = len(parts[0][1]) if m is None else m
    content = struct.pack("<?qq", directed, m, n)
    for offsets, arcs in parts:
        content += np.array(offsets, "<i8").tobytes() + np.array(arcs, "<i4").tobytes()
    return content


PATH = ([0, 1, 2, 2], [1, 2]), ([0, 0, 1, 2], [0, 1])  # 0 → 1 → 2 and its reverse


def test_layout(tmp_path):
    """Byte for byte what GAPBS's converter writes."""
    graph = Graph.from_edges([0, 1], [1, 2])
    write(graph, tmp_path / "a.sg")
    assert (tmp_path / "a.sg").read_bytes() == binary(True, 3, *PATH)
    write(graph.with_weights([7, -8]), tmp_path / "a.wsg")
    weighted = ([0, 1, 2, 2], [[1, 7], [2, -8]]), ([0, 0, 1, 2], [[0, 7], [1, -8]])
    assert (tmp_path / "a.wsg").read_bytes() == binary(True, 3, *weighted)
    write(Graph.from_edges([0], [1], n=2, directed=False), tmp_path / "b.sg")
    assert (tmp_path / "b.sg").read_bytes() == binary(False, 2, ([0, 1, 2], [1, 0]))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("content", ["0 99\n", "0 99\n99 0\n"])
def test_sparse_ids_are_numbers(content, tmp_path, monkeypatch):
    """Without the warning that names compact=, which these formats refuse."""
    monkeypatch.setattr("warpath.graph.compact._MANY_VERTICES", 10)
    monkeypatch.setattr("warpath.graph.compact._VERTICES_PER_END", 1)
    (tmp_path / "a.el").write_text(content)
    assert read(tmp_path / "a.el", directed=False).num_vertices == 100


def test_unsorted_rows_are_sorted(tmp_path):
    (tmp_path / "a.wsg").write_bytes(
        binary(False, 3, ([0, 2, 3, 4], [[2, 5], [1, 6], [0, 6], [0, 5]]))
    )
    graph = read(tmp_path / "a.wsg")
    assert graph.neighbors(0).tolist() == [1, 2]
    assert graph.arc_weights(0).tolist() == [6, 5]


MALFORMED = [
    (b"\x01" + bytes(15), "expected GAPBS's header"),
    (b"\x02" + bytes(32), "expected GAPBS's header"),
    (binary(True, -1, ([], [])), "declares -1 vertices"),
    (binary(False, 2, ([0, 1, 2], [1, 0]), m=-5), "-5 arcs: not possible"),
    (binary(False, 2**40, ([0, 1, 2], [1, 0])), "not possible"),
    (binary(False, 2, ([0, 1, 2], [1, 0]))[:-1], "expected 2 entries of 4 bytes, as the header declares"),
    (binary(False, 2, ([0, 1, 2], [1, 0]), m=2**40), "it is truncated"),
    (binary(True, 3, PATH[0]), "is truncated"),
    (binary(False, 2, ([0, 1, 2], [1, 0])) + b"\0", "expected the end of the file after 2 vertices and 2 arcs"),
    (binary(False, 2, ([0, 2, 1], [1, 0])), "row_offsets must run from 0 to 2"),
    (binary(False, 2, ([0, 3, 2], [1, 0])), "row_offsets descends at 1: 3 to 2"),
    (binary(False, 2, ([0, 1, 2], [1, 2])), "column_indices[1] is 2, but the graph has 2 vertices"),
    (binary(False, 2, ([0, 1, 2], [1, -1])), "column_indices[1] is -1"),
    (binary(False, 3, ([0, 1, 2, 2], [1, 2])), "has no reverse"),
    (binary(True, 3, PATH[0], PATH[0]), "are not the reverses of the first's"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "fragment"), MALFORMED, ids=range(len(MALFORMED)))
def test_malformed_binary(content, fragment, refused):
    refused(content, None, fragment, "a.sg")


def test_suite_graphs(data, same):
    """One graph of 14 vertices in every format; .graph holds it simple, as arcs."""
    folder = data / "gapbs-test" / "graphs"
    plain, weighted = read(folder / "4.el"), read(folder / "4.wel")
    assert (plain.num_vertices, plain.num_arcs) == (14, 256)
    same(read(folder / "4.mtx"), plain)
    same(weighted.without_weights(), plain)
    same(read(folder / "4.gr"), weighted)

    def simple(graph: Graph) -> Graph:
        source, target, _ = graph.coo()
        return Graph.from_edges(source, target, n=14, drop_self_loops=True, merge="min")

    assert simple(plain).num_arcs == 53  # GAPBS: "14 nodes and 53 directed edges"
    same(read(folder / "4.graph", directed=True), simple(plain))
    assert simple(read(folder / "4w.mtx")).num_arcs == 53
    assert read(folder / "4w.graph", directed=True).num_arcs == 53


@pytest.mark.parametrize("weights", [None, [5, 6, 6, 2]])
def test_an_undirected_graph_as_text_has_both_arcs(weights, tmp_path):
    path = tmp_path / ("a.el" if weights is None else "a.wel")
    graph = Graph.from_edges([0, 1, 1, 3], [1, 2, 2, 3], weights, directed=False)
    write(graph, path)
    assert len(path.read_text().splitlines()) == graph.num_arcs == 7
    arcs, again = read(path), read(path, directed=False)
    for other in (arcs, again):
        assert np.array_equal(other.row_offsets, graph.row_offsets)
        assert np.array_equal(other.column_indices, graph.column_indices)
        assert weights is None or np.array_equal(other.weights, graph.weights)
    assert (arcs.directed, again.directed) == (True, False)
    path.write_text(path.read_text().split("\n", 1)[1])  # an arc without its reverse
    assert read(path, directed=False).num_edges == 6
