"""`read` and `write`: every format, compression and kind of weights, chosen by suffix and content."""

import gzip
import io
import lzma
import os
import subprocess
import sys

import numpy as np
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import warpath.io
from warpath.errors import GraphFormatError
from warpath.graph.graph import Graph
from warpath.io import read, write
from warpath.io.format_registry import FORMATS

SUFFIXES = {
    "matrix-market": ".mtx", "dimacs": ".gr", "pace": ".gr", "metis": ".graph",
    "el": ".el", "wel": ".wel", "sg": ".sg", "wsg": ".wsg", "edge-list": ".txt",
    "graphalytics": ".e", "parquet": ".parquet", "npz": ".npz",
}  # fmt: skip
# Formats that do not say whether a graph is directed.
SILENT = {"dimacs", "el", "wel"}
COMPRESS = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstandard.compress}

WEIGHTS = {
    "no weights": None,
    "int32": np.array([3, 1, 4, 1, 5, 9, 2**31 - 1], np.int32),
    "int64": np.array([3, 1, 4, 1, 5, 9, 2**63 - 1], np.int64),
    "negative": np.array([-3, 0, 4, -(2**31), 5, 9, 2], np.int32),
    "float64": np.array([0.1, 1e-300, -2.5, 1e300, 5.0, 0.0, 1 / 3]),
}


def example(directed: bool, weight) -> Graph:
    """Vertices 3 and 6 without edges, a loop (only if directed), a pair of parallel edges."""
    source = [0, 0, 1, 4, 5, 2, 7]
    target = [1, 1, 2, 5, 7, 0, 7 if directed else 4]
    return Graph.from_edges(source, target, weight, n=8, directed=directed)


# A compression takes bytes, whatever they say: with weights and without, of which each format has one.
@pytest.mark.parametrize(
    ("weights", "compression"),
    [
        (weights, compression)
        for weights in WEIGHTS
        for compression in COMPRESS
        if not compression or weights in ("no weights", "int32")
    ],
)
@pytest.mark.parametrize("directed", [True, False], ids=["directed", "undirected"])
@pytest.mark.parametrize("name", SUFFIXES)
def test_round_trip(name, directed, weights, compression, tmp_path, same):
    graph = example(directed, WEIGHTS[weights])
    path = tmp_path / f"graph{SUFFIXES[name]}{compression}"
    (known,) = [known for known in FORMATS if known.name == name]
    reason = known.refuse(graph)
    if reason is not None:
        with pytest.raises(ValueError, match=f"the {name} format {reason.split(',')[0]}"):
            write(graph, path, format=name)
        assert not path.exists()
        return
    write(graph, path, format=name)
    same(read(path, directed=directed if name in SILENT else None), graph)


def refusals() -> list[tuple[str, str, bool]]:
    """Which weights and directions each format refuses, as its documentation says."""
    every = list(WEIGHTS)
    integers = ["int32", "int64", "negative"]
    floats = ["float64"]
    refused = {
        "dimacs": {(w, d) for w in ["no weights", *floats] for d in (True, False)},
        "pace": {(w, d) for w in every for d in (True, False)} - {("no weights", False)},
        "metis": {(w, True) for w in every} | {(w, False) for w in ["negative", *floats]},
        "el": {(w, d) for w in [*integers, *floats] for d in (True, False)},
        "wel": {("no weights", d) for d in (True, False)},
        "sg": {(w, d) for w in [*integers, *floats] for d in (True, False)},
        "wsg": {(w, d) for w in ["no weights", "int64", *floats] for d in (True, False)},
    }
    return [(name, w, d) for name in SUFFIXES for w, d in sorted(refused.get(name, set()))]


def test_only_these_are_refused():
    found = [
        (name, weights, directed)
        for name in SUFFIXES
        for known in FORMATS
        if known.name == name
        for weights, directed in sorted((w, d) for w in WEIGHTS for d in (True, False))
        if known.refuse(example(directed, WEIGHTS[weights])) is not None
    ]
    assert found == refusals()


@pytest.mark.parametrize("name", ["matrix-market", "edge-list", "parquet", "npz", "graphalytics"])
def test_float32_keeps_its_values(name, tmp_path, same):
    graph = example(True, np.array([0.1, 1e-30, -2.5, 3e38, 5, 0, 1 / 3], np.float32))
    path = tmp_path / f"graph{SUFFIXES[name]}"
    write(graph, path)
    again = read(path)
    same(again, graph, dtype=name in {"parquet", "npz"})


@pytest.mark.parametrize("name", ["el", "wel"])
def test_a_last_vertex_without_edges_is_refused_where_the_format_cannot_say_it(name, tmp_path):
    weight = [1] if name == "wel" else None
    for n, edges in ((3, 1), (0, 0)):
        graph = Graph.from_edges([0] * edges, [1] * edges, weight and weight * edges, n=n)
        with pytest.raises(ValueError, match=f"cannot say that there are {n} vertices"):
            write(graph, tmp_path / f"graph.{name}")


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("name", [name for name in SUFFIXES if name not in {"el", "wel"}])
def test_graphs_without_edges(name, n, tmp_path, same):
    weighted = name in {"dimacs", "wsg"}
    graph = Graph.from_edges(
        np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int32) if weighted else None,
        n=n, directed=name not in {"pace", "metis"},
    )  # fmt: skip
    path = tmp_path / f"graph{SUFFIXES[name]}"
    write(graph, path, format=name)
    same(read(path), graph)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=st.data(), name=st.sampled_from([n for n in SUFFIXES if n != "metis"]))
def test_random_multigraphs(data, name, tmp_path, same):
    n = data.draw(st.integers(1, 12))
    ends = data.draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=30))
    directed = data.draw(st.booleans())
    kinds = {
        "i4": st.integers(-(2**31), 2**31 - 1),
        "f8": st.floats(allow_nan=False, allow_infinity=False),
    }
    kind = data.draw(st.sampled_from([None, *kinds] if ends else [None]))
    weight = None
    if kind is not None:
        weight = np.array(
            data.draw(st.lists(kinds[kind], min_size=len(ends), max_size=len(ends))), kind
        )
    source, target = np.array(ends, np.int32).reshape(-1, 2).T
    graph = Graph.from_edges(source, target, weight, n=n, directed=directed)
    path = tmp_path / f"graph{SUFFIXES[name]}"
    (known,) = [known for known in FORMATS if known.name == name]
    if known.refuse(graph) is None:
        write(graph, path, format=name)
        same(read(path, directed=directed if name in SILENT else None), graph)


# One graph in every text format: 0-1, 0-2, 1-2, 1-3, 3-5, vertex 4 alone; its weights.
ENDS = [(0, 1), (0, 2), (1, 2), (1, 3), (3, 5)]
LENGTHS = [4, 1, 2, 5, 7]
TEXTS = {
    "a.mtx": "%%MatrixMarket matrix coordinate integer symmetric\n% lower triangle\n6 6 5\n"
    "2 1 4\n3 1 1\n3 2 2\n4 2 5\n6 4 7\n",
    "b.mtx": "%%matrixmarket MATRIX Coordinate Real Symmetric\n\n6 6 5\n"
    "  2 1\t4.0\n3 1 1\n\n% here too\n3 2 .2e1\n4 2 5.\r\n6 4 +7",
    "a.gr": "c roads\np sp 6 10\nc and back\na 1 2 4\na 2 1 4\na 1 3 1\na 3 1 1\na 2 3 2\na 3 2 2\n"
    "a 2 4 5\na 4 2 5\nc last\na 4 6 7\na 6 4 7\n",
    "b.gr": "c roads\np tw 6 5\n1 2\n1 3\n3 2\n4 2\nc last\n6 4\n",
    "a.graph": "% edge weights\n6 5 1\n2 4 3 1\n1 4 3 2  4 5\n% third\n1 1 2 2\n2 5\t6 7\n\n4 7\n",
    "b.graph": "6 5\n2 3\n1 3 4\n1 2\n 2  6 \n\n4\n",
    "c.graph": "6 5 011 2\n8 9 2 4 3 1\n8 9 1 4 3 2 4 5\n8 9 1 1 2 2\n8 9 2 5 6 7\n8 9\n8 9 4 7\n\n",
    "d.graph": "6 5 100\n2 3\n1 3 4\n1 2\n2 6\n\n4\n\n\n",
    "a.el": "0 1\n0 2\n1 2\n1 3\n3 5\n",
    "a.wel": "0 1 4\n0 2 1\n1 2 2\n1 3 5\n3 5 7",
    "a.txt": "# Undirected graph: roads\n# Nodes: 6 Edges: 5\n# From\tTo\n0\t1\n0\t2\n1\t2\n1\t3\n3\t5\n",
    "b.txt": "% any separator\n0 1   4\n 0\t2 1\n# and comments\n1 2 2 \n\n1 3  5\r\n3 5 7\n",
    "c.csv": "source,target,weight\n0,1,4\n0, 2,1\n1 ,2 , 2\n1,3,5\n3,5,7\n",
    "d.tsv": "0;1;4\n0;2;1\n1;2;2\n1;3;5\n3;5;7\n",
    "e.edges": "0\t1\t4.0\n0\t2\t1\n1\t2\t2\n1\t3\t5\n3\t5\t7\n",
}  # fmt: skip
UNWEIGHTED = {"b.gr", "b.graph", "d.graph", "a.el", "a.txt"}


@pytest.mark.parametrize("name", TEXTS)
def test_one_graph_in_every_text_format(name, tmp_path, same):
    weight = None if name in UNWEIGHTED else LENGTHS
    graph = Graph.from_edges(*zip(*ENDS, strict=True), weight, n=6, directed=False)
    (tmp_path / name).write_text(TEXTS[name])
    same(read(tmp_path / name, directed=False), graph, dtype=False)


@pytest.mark.parametrize("compression", COMPRESS)
@pytest.mark.parametrize("name", [n for n in TEXTS if not n.endswith((".graph", "el"))])
def test_content_decides_where_there_is_no_suffix(name, compression, tmp_path, same):
    expected = tmp_path / name
    expected.write_text(TEXTS[name])
    path = tmp_path / "unknown.data"
    path.write_bytes(COMPRESS[compression](TEXTS[name].encode()))
    same(read(path), read(expected))


@pytest.mark.parametrize("name", ["npz", "parquet"])
def test_content_decides_for_binary_formats(name, tmp_path, same):
    graph = example(True, WEIGHTS["float64"])
    write(graph, tmp_path / "unknown", format=name)
    same(read(tmp_path / "unknown"), graph)


@pytest.mark.parametrize("compression", COMPRESS)
def test_a_byte_order_mark_is_no_content(compression, tmp_path, same, monkeypatch):
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
        expected = read(tmp_path / name)
        marked = COMPRESS[compression](b"\xef\xbb\xbf" + text.encode())
        (tmp_path / name).write_bytes(marked)
        same(read(tmp_path / name), expected)
        if not name.endswith((".graph", "el")):
            monkeypatch.setattr(sys, "stdin", Standard(marked))
            same(read("-"), expected)


def test_suffixes_in_capitals(tmp_path, same):
    (tmp_path / "A.MTX.GZ").write_bytes(gzip.compress(TEXTS["a.mtx"].encode()))
    (tmp_path / "a.mtx").write_text(TEXTS["a.mtx"])
    same(read(tmp_path / "A.MTX.GZ"), read(tmp_path / "a.mtx"))


def test_gr_is_written_as_what_can_hold_the_graph(tmp_path):
    weighted, plain = example(False, WEIGHTS["int32"]), example(False, None)
    write(weighted, tmp_path / "a.gr")
    write(plain, tmp_path / "b.gr")
    assert (tmp_path / "a.gr").read_text().startswith("p sp 8 14\na 1 2 3\n")
    assert (tmp_path / "b.gr").read_text().startswith("p tw 8 7\n1 2\n")
    with pytest.raises(
        ValueError, match=r"dimacs format needs weights; the pace format holds undirected"
    ):
        write(example(True, None), tmp_path / "c.gr")
    with pytest.raises(
        ValueError,
        match="not float64: npz holds these; the pace format holds no weights: npz does,",
    ):
        write(example(True, [0.5] * 7), tmp_path / "c.gr")


# -- standard streams -----------------------------------------------------------------------


class Standard:
    """Stands for sys.stdin or sys.stdout."""

    def __init__(self, data: bytes = b""):
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize("compression", COMPRESS)
@pytest.mark.parametrize("name", [name for name in SUFFIXES if name != "graphalytics"])
def test_standard_streams(name, compression, tmp_path, monkeypatch, same):
    graph = example(name not in {"pace", "metis"}, WEIGHTS["int32"])
    graph = graph if name in {"dimacs", "wel", "wsg"} else graph.without_weights()
    out = Standard()
    monkeypatch.setattr(sys, "stdout", out)
    write(graph, "-", format=name)
    monkeypatch.setattr(sys, "stdin", Standard(COMPRESS[compression](out.buffer.getvalue())))
    same(read("-", format=name), graph)


def test_standard_input_is_recognised(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Standard(TEXTS["b.gr"].encode()))
    assert read("-").num_edges == 5
    monkeypatch.setattr(sys, "stdin", Standard(b"0 1\n0 x\n"))
    with pytest.raises(GraphFormatError, match=r"^<stdin>, line 2: expected a target id"):
        read("-")


# -- what is refused ------------------------------------------------------------------------


def test_unknown_formats_list_the_choices(tmp_path):
    for call in (
        lambda: read("x.mtx", format="gml"),
        lambda: write(example(True, None), "x", format="gml"),
    ):
        with pytest.raises(ValueError, match=r"unknown format 'gml'.*dimacs, edge-list.*npz"):
            call()
    with pytest.raises(ValueError, match=r"'x.gml' has no suffix of a known format.*matrix-market"):
        write(example(True, None), "x.gml")
    with pytest.raises(ValueError, match="no suffix of a known format"):
        write(example(True, None), "-")
    path = tmp_path / "x.gml"
    path.write_text("graph [\n")
    with pytest.raises(GraphFormatError, match=r"not recognised as any format: .*edge-list"):
        read(path)


@pytest.mark.parametrize("name", SUFFIXES)
def test_an_empty_file_is_an_error_in_every_format(name, tmp_path):
    path = tmp_path / f"empty{SUFFIXES[name]}"
    path.write_bytes(b"")
    (tmp_path / "empty.v").write_bytes(b"")
    (tmp_path / "empty.properties").write_text("graph.empty.directed = true\n")
    with pytest.raises(GraphFormatError):
        read(path, format=name)


def test_an_empty_file_without_suffix(tmp_path):
    (tmp_path / "empty").touch()
    with pytest.raises(GraphFormatError, match="the file is empty"):
        read(tmp_path / "empty")


@pytest.mark.parametrize("name", SUFFIXES)
def test_unreadable_files(name, tmp_path):
    with pytest.raises(FileNotFoundError):
        read(tmp_path / f"missing{SUFFIXES[name]}", format=name)
    with pytest.raises(FileNotFoundError, match="No files in the folder"):
        read(tmp_path, format=name)


@pytest.mark.parametrize("name", SUFFIXES)
@pytest.mark.parametrize("seed", range(5))
def test_garbage(name, seed, tmp_path):
    noise = np.random.default_rng(seed).bytes(3000)
    path = tmp_path / f"noise{SUFFIXES[name]}"
    for content in (noise, b"PAR1" + noise + b"PAR1", b"PK\x03\x04" + noise, b"\0" * 3000):
        path.write_bytes(content)
        (tmp_path / "noise.v").write_bytes(content)
        with pytest.raises(GraphFormatError):
            read(path, format=name, **({"directed": True} if name == "graphalytics" else {}))


@pytest.mark.parametrize("name", [n for n in SUFFIXES if n not in {"el", "wel", "graphalytics"}])
def test_every_truncation_is_seen(name, tmp_path, same):
    """No prefix of a file is read as another graph than the whole."""
    graph = example(name not in {"pace", "metis"}, WEIGHTS["int32"])
    graph = graph if name in {"dimacs", "wsg"} else graph.without_weights()
    if name == "dimacs":  # the last number has one digit: inside a longer one no cut is seen
        graph = graph.with_weights(np.arange(3, 3 + graph.num_arcs, dtype=np.int32))
    path = tmp_path / f"whole{SUFFIXES[name]}"
    write(graph, path, format=name)
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        try:
            again = read(path, format=name)
        except GraphFormatError:
            continue
        # A text file's last line end may be missing; more must not.
        assert whole[size:] == b"\n"
        same(again, graph)


@pytest.mark.parametrize("compression", [c for c in COMPRESS if c])
@pytest.mark.parametrize("name", ["el", "npz", "parquet", "sg"])
def test_truncated_compression_is_seen(name, compression, tmp_path):
    graph = Graph.from_edges(np.arange(2000), np.arange(2000)[::-1].copy())
    path = tmp_path / f"graph.{name}{compression}"
    write(graph, path)
    whole = path.read_bytes()
    for size in (len(whole) - 1, len(whole) // 2, 8):
        path.write_bytes(whole[:size])
        with pytest.raises(GraphFormatError, match=r"truncated|damaged"):
            read(path)


def test_options_that_a_format_does_not_take(tmp_path):
    (tmp_path / "a.mtx").write_text(TEXTS["a.mtx"])
    with pytest.raises(
        ValueError, match=r"matrix-market format takes no compact=; these do: parquet, edge-list"
    ):
        read(tmp_path / "a.mtx", compact=True)
    with pytest.raises(ValueError, match="takes no weight_column="):
        read(tmp_path / "a.mtx", weight_column=2)


def test_what_a_format_does_not_hold_names_a_remedy(tmp_path):
    loop = Graph.from_edges([0, 1], [0, 0], directed=False)
    with pytest.raises(ValueError, match=r"self-loops: .*drop_self_loops=True.* drops them, npz"):
        write(loop, tmp_path / "a.graph")
    for name, other in (("el", "wel"), ("sg", "wsg")):
        with pytest.raises(ValueError, match=rf"weights: .*{other}.* without_weights\(\) drops"):
            write(example(True, WEIGHTS["int32"]), tmp_path / f"a.{name}")
    with pytest.raises(ValueError, match=r"weights: npz.* without_weights\(\) drops"):
        write(example(False, WEIGHTS["int32"]), tmp_path / "a.gr", format="pace")


def test_directed_against_what_the_file_says(tmp_path, same):
    for name in ("a.mtx", "a.gr", "b.gr"):
        (tmp_path / name).write_text(TEXTS[name])
    symmetric = read(tmp_path / "a.mtx")
    arcs = read(tmp_path / "a.mtx", directed=True)
    assert arcs.directed
    assert arcs.num_arcs == symmetric.num_arcs
    same(read(tmp_path / "a.gr", directed=False), symmetric)
    (tmp_path / "one.gr").write_text("p sp 2 1\na 1 2 3\n")
    with pytest.raises(ValueError, match=r"directed=False, but the arc .* has no reverse"):
        read(tmp_path / "one.gr", directed=False)


def test_import_is_light():
    """Nothing heavy before the first file is read."""
    code = "import sys, warpath.io; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    heavy = {"numpy", "polars", "numba", "rich", "scipy", "zstandard"}
    assert not heavy & set(loaded.stdout.split())


def test_formats_are_documented():
    assert warpath.io.formats() == tuple(sorted(SUFFIXES))
    for name in SUFFIXES:
        assert name in warpath.io.__doc__
    for known in FORMATS:
        for suffix in known.suffixes:
            assert suffix in warpath.io.__doc__


@pytest.mark.slow
def test_bounded_memory(tmp_path):
    """Small files whose content would take GB: in an interpreter that has 1 GB more."""
    bombs = {
        "blanks.el": b"0 " + b" " * 900_000 + b"1\n",
        "short.el": (b"0 " + b" " * 900_000 + b"1\n") * 10,
        "long.el.gz": gzip.compress(b"0 " + b" " * (5 << 20) + b"1\n"),
        "comments.txt.gz": gzip.compress(b"# x\n" * (20 << 20)),
        "lines.el.gz": gzip.compress(b"\n" * (80 << 20)),
        "lines.graph.gz": gzip.compress(b"9 9\n" + b"\n" * (80 << 20)),
        "fields.wel": b"0 1" + b" 1" * 500_000 + b"\n",
        "rows.gr": b"p sp 9 1\n" + b"a 1 1 1\n" * (4 << 20),
        "hub.graph": b"2 100000000\n" + b"2 " * 2_000_000 + b"x\n\n",
        "zeros.npz.zst": zstandard.compress(b"PK\x03\x04" + bytes(80 << 20)),
        "header.gr": b"p sp 2147483647 1\na 1 1 1\n",
    }
    for name, content in bombs.items():
        (tmp_path / name).write_bytes(content)
    code = """if True:
        import resource, sys
        import warpath
        from warpath.errors import GraphFormatError
        from warpath.io import source
        warpath.set_num_threads(1)
        source._ALWAYS = 64 << 20
        for name in sys.argv[1:3] * 2:  # compile, and start Polars' threads
            warpath.read(name)
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30),) * 2)
        for name in sys.argv[3:]:
            try:
                print(name, warpath.read(name).num_arcs)
            except GraphFormatError as error:
                assert error.file == name
                print(name, "refused")
    """
    (tmp_path / "first.el").write_bytes(b"0  1\n" * 1000)
    (tmp_path / "first.graph").write_bytes(b"2 1\n2\n1\n")
    run = subprocess.run(
        [sys.executable, "-c", code, "first.el", "first.graph", *bombs],
        cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "POLARS_MAX_THREADS": "2"},
    )  # fmt: skip
    expected = dict.fromkeys(bombs, "refused") | {"blanks.el": "1", "short.el": "10"}
    assert dict(line.split() for line in run.stdout.splitlines()) == expected, run.stderr[-2000:]


@pytest.mark.parametrize("flag", ["directed", "compact", "distributed"])
def test_text_is_no_flag(flag, tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("0 1\n")
    with pytest.raises(ValueError, match=f"{flag} must be True or False, not 'no'"):
        read(path, **{flag: "no"})


def test_flags_of_numpy(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("7 9\n")
    graph = read(path, compact=np.True_, directed=np.False_)
    assert (graph.labels.tolist(), graph.directed) == ([7, 9], False)
    path.write_text("-7 9\n9 x\n")  # what True does otherwise than any other value
    assert read(path, compact=np.True_).labels.tolist() == ["-7", "9", "x"]
    path.write_text("0 2147483647\n")
    with pytest.raises(GraphFormatError, match="line 1: target id 2147483647 is larger"):
        read(path, compact=np.False_)
