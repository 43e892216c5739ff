"""Graphs of whose files each rank reads a share."""

import gzip
import os

import numpy as np
import polars as pl
import pytest

import warpath as wp
from thread_ranks import answers_on, on_ranks
from warpath.io import distributed as io_distributed

GRAPH = wp.generate.rmat(8, 16, weights=(1, 255), seed=2)


def rows_of(source, target, weight):
    columns = [source, target] if weight is None else [source, target, weight]
    rows = np.column_stack(columns)
    return rows[np.lexsort(rows.T[::-1])]


def read_on(ranks, file, **options):
    """The arcs that all ranks hold, ids and weights; of how many vertices."""

    def part():
        parts = wp.read(file, distributed=True, **options)
        source, target, weight = parts.part.graph.coo()
        ids = parts.part.ids
        return rows_of(ids[source], ids[target], weight), parts.num_vertices, parts.directed

    found = answers_on(ranks, part)
    rows = np.concatenate([rows for rows, *_ in found])
    return rows[np.lexsort(rows.T[::-1])], found[0][1:]


@pytest.mark.parametrize("name", ["g.txt", "g.csv", "g.el", "g.wel", "g.parquet", "g.txt.gz"])
def test_a_file_is_read_in_shares(name, tmp_path):
    graph = GRAPH if name != "g.el" else GRAPH.without_weights()
    wp.write(graph, tmp_path / name)
    whole = wp.read(tmp_path / name)
    for ranks in (1, 2, 3, 5):
        rows, said = read_on(ranks, tmp_path / name)
        np.testing.assert_array_equal(rows, rows_of(*whole.coo()))
        assert said == (whole.num_vertices, whole.directed)


@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
@pytest.mark.parametrize("ranks", [2, 7])
def test_each_line_is_read_once(ending, ranks, tmp_path):
    lines = ["from,to,km", *(f"{u},{u * u % 97},{u + 0.5}" for u in range(20)), "96,3,1"]
    (tmp_path / "g.csv").write_bytes(("\n".join(lines) + ending).encode())
    whole = wp.read(tmp_path / "g.csv", columns=["from", "to", "km"])
    rows, _ = read_on(ranks, tmp_path / "g.csv", columns=["from", "to", "km"])
    np.testing.assert_array_equal(rows, rows_of(*whole.coo()))


@pytest.mark.parametrize("name", ["g.csv", "g.el"])
def test_a_byte_order_mark_belongs_to_no_share(name, tmp_path):
    mark = "," if name == "g.csv" else " "
    rows = [f"{u}{mark}{u + 1}\n" for u in range(5)]
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + "".join(rows).encode())
    for ranks in (1, 2, 3, 9):
        found, said = read_on(ranks, tmp_path / name)
        assert found.tolist() == [[u, u + 1] for u in range(5)]
        assert said == (6, True)


def test_names_separated_by_tabs_are_refused_in_every_share(tmp_path):
    (tmp_path / "g.tsv").write_text("source\ttarget\n0\t1\n2 3\t4\n" + "5\t6\n" * 9)
    for outcome in on_ranks(2, lambda: wp.read(tmp_path / "g.tsv", distributed=True)):
        assert isinstance(outcome, wp.GraphFormatError)
        assert "not '2 3'" in str(outcome)


def test_files_are_dealt(tmp_path):
    source, target, weight = GRAPH.edges()
    for i in range(5):
        some = slice(i, None, 5)
        # Integers in all but one file.
        given = weight[some] * (1.0 if i == 3 else 1)
        part = wp.Graph.from_edges(source[some], target[some], given, n=GRAPH.num_vertices)
        wp.write(part, tmp_path / f"part-{i}.parquet")
    (tmp_path / "_SUCCESS").touch()
    whole = wp.read(tmp_path, directed=False)
    for ranks in (2, 5, 6):
        rows, said = read_on(ranks, tmp_path, directed=False)
        np.testing.assert_array_equal(rows, rows_of(*whole.coo()))
        assert said == (whole.num_vertices, False)


def test_files_may_come_from_an_iterator(tmp_path):
    for i in range(3):
        (tmp_path / f"{i}.txt").write_text(f"{i} {i + 1}\n")
    for ranks in (1, 2):
        found = answers_on(ranks, lambda: wp.read(tmp_path.glob("*.txt"), distributed=True))
        assert [graph.num_edges for graph in found] == [3] * ranks


@pytest.mark.parametrize("file", [5, None])
def test_what_is_no_path(file):
    for outcome in on_ranks(2, lambda: wp.read(file, distributed=True)):
        assert isinstance(outcome, TypeError)
        assert "expected a path, or several, not" in str(outcome)


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_pipe_is_refused_before_it_is_read(ranks, tmp_path):
    os.mkfifo(tmp_path / "g.txt")
    for file in ("-", tmp_path / "g.txt", [tmp_path / "g.txt"]):
        for outcome in on_ranks(ranks, lambda file=file: wp.read(file, distributed=True)):
            assert isinstance(outcome, ValueError)
            assert "standard input" in str(outcome)


def test_a_file_of_comments_has_no_edges(tmp_path):
    (tmp_path / "g.txt").write_text("# Nodes: 9 Edges: 0\n")
    rows, said = read_on(3, tmp_path / "g.txt")
    assert len(rows) == 0
    assert said == (9, True)


@pytest.mark.parametrize(
    ("text", "options", "error", "message"),
    [
        ("0 1\n1 2\n2 x\n3 4\n" * 9, {}, wp.GraphFormatError, "x"),
        ("0 1\n1 -2\n", {}, ValueError, "-2"),
        ("# Labels: integers\n5 6\n", {}, ValueError, "g.txt: ids are names; distributed=True"),
        ("# Labels: integers\n5 6\n", {}, ValueError, "compact=False takes integers"),
        ("# Labels: integers\n-5 6\n", {"compact": False}, ValueError, "vertex id -5; distributed"),
        ("# Labels: text\na b\n" * 9, {}, ValueError, "ids are names; distributed=True"),
        ("0 1\n", {"compact": True}, ValueError, "without_labels()"),
        ("a b 1\n" * 9, {}, ValueError, "g.txt, line 1: expected a source id, an integer"),
        ("0 3000000000\n" * 9, {}, ValueError, "3000000000 is larger than 2147483646; distributed"),
        ("0 3000000000\n" * 9, {"format": "el"}, ValueError, "than 2147483646; distributed"),
        ("\n\n", {"format": "el"}, wp.GraphFormatError, "the file is empty"),
        ("# Nodes: 5 Edges: 9\n" + "0 1\n" * 8, {}, ValueError, "g.txt: a comment says 9 edges"),
        ("# Nodes: 5 Edges: " + "9" * 30 + "\n0 1\n", {}, ValueError, "the file ends after 1"),
        ("0 1\n1 2 3\n" * 9, {}, wp.GraphFormatError, "fields"),
        ("0 1\n", {"format": "el", "directed": False}, ValueError, "directed=False of el"),
        ("0 1\n", {"format": "metis"}, wp.GraphFormatError, "not metis"),
    ],
)
def test_a_bad_file_is_an_error_on_all_ranks(text, options, error, message, tmp_path):
    (tmp_path / "g.txt").write_text(text)
    for outcome in on_ranks(3, lambda: wp.read(tmp_path / "g.txt", distributed=True, **options)):
        assert isinstance(outcome, error)
        assert message in str(outcome)
        assert "compact=True" not in str(outcome) or "compact" in options


def test_ids_that_are_names_may_be_numbers(tmp_path):
    (tmp_path / "g.txt").write_text("# Labels: integers\n5 6\n")
    wp.write(wp.Graph.from_edges([5], [6], compact=True), tmp_path / "g.parquet")
    for name in ("g.txt", "g.parquet"):
        rows, said = read_on(2, tmp_path / name, compact=False)
        assert (rows.tolist(), said) == ([[5, 6]], (7, True))
        assert wp.read(tmp_path / name, compact=False).num_vertices == 7
    (tmp_path / "g.el").write_text("5 6\n")  # which has no other ids
    assert read_on(2, tmp_path / "g.el", compact=False)[1] == (7, True)


@pytest.mark.parametrize(("low", "high"), [(-1, 0), (0, 2**31 - 1), (0, 2**40)])
def test_ids_of_a_table_that_are_no_numbers_of_vertices(low, high, tmp_path):
    pl.DataFrame({"source": [low], "target": [high]}).write_parquet(tmp_path / "g.parquet")
    for outcome in on_ranks(2, lambda: wp.read(tmp_path / "g.parquet", distributed=True)):
        assert isinstance(outcome, wp.GraphFormatError)
        assert f"vertex id {low or high}; distributed=True takes" in str(outcome)


@pytest.mark.parametrize("files", [1, 2, 3])
@pytest.mark.parametrize("name", ["g.txt", "g.txt.gz"])
def test_there_are_as_many_vertices_as_the_files_may_have(name, files, tmp_path):
    write = gzip.open if name.endswith("gz") else open
    for i in range(files):
        with write(tmp_path / f"{i}{name}", "wt") as file:
            file.write(f"0 {9999 - i}\n")
    bound = 40_004 // files + 1
    assert read_on(2, tmp_path, max_bytes=bound)[1] == (10_000, True)
    for outcome in on_ranks(2, lambda: wp.read(tmp_path, distributed=True, max_bytes=bound - 2)):
        assert isinstance(outcome, wp.GraphFormatError)
        assert "a graph of 10,000 vertices takes 40,004 bytes" in str(outcome)


def test_far_vertices_are_refused_by_default(tmp_path):
    (tmp_path / "g.el").write_text("0 2147483645\n")
    for outcome in on_ranks(2, lambda: wp.read(tmp_path / "g.el", distributed=True)):
        assert isinstance(outcome, wp.GraphFormatError)
        assert "allow more by max_bytes=" in str(outcome)


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_files_of_two_formats_are_refused(ranks, tmp_path):
    (tmp_path / "a.csv").write_text("source,target\n0,1\n")
    wp.write(wp.Graph.from_edges([1], [2]), tmp_path / "b.parquet")
    for outcome in on_ranks(ranks, lambda: wp.read(tmp_path, distributed=True)):
        assert isinstance(outcome, wp.GraphFormatError)
        assert "b.parquet: is parquet, but " in str(outcome)


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_a_part_that_does_not_say_whether_it_is_directed_differs_from_one_that_does(
    ranks, tmp_path
):
    table = pl.DataFrame({"source": [0], "target": [1]})
    table.write_parquet(tmp_path / "a.parquet")
    wp.write(wp.Graph.from_edges([1], [2], directed=False), tmp_path / "b.parquet")
    for outcome in on_ranks(ranks, lambda: wp.read(tmp_path, distributed=True)):
        assert isinstance(outcome, wp.GraphFormatError)
        assert "b.parquet: says an undirected graph, but " in str(outcome)


def test_a_damaged_part_is_an_error_on_all_ranks(tmp_path):
    for i in range(3):
        (tmp_path / f"{i}.txt.gz").write_bytes(
            gzip.compress(b"0 1\n1 2\n")[: -9 if i == 1 else None]
        )
    outcomes = on_ranks(3, lambda: wp.read(tmp_path, distributed=True))
    for outcome in outcomes:
        assert isinstance(outcome, wp.GraphFormatError)
        assert "1.txt.gz" in str(outcome)


def test_files_that_contradict_each_other_are_refused(tmp_path):
    (tmp_path / "a.txt").write_text("# Undirected graph\n0 1\n")
    (tmp_path / "b.txt").write_text("# Directed graph\n1 2\n")
    (tmp_path / "c.txt").write_text("# Directed graph\n1 2 5\n")
    for outcome in on_ranks(
        2, lambda: wp.read([tmp_path / "a.txt", tmp_path / "b.txt"], distributed=True)
    ):
        assert isinstance(outcome, ValueError)
        assert "directed=" in str(outcome)
    for outcome in on_ranks(
        2, lambda: wp.read([tmp_path / "b.txt", tmp_path / "c.txt"], distributed=True)
    ):
        assert isinstance(outcome, ValueError)
        assert "weights" in str(outcome)


def test_all_files_of_a_rank_say_what_the_graph_is(tmp_path):
    """Not the last one alone. One that does not say undirected is directed."""
    (tmp_path / "a.txt").write_text("# Undirected graph\n0\t1\n")
    (tmp_path / "b.txt").write_text("1\t2\n")
    for ranks in (1, 2, 3):
        for outcome in on_ranks(ranks, lambda: wp.read(tmp_path, distributed=True)):
            assert "directed=" in str(outcome)
    (tmp_path / "a.txt").write_text("# Labels: integers\n0 1\n")
    for ranks in (1, 2):
        for outcome in on_ranks(ranks, lambda: wp.read(tmp_path, distributed=True)):
            assert "a.txt: ids are names" in str(outcome)


def test_ranks_that_see_other_files_say_so(tmp_path):
    for rank, lines in enumerate(("0 1\n1 2\n", "0 1\n")):
        (tmp_path / str(rank)).mkdir()
        (tmp_path / str(rank) / "g.el").write_text(lines)
    real = io_distributed.parts_of

    def seen(file):
        return real(tmp_path / str(wp.distributed.rank()))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(io_distributed, "parts_of", seen)
        for outcome in on_ranks(2, lambda: wp.read(tmp_path, distributed=True)):
            assert isinstance(outcome, wp.RanksDisagreeError)
            assert "g.el" in str(outcome)
