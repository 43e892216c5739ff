"""What the tests of readers and writers share."""

import numpy as np
import pytest

from warpath.errors import GraphFormatError
from warpath.graph.graph import Graph
from warpath.io import read


@pytest.fixture
def refused(tmp_path):
    """A function that demands GraphFormatError of a file: at a line, with a part of a message."""

    def check(content: str | bytes, line: int | None, fragment: str, name: str, **options):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        with pytest.raises(GraphFormatError) as caught:
            read(path, **options)
        assert caught.value.file == str(path)
        assert fragment in caught.value.message
        assert caught.value.line == line

    return check


@pytest.fixture
def same():
    """A function that demands that two graphs are identical, parallel arcs in any order."""

    def check(graph: Graph, other: Graph, *, dtype: bool = True):
        assert graph.num_vertices == other.num_vertices
        assert graph.directed == other.directed
        assert np.array_equal(graph.row_offsets, other.row_offsets)
        assert np.array_equal(graph.column_indices, other.column_indices)
        assert (graph.weights is None) == (other.weights is None)
        if graph.weights is not None:
            assert graph.weights.dtype == other.weights.dtype or not dtype
            assert np.array_equal(
                *(g.weights[np.lexsort((g.weights, *g.coo()[1::-1]))] for g in (graph, other))
            )
        assert (graph.labels is None) == (other.labels is None)
        if graph.labels is not None:
            assert np.array_equal(graph.labels, other.labels)

    return check
