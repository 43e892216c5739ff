"""DIMACS: graphs, coordinates and sources."""

import numpy as np
import pytest

from warpath.errors import GraphFormatError
from warpath.io import (
    read,
    read_coordinates,
    read_sources,
    write_coordinates,
    write_sources,
)

MALFORMED = [
    ("", 1, "expected the problem line 'p sp VERTICES ARCS', but the file ends here"),
    ("c only\n", 1, "but the file ends here"),
    ("a 0 1 2\n", 1, "expected the problem line 'p sp VERTICES ARCS', not 'a 0 1 2'"),
    ("c x\np max 3 2\n", 2, "not 'p max 3 2'"),
    ("p sp 3\n", 1, "not 'p sp 3'"),
    ("p sp 3 x\n", 1, "not 'p sp 3 x'"),
    ("p sp -3 2\n", 1, "not 'p sp -3 2'"),
    ("p sp 99999999999 2\n", 1, "99999999999 vertices: at most 2147483647 are possible"),
    ("p sp 3 1\nb 1 2 3\n", 2, "expected a line that begins with 'a', not 'b'"),
    ("p sp 3 1\na 1 2\n", 2, "expected 4 fields (a, tail, head, weight), not 3: 'a 1 2'"),
    ("p sp 3 1\na 1 2 3 4\n", 2, "not 5"),
    ("p sp 3 1\nc x\na 0 2 3\n", 3, "tail id 0: ids begin at 1 here"),
    ("p sp 3 1\na 1 -2 3\n", 2, "head id -2"),
    ("p sp 3 1\na 1 4 3\n", 2, "head id 4 is out of range: the file declares 3 vertices, 1 … 3"),
    ("p sp 3 1\na 1 2 2.5\n", 2, "expected weight, an integer, not '2.5'"),
    ("p sp 3 1\na 1 2 nan\n", 2, "weight 'nan': only finite numbers"),
    ("p sp 3 1\na 1 2 9223372036854775808\n", 2, "does not fit in a 64-bit integer"),
    ("p sp 3 2\na 1 2 3\n", 2, "expected 2 rows, as declared, but the file ends after 1"),
    ("p sp 3 1\na 1 2 3\na 2 1 3\nc x\n", 3, "expected 1 rows, as declared, but there are more"),
    ("p sp 3 2\na 1 2 3\np sp 3 2\n", 3, "expected a line that begins with 'a', not 'p'"),
]


@pytest.mark.parametrize(("content", "line", "fragment"), MALFORMED)
def test_malformed(content, line, fragment, refused):
    refused(content, line, fragment, "a.gr")


def test_rome(data):
    graph = read(data / "rome99" / "rome99.gr.gz")
    assert (graph.num_vertices, graph.num_arcs, graph.directed) == (3353, 8870, True)
    place = np.searchsorted(graph.neighbors(2957), 2958)
    assert graph.arc_weights(2957)[place] == 535  # the first line: a 2958 2959 535


@pytest.mark.parametrize("suffix", [".co", ".co.gz", ".co.xz", ".co.zst"])
@pytest.mark.parametrize(
    "coordinates",
    [
        np.array([[-73530767, 41085396], [0, 7]], np.int32),
        np.array([[2**40, -1], [0, 7]]),
        np.array([[0.1, 1e-30], [-2.5, 3]]),
        np.empty((0, 2), np.int32),
    ],
)
def test_coordinates(coordinates, suffix, tmp_path):
    path = tmp_path / f"a{suffix}"
    write_coordinates(coordinates, path)
    again = read_coordinates(path)
    assert again.dtype == coordinates.dtype
    assert np.array_equal(again, coordinates)


def test_coordinates_in_any_order(tmp_path):
    (tmp_path / "a.co").write_text("c x\np aux sp co 2\nv 2 5 6\nc y\nv 1 -3 4\n")
    assert read_coordinates(tmp_path / "a.co").tolist() == [[-3, 4], [5, 6]]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("p aux sp ss 2\n", 1, "expected the problem line 'p aux sp co VERTICES'"),
        ("p aux sp co 2\nv 1 3 4\n", 2, "expected 2 rows"),
        ("p aux sp co 2\nv 1 3 4\nv 1 3 4\n", None, "vertex 2 has no coordinates, another has two"),
        ("p aux sp co 2\nv 1 3 4\nv 3 3 4\n", 3, "out of range: the file declares 2"),
        ("p aux sp co 1\nv 1 3 inf\n", 2, "y 'inf': only finite"),
    ],
)
def test_malformed_coordinates(content, line, message, tmp_path):
    (tmp_path / "a.co").write_text(content)
    with pytest.raises(GraphFormatError) as caught:
        read_coordinates(tmp_path / "a.co")
    assert message in caught.value.message
    assert caught.value.line == line


def test_coordinates_that_cannot_be_written(tmp_path):
    with pytest.raises(ValueError, match=r"shape \(n, 2\), not \(3,\)"):
        write_coordinates([1, 2, 3], tmp_path / "a.co")
    with pytest.raises(ValueError, match="finite numbers"):
        write_coordinates([[1, np.nan]], tmp_path / "a.co")


def test_sources(tmp_path):
    path = tmp_path / "a.ss.gz"
    write_sources([0, 7, 2**31 - 2], path)
    again = read_sources(path)
    assert again.dtype == np.int32
    assert again.tolist() == [0, 7, 2**31 - 2]
    with pytest.raises(ValueError, match=r"sources\[1\] is -1"):
        write_sources([0, -1], path)
    (tmp_path / "b.ss").write_text("p aux sp ss 2\ns 1\ns 0\n")
    with pytest.raises(GraphFormatError, match="line 3: source id 0: ids begin at 1 here"):
        read_sources(tmp_path / "b.ss")
