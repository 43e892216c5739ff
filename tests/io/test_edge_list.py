"""Edge lists: comments that say something, sparse ids, columns."""

import io
from types import SimpleNamespace

import numpy as np
import pytest

from warpath.errors import GraphFormatError
from warpath.graph.graph import Graph
from warpath.io import read, write

MALFORMED = [
    ("", 1, "expected an edge, 'SOURCE TARGET [WEIGHT]', but the file ends here"),
    ("# only\n% comments\n", 2, "but the file ends here"),
    ("# Nodes: 3 Edges: 2\n", 1, "but the file ends here"),
    ("source,target\n", 1, "but the file ends here"),
    ("# c\n7\n", 2, "expected 'SOURCE TARGET [WEIGHT]', not '7'"),
    ("1 2 3 4\n", 1, "not '1 2 3 4'; columns= and weight_column= say which is what"),
    ("from,to\n0,1,5\n", 2, "the first row names 2 columns, but a row has 3 fields: '0,1,5'"),
    ("0 1\nUlm 2\n", 2, "not 'Ulm'; compact=True takes ids as names"),
    ("# c\n0 1\n-1 0\n", 3, "ids begin at 0 here; compact=True takes ids as names"),
    ('a,b,5\n"x\ny",b,6\n', 2, "expected 3 fields (source, target, weight), not 1: '\"x'"),
    ("name other\n0 1\n", 1, "'name other': an edge, or names of columns? columns=[0, 1] says"),
    (
        "town_a,town_b,km\nUlm,Bonn,9\n",
        1,
        "columns=['…', '…', '…'] which columns are source, target, weight",
    ),
    ("0 1\nUlm 2\n", 2, "expected a source id, an integer, not 'Ulm'"),
    ("Ulm,Bonn,9\n,Ulm,9\n", 2, "expected a source id, not ''"),
    ("Ulm,Bonn,9\nBonn,Ulm\n", 2, "expected 3 fields (source, target, weight), not 2"),
    ("source,target,cost,length\n0,1,2,3\n", 1, "['cost', 'length'] is the weight"),
    ("0 1\n0 1 5\n", 2, "expected 2 fields (source, target), not 3"),
    ("0 1 5\n0 1\n", 2, "expected 3 fields (source, target, weight), not 2"),
    ("0,1\n1,,2\n", 2, "expected 2 fields (source, target), not 3: '1,,2'"),
    ("0,1,5\n1,,2\n", 2, "expected a target id, an integer, not ''"),
    ("0,1\n1;2\n", 2, "not 1: '1;2'"),
    ("# c\n-1 0\n", 2, "source id -1: ids begin at 0 here"),
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
    for header in ("", "from,to,km,time\n"):
        path.write_text(f"{header}6,2,4,1289241911.5\n6,5,-2,7\n")
        for bad, message in (
            (1, " is an end of the edge"),
            (4, ", but a row has 4 fields"),
            (-1, ", but a row has 4 fields"),
        ):
            with pytest.raises(GraphFormatError, match=f"weight_column={bad}{message}"):
                read(path, weight_column=bad)


def test_the_weight_column_counts_where_names_of_columns_are_there_twice(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("from,to,km,km\n0,1,5,6\n")
    assert read(path, weight_column=3).weights.tolist() == [6]


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
    # the first row
    assert graph.has_edge(30, 1412)


def test_a_long_comment_is_looked_at_once(tmp_path):
    path = tmp_path / "unknown"
    path.write_text("#" * 60_000 + "x\n" + " " * 60_000 + "#\n# Nodes: 7 Edges: 1\n0 1\n")
    assert read(path, format="edge-list").num_vertices == 7
    with pytest.raises(GraphFormatError, match="not recognised as any format"):
        read(path)


TOWNS = [("Ulm", "Stuttgart", 94), ("Stuttgart", "Bad Urach", 45), ("Bad Urach", "Ulm", 60)]


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("Ulm,Stuttgart,94\nStuttgart,Bad Urach,45\nBad Urach,Ulm,60\n", {}),
        ('"Ulm" ; "Stuttgart";94\nStuttgart;Bad  Urach;45\nBad Urach;Ulm;60', {}),
        ("source,target,km\nUlm,Stuttgart,94\nStuttgart,Bad Urach,45\nBad Urach,Ulm,60", {}),
        ("# c\nkm,U,V,x\n94,Ulm,Stuttgart,a\n45,Stuttgart,Bad Urach,b\n60,Bad Urach,Ulm,c",
         {"weight_column": 0}),
        ("x,length,from,to\na,94,Ulm,Stuttgart\nb,45,Stuttgart,Bad Urach\nc,60,Bad Urach,Ulm", {}),
        ("a,b,km,h\nUlm,Stuttgart,94,1\nStuttgart,Bad Urach,45,1\nBad Urach,Ulm,60,1",
         {"columns": ["a", "b", "km"]}),
        ("94,Ulm,Stuttgart\n45,Stuttgart,Bad Urach\n60,Bad Urach,Ulm", {"columns": (1, 2, 0)}),
    ],
)  # fmt: skip
def test_names(content, options, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(content)
    graph = read(path, **options)
    assert graph.labels.tolist() == ["Bad Urach", "Stuttgart", "Ulm"]
    assert graph.to_frame().sort("weight").rows() == sorted(TOWNS, key=lambda row: row[2])


def test_many_names(tmp_path):
    """By Polars, and where one row needs the exact path, the same."""
    rng = np.random.default_rng(1)
    rows = [(f"v {u}", f"v {v}", int(w)) for u, v, w in rng.integers(0, 99, (5000, 3))]
    texts = [f"{u},{v},{w}\n" for u, v, w in rows]
    (tmp_path / "a.csv").write_text("".join(texts))
    texts[2500] = texts[2500].replace(" ", "  \t").replace(",", " , ")
    (tmp_path / "b.csv").write_text("".join(texts))
    graph = read(tmp_path / "a.csv")
    assert sorted(graph.to_frame().rows()) == sorted(rows)
    assert read(tmp_path / "b.csv").to_frame().equals(graph.to_frame())


@pytest.mark.parametrize("comment", ["  # c,d\n", "\t# c,d\n", "\t#\n", " #,\n"])
def test_comments_after_blanks_are_no_names(comment, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"a,b,1\n{comment}b,c,2\n")
    assert read(path).labels.tolist() == ["a", "b", "c"]
    path.write_text(f"from,to\na,b\n{comment}b,c\n")
    assert read(path).labels.tolist() == ["a", "b", "c"]


def test_two_columns_of_names(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("from to\nann bob\nbob 7\n")
    assert read(path).labels.tolist() == ["7", "ann", "bob"]
    path.write_text("ann bob\nbob 7\n")
    assert read(path, columns=[0, 1]).labels.tolist() == ["7", "ann", "bob"]
    assert read(path, columns=["ann", "bob"]).labels.tolist() == ["7", "bob"]
    for columns, message in (
        (["ann", "zoe"], "no column 'zoe': there are"),
        ([0, 2], "columns=2, but a row has 2 fields"),
        ([0], "columns are two or three"),
        ([0, "bob"], "columns are all names or all numbers"),
        ("ann,bob", r"columns must be a sequence of names or places, as \['ann', 'bob'\], not"),
    ):
        with pytest.raises(ValueError, match=message):
            read(path, columns=columns)
    with pytest.raises(GraphFormatError, match="expected a source id, an integer, not 'ann'"):
        read(path, columns=[0, 1], compact=False)


def test_ids_beyond_int32(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("7 2147483647\n0 7\n")
    graph = read(path)
    assert graph.labels.tolist() == [0, 7, 2147483647]
    assert graph.to_frame().rows() == [(0, 7), (7, 2147483647)]
    with pytest.raises(GraphFormatError, match=r"line 1: target id 2147483647 .*compact=True"):
        read(path, compact=False)


@pytest.mark.parametrize("suffix", ["csv", "txt", "parquet"])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(
    "labels",
    [np.array([3, 5, 10**12]), np.array([30, 10, 20]), np.array(["a", "7", "source"]),
     np.array(["x", "y", "z"], object)],
)  # fmt: skip
def test_labels_there_and_back(suffix, directed, labels, tmp_path):
    graph = Graph.from_edges(
        [0, 1, 0], [1, 2, 2], [5, 6, 7], directed=directed, labels=labels
    )  # fmt: skip
    write(graph, tmp_path / f"a.{suffix}")
    other = read(tmp_path / f"a.{suffix}")
    assert (other.directed, other.num_edges) == (directed, 3)
    assert sorted(other.labels.tolist()) == sorted(labels.tolist())
    assert {(*sorted(row[:2], key=str), row[2]) for row in other.to_frame().rows()} == {
        (*sorted(row[:2], key=str), row[2]) for row in graph.to_frame().rows()
    }
    ends = other.to_frame().rows()
    assert all(graph.has_edge(u, v) for u, v, _ in ends)


MARKED = ["a,b", "#a", "%", "a;b", '"a"', 'a"b', '"', "New York", "Bad, Ems", "\ufeff"]


@pytest.mark.parametrize("suffix", ["csv", "txt", "tsv.gz"])
def test_labels_that_need_quotes(suffix, tmp_path):
    """Also where the first row is the one that has them, and on the exact path."""
    for labels in (MARKED, MARKED[::-1]):
        graph = Graph.from_edges(range(9), range(1, 10), range(9), labels=labels)
        write(graph, tmp_path / f"a.{suffix}")
        assert sorted(read(tmp_path / f"a.{suffix}").to_frame().rows()) == sorted(
            graph.to_frame().rows()
        )


@pytest.mark.parametrize("label", ["a\nb", "a\tb", " a", ""])
def test_labels_that_no_table_holds(label, tmp_path):
    graph = Graph.from_edges([0], [1], labels=[label, "b"])
    for name in ("a.csv", "a.txt"):
        with pytest.raises(ValueError, match="cannot hold the label"):
            write(graph, tmp_path / name)
        assert not (tmp_path / name).exists()
    write(graph, tmp_path / "a.parquet")
    assert sorted(read(tmp_path / "a.parquet").labels.tolist()) == sorted([label, "b"])


@pytest.mark.parametrize(
    ("labels", "n", "message"),
    [
        ([("a", 1), "b"], 2, "holds labels that are integers or text: pickle keeps others"),
        (["a", "b", "c"], 3, "cannot name vertices without edges, as 'c'"),
        (["a", "a"], 2, "needs labels that differ"),
        (np.array([1, 2**63], np.uint64), 2, "holds integer labels below 2⁶³; use npz"),
    ],
)
def test_labels_that_would_be_lost(labels, n, message, tmp_path):
    graph = Graph.from_edges([0], [1], n=n, labels=labels)
    for name in ("a.csv", "a.txt", "a.parquet"):
        with pytest.raises(ValueError, match=message):
            write(graph, tmp_path / name)
    write(Graph.from_edges([0], [1], labels=[-1, 2]), tmp_path / "a.csv")
    assert read(tmp_path / "a.csv").to_frame().rows() == [(-1, 2)]


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        # The names of columns decide, or the first edge, whatever the other rows hold.
        ("source\ttarget\nNew York\tBoston\nUlm\tMiami\n", [("New York", "Boston"), ("Ulm", "Miami")]),
        ("from to\nNew York\tBoston\n", [("New York", "Boston")]),
        ("Ulm\tBonn\t7\n New  York \t Bad, Ems\t8\n", [("New York", "Bad, Ems", 8), ("Ulm", "Bonn", 7)]),
        ("Bad, Ems\tUlm\t5\n", [("Bad, Ems", "Ulm", 5)]),
        ("tail\thead\tkm\tnote\n0\t1\t5\t1\n1\t2\t6\ttwo words\n", [(0, 1, 5), (1, 2, 6)]),
        # A tab next to a comma is a blank; numbers may be separated by any blanks.
        ("Ulm,\tBonn\t,5\n", [("Ulm", "Bonn", 5)]),
        ("0 \t 1\n1 2\n2\t3 \n", [(0, 1), (1, 2), (2, 3)]),
        ("0 1\t5\n1\t2 6\n", [(0, 1, 5), (1, 2, 6)]),
        ("source\ttarget\n0 1\n1 2\n", [(0, 1), (1, 2)]),
        ("0\t1\t5\t108\n1 2 6 108\n", [(0, 1, 5), (1, 2, 6)]),
        # Tabs at the end separate nothing, nor does one of those that align two or three words.
        ("a\tb\t1\t\nb\tc d\t2\n", [("a", "b", 1), ("b", "c d", 2)]),
        ("a\tb\t1\nb\tc d\t2\t \t\n", [("a", "b", 1), ("b", "c d", 2)]),
        ("source\ttarget\t\n0\t1\t\n1\t2\n", [(0, 1), (1, 2)]),
        ("tail\thead\tkm\tnote\na\tb\t5\t\nb\tc d\t6\tx\n", [("a", "b", 5), ("b", "c d", 6)]),
        ("a\t\tb\t1\nbcdefgh\tc\t2\n", [("a", "b", 1), ("bcdefgh", "c", 2)]),
        ("source\t\ttarget\na\t\tb\nbcdefgh\tc\n", [("a", "b"), ("bcdefgh", "c")]),
    ],
)  # fmt: skip
def test_tabs(content, rows, tmp_path):
    path = tmp_path / "a.tsv"
    columns = {"columns": [0, 1, 2]} if "note" in content or "108" in content else {}
    path.write_text(content)
    assert read(path, **columns).to_frame().rows() == rows
    # In large files as well, which are read on the fast path.
    *header, last = content.splitlines(keepends=True)
    path.write_text("".join(header) + last * 3000)
    assert set(read(path, **columns).to_frame().rows()) == set(rows)


@pytest.mark.parametrize(
    ("content", "line", "message", "options"),
    [
        ("Street 1\t7\nStreet 2\t8\n", 1, "an edge, or names of columns?", {}),
        ("source\ttarget\nNew Haven\n", 2, "names 2 columns, but a row has 1 fields", {}),
        ("from to km\nann bob 5\nNew York\t7\n", 3, "a tab in 'New York\\t7', but blanks", {}),
        # The second reading fails too: the first one's error.
        ("1\t2\t5\nNew York\t7\n", 2, "expected a source id, an integer, not 'New'", {"compact": True}),
        ("0 1\t5\nx 1\t5\n", 2, "expected a source id, an integer, not 'x'", {"compact": True}),
    ],
)  # fmt: skip
def test_tabs_that_are_ambiguous(content, line, message, options, refused):
    refused(content, line, message, "a.tsv", **options)


@pytest.mark.parametrize("lines", [1, 3000])
@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ('"Bad, Ems","b",5\n', ("Bad, Ems", "b", 5)),
        ('"a ""x""" , 5" pipe;1,"6.5"\n', ('a "x"', '5" pipe;1', 6.5)),
        ('"a;b" ;"""c""";7\n', ("a;b", '"c"', 7)),
        ('"a,b"\t"c d"\t7\n', ("a,b", "c d", 7)),
        ('"New York" "a ""b" 7\n', ("New York", 'a "b', 7)),
        ('"1","2","3"\n', (1, 2, 3)),
        # Other quotes are characters.
        ('"Heroes" (album)\tc "d"\t2\n', ('"Heroes" (album)', 'c "d"', 2)),
        ('"x" y,"a "b",2\n', ('"x" y', '"a "b"', 2)),
        ('"a;"b" c;"6"\n', ('"a', '"b" c', 6)),
        ('"a" ,"b,2\n', ("a", '"b', 2)),
        ('"a" "b"c 2\n', ("a", '"b"c', 2)),
    ],
)
def test_quotes(row, expected, lines, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(row * lines)
    graph = read(path)
    assert graph.num_edges == lines
    assert set(graph.to_frame().rows()) == {expected}


@pytest.mark.parametrize("lines", [1, 3000])
@pytest.mark.parametrize("row", ['1\t2\t"hello world\n', '1,2,"x" y\n', '1,2,"""\n'])
def test_quotes_in_columns_that_are_not_read(row, lines, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(row * lines)
    assert set(read(path, columns=[0, 1]).to_frame().rows()) == {(1, 2)}


@pytest.mark.parametrize("field", ["2.5", "1e3", "9223372036854775808", "-9223372036854775809", ""])
def test_compact_does_not_take_damaged_numbers_for_names(field, refused):
    refused(f"1,2\n{field},3\n", 2, "source id", "a.csv", compact=True)


def test_compact_takes_names_after_integers(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("source,target\n1,2\n2,x\n007,7\n")
    graph = read(path, compact=True)
    assert graph.to_frame().rows() == [("007", "7"), ("1", "2"), ("2", "x")]
    path.write_text("1\t2\nNew York\tBoston\n")
    assert read(path, compact=True).to_frame().rows() == [("1", "2"), ("New York", "Boston")]
    path.write_text("-1,2\n2,-3000000000\n")
    graph = read(path, compact=True)
    assert graph.labels.tolist() == [-3000000000, -1, 2]
    assert graph.to_frame().rows() == [(-1, 2), (2, -3000000000)]


def test_standard_input_is_not_read_twice(monkeypatch):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"1,2\n2,x\n")))
    with pytest.raises(GraphFormatError, match=r"line 2: .* '# Labels: text' in the first line"):
        read("-", compact=True, format="edge-list")
