"""Parquet edge tables, ours and other people's."""

import contextlib
import os
import threading

import numpy as np
import polars as pl
import pytest

from warpath.errors import GraphFormatError
from warpath.graph.graph import Graph
from warpath.io import read, write


@pytest.fixture
def table(tmp_path):
    """A function that writes a table and reads it as a graph."""

    def read_table(table, **options):
        pl.DataFrame(table).write_parquet(tmp_path / "a.parquet")
        return read(tmp_path / "a.parquet", **options)

    return read_table


def test_a_pipe_is_read_once(tmp_path):
    """As a shell makes it of ``<(cat g.parquet)``: Polars would map it."""
    pl.DataFrame({"source": [0], "target": [1]}).write_parquet(tmp_path / "g.parquet")
    os.mkfifo(tmp_path / "pipe")
    content = (tmp_path / "g.parquet").read_bytes()
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=[content])
    writer.start()
    assert read(tmp_path / "pipe").num_edges == 1
    writer.join()


def test_columns_by_name_or_place(table):
    for columns in (
        {"when": [0.5], "weight": [7], "target": [2], "source": [1]},
        {"u": [1], "v": [2], "w": [7], "when": [0.5]},
    ):
        graph = table(columns)
        assert graph.directed
        assert (graph.coo()[0].item(), graph.coo()[1].item(), graph.weights.item()) == (1, 2, 7)
    assert table({"src": [0], "dst": [1]}, directed=False).num_arcs == 2


def test_columns_that_are_named(table):
    columns = {"a": ["x"], "b": ["y"], "km": [7], "when": [0.5]}
    graph = table(columns, columns=["a", "b", "km"])
    assert graph.to_frame().rows() == [("x", "y", 7)]
    assert table(columns, columns=["a", "b"]).weights is None
    with pytest.raises(GraphFormatError, match="no column 'c'"):
        table(columns, columns=["a", "c"])
    with pytest.raises(GraphFormatError, match="columns are two or three, source, target"):
        table(columns, columns=["a", "b", "a"])


def test_ids_that_are_no_numbers(table):
    assert table({"source": [0], "target": [2**40]}).labels.tolist() == [0, 2**40]
    for columns, message in (
        ({"source": ["a"], "target": ["b"]}, "must hold integer vertex ids"),
        ({"source": [0], "target": [2**40]}, r"larger than 2147483646: compact=True"),
        ({"source": [0, -1], "target": [1, 0]}, r"source\[1\] is -1: vertex ids are 0 or more"),
    ):
        with pytest.raises(GraphFormatError, match=message):
            table(columns, compact=False)


def test_sparse_ids(table):
    graph = table({"source": [10**15, 4], "target": [4, 4]}, compact=True)
    assert graph.labels.tolist() == [4, 10**15]
    assert graph.column_indices.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"source": [0]}, "expected columns source, target"),
        ({"source": [0, 1], "target": [1, None]}, "row 1 has no target"),
        ({"source": [0.5], "target": [1]}, "vertex ids"),
        ({"source": ["a"], "target": [7]}, "all integers or all text"),
        ({"a": ["a"], "b": ["b"], "c": [1], "d": [2]}, "are the ends of an edge"),
        ({"source": [0], "target": [1], "weight": [np.nan]}, r"weight\[0\] is nan"),
        ({"source": [0], "target": [1], "weight": ["x"]}, "weight must hold integers or floats"),
    ],
)
def test_malformed(columns, message, table):
    for compact in (None, True):
        with pytest.raises(GraphFormatError, match=message):
            table(columns, compact=compact)


@pytest.mark.parametrize(
    "said",
    ["[]", "5", "null", '"x"', "{", "[" * 100_000, '{"vertices": 1e18}', '{"vertices": -1}', '{"vertices": 2147483648}', '{"vertices": "5"}',
     '{"vertices": true}', '{"vertices": ' + "9" * 5000 + "}", '{"directed": 5}', '{"directed": null}',
     '{"labels": 1}'],
    ids=range(15),
)  # fmt: skip
def test_metadata_of_another_kind(said, tmp_path):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"source": [0], "target": [1]}).write_parquet(path, metadata={"warpath": said})
    with pytest.raises(GraphFormatError, match=r"a.parquet: expected metadata like"):
        read(path)


def test_more_rows_than_the_file_may_have(tmp_path):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"source": np.zeros(10**6, int), "target": np.zeros(10**6, int)}).write_parquet(
        path
    )
    assert read(path).num_arcs == 10**6
    with pytest.raises(GraphFormatError, match="a table of 1,000,000 rows takes 24,000,000 bytes"):
        read(path, max_bytes=10**6)


def test_names_that_are_longer_than_their_file(tmp_path):
    path = tmp_path / "a.parquet"
    names = pl.repeat("x" * 10_000, 1000, eager=True)
    pl.DataFrame({"source": names, "target": names}).write_parquet(path)
    assert path.stat().st_size < 10**5
    assert read(path).num_arcs == 1000
    with pytest.raises(GraphFormatError, match="a table of 1,000 rows and its names takes"):
        read(path, max_bytes=10**6)


@pytest.mark.parametrize("labels", [[], np.array([], "U1")])
def test_no_vertices_and_so_no_labels(labels, tmp_path):
    graph = Graph.from_edges([], [], n=0, labels=labels)
    write(graph, tmp_path / "none.parquet")
    again = read(tmp_path / "none.parquet")
    assert (again.num_vertices, again.num_arcs, again.labels) == (0, 0, None)


def test_truth_values_are_weights(table):
    assert table(
        {"source": [0, 0], "target": [1, 2], "weight": [True, False]}
    ).weights.tolist() == [1, 0]


def test_polars_panics(tmp_path, monkeypatch):
    class Panic(BaseException):
        pass

    def panic(*_, **__):
        raise Panic("range end index 9 out of range")

    path = tmp_path / "a.parquet"
    pl.DataFrame({"source": [0], "target": [1]}).write_parquet(path)
    monkeypatch.setattr(pl.exceptions, "PanicException", Panic)
    for reader in ("scan_parquet", "read_parquet_schema", "read_parquet_metadata"):
        with monkeypatch.context() as patch:
            patch.setattr(pl, reader, panic)
            with pytest.raises(GraphFormatError, match=r"a.parquet: expected a Parquet table"):
                read(path)


def test_damaged_tables(tmp_path):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"source": [0, 1], "target": [1, 2]}).write_parquet(path)
    whole = path.read_bytes()
    for at in range(len(whole) - 1, 0, -3):
        path.write_bytes(whole[:at] + b"\xff" + whole[at + 1 :])
        with contextlib.suppress(GraphFormatError):
            read(path)


def test_rows_count_against_the_whole_file(tmp_path, monkeypatch):
    """Not against what was read to see what the file is."""
    monkeypatch.setattr("warpath.io.source._CHUNK", 4)
    monkeypatch.setattr("warpath.io.source._ALWAYS", 1000)
    path = tmp_path / "a.parquet"
    pl.DataFrame({"source": range(1000), "target": range(1000)}).write_parquet(path)
    assert read(path).num_arcs == 1000


@pytest.mark.parametrize("text", [False, True])
def test_rows_in_batches(text, tmp_path, monkeypatch):
    """Groups of rows cut in two, weights, rows that are missing something far down."""
    monkeypatch.setattr("warpath.io.parquet._ROWS", 7)
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 20, (2, 100))
    name = np.array([f"v{k:02}" for k in range(20)]) if text else np.arange(20) * 2**33
    frame = pl.DataFrame(
        {"source": name[ends[0]], "target": name[ends[1]], "weight": rng.random(100)}
    )
    path = tmp_path / "a.parquet"
    frame.write_parquet(path, row_group_size=10)
    graph, wanted = read(path), Graph.from_frame(frame)
    assert graph.labels.tolist() == wanted.labels.tolist()
    for found, array in zip(graph.coo(), wanted.coo(), strict=True):
        np.testing.assert_array_equal(found, array)
    target = frame["target"].to_list()
    target[93] = None
    frame.with_columns(target=pl.Series(target)).write_parquet(path)
    with pytest.raises(GraphFormatError, match="row 93 has no target"):
        read(path)
