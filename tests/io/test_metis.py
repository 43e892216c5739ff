"""METIS: header flags, lines as vertices, and each edge listed twice."""

import io
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpath.errors import GraphFormatError
from warpath.io import metis, read

MALFORMED = [
    ("", 1, "expected 'VERTICES EDGES [FMT [NCON]]', but the file ends here"),
    ("3\n", 1, "expected 'VERTICES EDGES [FMT [NCON]]', not '3'"),
    ("3 x\n", 1, "not '3 x'"),
    ("3 1 2\n", 1, "expected FMT of three digits 0 or 1, not '002'"),
    ("3 1 0001\n", 1, "expected FMT of three digits"),
    ("99999999999 1\n", 1, "99999999999 vertices: at most"),
    ("2 1\n2\n", 2, "expected a line for each of 2 vertices, but the file ends after 1"),
    ("2 1\n2\n1\n\n1\n", 5, "expected the lines of 2 vertices, but there are more"),
    ("% c\n2 1\n% d\n2\nx\n", 5, "expected a neighbour id, an integer, not 'x'"),
    ("2 1\n0\n1\n", 2, "neighbour id 0: ids begin at 1 here"),
    ("2 1\n2\n3\n", 3, "neighbour id 3 is out of range: the file declares 2 vertices, 1 … 2"),
    ("2 1 1\n2 5\n1\n", 3, "expected pairs of neighbour and weight, not '1'"),
    ("2 1 1\n2 nan\n1 nan\n", 2, "weight 'nan': only finite"),
    ("2 1 1\n2.5 1\n1 1\n", 2, "expected a neighbour id, an integer, not '2.5'"),
    ("2 1 10 2\n7 7 2\n7\n", 3, "expected 2 sizes and weights, not '7'"),
    ("2 1 1\n2 99999999999999999999\n1 1\n", 2, "does not fit in a 64-bit integer"),
    (
        "3 1\n2\n1 3\n2\n",
        1,
        "the header declares 1 edges, each to be listed twice, but 4 neighbours",
    ),
    ("3 2\n2\n1\n\n", 1, "the header declares 2 edges, each to be listed twice, but 2 neighbours"),
    ("3 1\n2\n3\n\n", 2, "vertex 1 lists 2, but 2 does not list 1 likewise"),
    ("% c\n2 1 1\n%\n2 5\n1 6\n", 4, "vertex 1 lists 2, but 2 does not list 1 likewise"),
]


@pytest.mark.parametrize(("content", "line", "fragment"), MALFORMED)
def test_malformed(content, line, fragment, refused):
    refused(content, line, fragment, "a.graph")


def test_the_first_bad_line_of_many(tmp_path):
    n = 5000  # a cycle: more than one piece of text
    lines = [f"{(v - 2) % n + 1} {v % n + 1}" for v in range(1, n + 1)]
    path = tmp_path / "a.graph"
    path.write_text("\n".join([f"{n} {n}", *lines, ""]))
    assert read(path).num_edges == n
    lines[4000] = "4000 oops"
    path.write_text("\n".join([f"{n} {n}", "% comment", *lines, ""]))
    with pytest.raises(GraphFormatError, match=r"line 4003: .* not 'oops'"):
        read(path)


def test_weights_and_loops(tmp_path):
    path = tmp_path / "a.graph"
    path.write_text("3 3 1\n1 9 2 0.5\n1 .5 3 2\n2 2\n")
    graph = read(path)
    assert graph.num_self_loops == 1
    assert graph.num_edges == 3
    assert graph.weights.tolist() == [9, 0.5, 0.5, 2, 2]


def test_arcs(tmp_path):
    path = tmp_path / "a.graph"
    path.write_text("3 2\n2 3\n\n\n")
    with pytest.raises(GraphFormatError, match="directed=True reads them as arcs"):
        read(path)
    graph = read(path, directed=True)
    assert graph.directed
    assert graph.neighbors(0).tolist() == [1, 2]


def test_networkit_files(data):
    edges = {}
    for path in sorted((data / "networkit-input").glob("*.graph*")):
        if path.name == "jazz2double.graph":  # its two weights of edge {3, 5} differ
            with pytest.raises(GraphFormatError, match="line 4: vertex 3 lists 5"):
                read(path)
            continue
        graph = read(path)
        assert not graph.directed
        edges[path.name.split(".")[0]] = (graph.num_vertices, graph.num_edges)
    assert edges["karate"] == (34, 78)
    assert edges["power"] == (4941, 6594)
    assert edges["lesmis"] == (77, 254)
    assert edges["4elt"] == (15606, 45878)
    # One graph: without weights, with edge weights, with those of vertices too, with several.
    tiny = [read(data / "networkit-input" / f"tiny_0{k}.graph") for k in range(1, 5)]
    for other in tiny[1:]:
        assert np.array_equal(tiny[0].column_indices, other.column_indices)
    assert [graph.weights is not None for graph in tiny] == [False, True, True, False]
    assert np.array_equal(tiny[1].weights, tiny[2].weights)


@pytest.mark.parametrize("header", ["{} 1", "1 {}", "1 0 011 {}"])
@pytest.mark.parametrize("number", ["9" * 5000, "9" * 30, str(2**63)])
def test_huge_headers(header, number, tmp_path):
    path = tmp_path / "a.graph"
    path.write_text(header.format(number) + "\n1\n")
    with pytest.raises(GraphFormatError, match=r"a.graph, line 1: "):
        read(path)


def test_a_line_as_long_as_the_header_allows(tmp_path, monkeypatch):
    n = 200_000  # a star: 1.3 MB in its centre's line
    leaves = " ".join(map(str, range(2, n + 1)))
    path = tmp_path / "a.graph"
    path.write_text(f"{n} {n - 1}\n{leaves}\n" + "1\n" * (n - 1))
    assert read(path).degree[0] == n - 1
    path.write_text(f"{n} {n - 1}\n{leaves} x\n" + "1\n" * (n - 1))
    with pytest.raises(
        GraphFormatError, match="line 2: expected a neighbour id, an integer, not 'x'"
    ):
        read(path)
    path.write_text(f"{n} 9\n{leaves}\n")
    with pytest.raises(GraphFormatError, match="line 2: a line of more than 1,048,576 bytes"):
        read(path)


TOKENS = st.lists(st.sampled_from(["1", "2", "3", "4", "9", "-1", ".5", "x", "%", "  ", "\t", "\n", "\r\n", "\n%\n"]))  # fmt: skip


@given(TOKENS, st.sampled_from(["3 2", "3 2 1", "3 2 11", "3 2 10 2", "3 2 100"]), st.booleans())
def test_fast_and_exact_agree(tokens, header, directed):
    content = (header + "\n" + " ".join(tokens) + "\n").encode()

    def outcome(fast):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
            patch.setattr(metis, "_FIELDS", 2)
            if not fast:
                patch.setattr(metis._Adjacency, "fast", lambda *_: None)
            try:
                graph = read("-", format="metis", directed=directed)
            except GraphFormatError as error:
                return str(error)
            weights = (
                None if graph.weights is None else (graph.weights.dtype, graph.weights.tolist())
            )
            return graph.row_offsets.tolist(), graph.column_indices.tolist(), weights

    assert outcome(True) == outcome(False)
