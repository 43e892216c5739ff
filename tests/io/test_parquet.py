"""Parquet edge tables, ours and other people's."""

import numpy as np
import polars as pl
import pytest

from warpath.errors import GraphFormatError
from warpath.io import read


@pytest.fixture
def table(tmp_path):
    """A function that writes a table and reads it as a graph."""

    def read_table(columns, **options):
        pl.DataFrame(columns).write_parquet(tmp_path / "a.parquet")
        return read(tmp_path / "a.parquet", **options)

    return read_table


def test_columns_by_name_or_place(table):
    for columns in (
        {"when": [0.5], "weight": [7], "target": [2], "source": [1]},
        {"u": [1], "v": [2], "w": [7], "when": [0.5]},
    ):
        graph = table(columns)
        assert graph.directed
        assert (graph.coo()[0].item(), graph.coo()[1].item(), graph.weights.item()) == (1, 2, 7)
    assert table({"src": [0], "dst": [1]}, directed=False).num_arcs == 2


def test_sparse_ids(table):
    graph = table({"source": [10**15, 4], "target": [4, 4]}, compact=True)
    assert graph.labels.tolist() == [4, 10**15]
    assert graph.column_indices.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"source": [0]}, "expected columns source, target"),
        ({"source": [0, 1], "target": [1, None]}, "row 1 has no target"),
        ({"source": [0, -1], "target": [1, 0]}, r"source\[1\] is -1: vertex ids are 0 or more"),
        ({"source": [0.5], "target": [1]}, "source must hold integer vertex ids"),
        ({"source": ["a"], "target": ["b"]}, "must hold integer vertex ids"),
        ({"source": [0], "target": [2**40]}, "number of vertices must be in"),
        ({"source": [0], "target": [1], "weight": [np.nan]}, r"weight\[0\] is nan"),
        ({"source": [0], "target": [1], "weight": ["x"]}, "weight must hold integers or floats"),
    ],
)
def test_malformed(columns, message, table):
    for compact in (False, True):
        if compact and columns.get("target") == [2**40]:
            continue  # legal
        with pytest.raises(GraphFormatError, match=message):
            table(columns, compact=compact)
