"""The PACE topology variant of .gr."""

import pytest

from warpath.io import read

MALFORMED = [
    ("p tw 3\n1 2\n", 1, "expected the problem line 'p tw VERTICES EDGES', not 'p tw 3'"),
    ("c x\np tw 3 1\n1 2 3\n", 3, "expected 2 fields (vertex, vertex), not 3: '1 2 3'"),
    ("p tw 3 1\n0 2\n", 2, "vertex id 0: ids begin at 1 here"),
    ("p tw 3 1\n1 4\n", 2, "vertex id 4 is out of range: the file declares 3 vertices"),
    ("p tw 3 2\n1 2\nc x\n", 3, "expected 2 rows, as declared, but the file ends after 1"),
    ("p tw 3 1\n1 2\n1 3\n", 3, "expected 1 rows, as declared, but there are more"),
]


@pytest.mark.parametrize(("content", "line", "fragment"), MALFORMED)
def test_malformed(content, line, fragment, refused):
    refused(content, line, fragment, "a.gr")


def test_new_york(data):
    graph = read(data / "dimacs9-pace-topology" / "NY.gr.xz")
    assert (graph.num_vertices, graph.num_edges, graph.directed) == (264346, 365050, False)
    assert graph.weights is None
    assert graph.neighbors(0).tolist() == [1, 11, 1362]  # 1 2, 1 12, 1 1363
