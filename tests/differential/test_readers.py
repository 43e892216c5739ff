"""Graph files, whole and damaged: the graph that an independent parser reads, or a named error."""

import gzip
import json
import lzma
import math
import resource
import struct

import numpy as np
import pytest
import zstandard

from warpath.errors import GraphFormatError
from warpath.graph.graph import Graph
from warpath.io import read, write
from warpath.io.format_registry import FORMATS

COMPRESS = {
    "": bytes,
    ".gz": lambda data: gzip.compress(data, 1),
    ".xz": lambda data: lzma.compress(data, preset=0),
    ".zst": zstandard.compress,
}
DECOMPRESS = {
    ".gz": gzip.decompress,
    ".xz": lzma.decompress,
    ".zst": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
}
SUFFIXES = {
    "matrix-market": ".mtx", "dimacs": ".gr", "pace": ".gr", "metis": ".graph", "el": ".el",
    "wel": ".wel", "sg": ".sg", "wsg": ".wsg", "edge-list": ".txt", "graphalytics": ".e",
    "parquet": ".parquet", "npz": ".npz",
}  # fmt: skip
SILENT = {"dimacs", "el", "wel"}  # do not say whether a graph is directed
KEEP_LABELS = {"edge-list", "graphalytics", "npz", "parquet"}
MAX_BYTES = 1 << 20  # for any file here; its graph takes no more
MORE_MEMORY = 1 << 29  # bytes that the process may grow by: what it compiles, and Polars'
LIMITS = {"i4": 2**31, "i8": 2**63}


def random_graph(rng: np.random.Generator) -> Graph:
    """Isolated vertices, self-loops, parallel edges, every kind of weights; or nothing."""
    n = int(rng.choice([0, 1, 2, 5, 30]))
    m = int(rng.integers(0, 3 * n + 1))
    source, target = rng.integers(0, max(1, n), (2, m))
    kind = rng.choice(["none", "i4", "i8", "f4", "f8"])
    if kind == "none":
        weight = None
    elif kind in LIMITS:
        odd = [0, 1, -1, LIMITS[kind] - 1, -LIMITS[kind], 7]
        weight = np.array([int(rng.choice(odd[:2] if n > 5 else odd)) for _ in range(m)], kind)
    else:
        odd = [0, -0.0, 0.1, 1 / 3, -2.5, 5e-324, np.finfo(kind).max, 2.0**63, *rng.normal(size=3)]
        weight = np.array(rng.choice(odd, m), kind)
    labels = np.cumsum(rng.integers(1, 9, n)) if rng.random() < 0.2 else None
    return Graph.from_edges(
        source, target, weight, n=n, directed=bool(rng.random() < 0.5), labels=labels
    )


def arcs_of(graph: Graph) -> list[tuple]:
    source, target, weight = graph.coo()
    columns = [source.tolist(), target.tolist(), *([] if weight is None else [weight.tolist()])]
    return sorted(zip(*columns, strict=True))


ODD = [
    b" ", b" " * 5000, b"\0", b"\0" * 9, b"\n\n", b"\r", b"\t", b",", b"#", b"%", b"-", b".5", b"e5", b"9", b"9" * 20,
    b"9" * 5000, b"2147483647", b"2147483648", b"nan", "²".encode(), b"\xff", b"x", b"c\n", b"p", b"\x1f\x8b",
    gzip.compress(b"0 1\n"),
]  # fmt: skip


def mutate(rng: np.random.Generator, data: bytes) -> bytes:
    """Data with one to three faults."""
    for _ in range(int(rng.integers(1, 4))):
        data = damaged(rng, data)
    return data


def damaged(rng: np.random.Generator, data: bytes) -> bytes:
    """Data with bytes flipped, cut, left out, doubled, replaced or put in, or with lines joined."""
    at, end = sorted(int(k) for k in rng.integers(0, len(data) + 1, 2))
    end = min(end, at + int(rng.choice([1, 4, 40, len(data) + 1])))
    before, part, after = data[:at], data[at:end], data[end:]
    odd = ODD[int(rng.integers(len(ODD)))]
    old, new = (bytes([int(byte)]) for byte in rng.choice(list(b"0127 \n"), 2))
    faults = [
        before + bytes(byte ^ (1 << int(rng.integers(8))) for byte in part) + after,
        before,
        before + after,
        before + part + part + after,
        before + odd + after,
        before + odd + part + after,
        odd + data,
        before + (part + after).replace(b"\n", b"", 1),
        before + (part + after).replace(old, new, 2),
    ]
    return faults[int(rng.integers(len(faults)))]


# -- the independent parser: what each format says, line by line ----------------------------


class IllegalError(Exception):
    pass


def integer(field: bytes, low: int, high: int) -> int:
    digits = field[1:] if field[:1] in (b"+", b"-") else field
    if not digits or set(digits) - set(b"0123456789") or len(digits.lstrip(b"0")) > 30:
        raise IllegalError
    value = int(digits.lstrip(b"0") or b"0") * (-1 if field[:1] == b"-" else 1)
    if not low <= value <= high:
        raise IllegalError
    return value


def weight(field: bytes, kind: str):
    if kind != "real":
        try:
            return integer(field, -(2**63), 2**63 - 1)
        except IllegalError:
            digits = field[1:] if field[:1] in (b"+", b"-") else field
            if kind == "integer" or digits.isdigit():
                raise
    text = field.decode("latin-1")
    if set(text) - set("0123456789+-.eE"):
        raise IllegalError
    try:
        value = float(text)
    except ValueError:
        raise IllegalError from None
    if not math.isfinite(value):
        raise IllegalError
    return value


def rows_of(data: bytes, marks: tuple[bytes, ...]) -> list[list[bytes]]:
    lines = [line.strip() for line in data.split(b"\n")]
    if any(len(line) > 1 << 20 for line in lines):
        raise IllegalError
    return [line.split() for line in lines if line and not line.startswith(marks or (b"\n",))]


def counts(row: list[bytes], words: list[bytes], how_many: int) -> list[int]:
    if row[: len(words)] != words or len(row) != len(words) + how_many:
        raise IllegalError
    if not all(field.isdigit() for field in row[len(words) :]):
        raise IllegalError
    return [integer(field, 0, 10**30) for field in row[len(words) :]]


def parsed(name: str, data: bytes):
    """(number of vertices, arcs or edges as they are listed, directed) of a text."""
    first, kind, directed = 1, None, True
    if name in ("el", "wel"):
        rows, n, m = rows_of(data, ()), None, None
        first, kind = 0, "any" if name == "wel" else None
        if not rows:
            raise IllegalError
    elif name == "matrix-market":
        banner, _, rest = data.partition(b"\n")
        words = banner.lower().split()
        fields = {
            b"pattern": None,
            b"integer": "integer",
            b"unsigned-integer": "integer",
            b"real": "real",
        }
        if (len(words) != 5 or words[:3] != [b"%%matrixmarket", b"matrix", b"coordinate"]
                or words[3] not in fields or words[4] not in (b"general", b"symmetric")):  # fmt: skip
            raise IllegalError
        head, *rows = rows_of(rest, (b"%",)) or [[]]
        n, columns, m = counts(head, [], 3)
        kind, directed = fields[words[3]], words[4] == b"general"
        if n != columns:
            raise IllegalError
    else:
        head, *rows = rows_of(data, (b"c",)) or [[]]
        n, m = counts(head, [b"p", b"sp" if name == "dimacs" else b"tw"], 2)
        kind, directed = ("integer", True) if name == "dimacs" else (None, False)
        if name == "dimacs":
            if any(row[0] != b"a" for row in rows):
                raise IllegalError
            rows = [row[1:] for row in rows]
    if (m is not None and len(rows) != m) or any(
        len(row) != 2 + (kind is not None) for row in rows
    ):
        raise IllegalError
    last = 2**31 - 2 if n is None else n - 1
    edges = [
        (*(integer(end, first, first + last) - first for end in row[:2]), *(weight(w, kind) for w in row[2:]))
        for row in rows
    ]  # fmt: skip
    if n is None:
        n = 1 + max(max(edge[:2]) for edge in edges)
    if n > 2**31 - 1 or 4 * (n + 1) > MAX_BYTES:
        raise IllegalError
    if kind is not None and any(isinstance(edge[2], float) for edge in edges):
        edges = [(u, v, float(w)) for u, v, w in edges]
    return n, edges, directed


def plain(name: str, graph: Graph, rng: np.random.Generator) -> bytes:
    """A graph as text, by a writer that is not warpath's, in layouts that are legal as well."""
    source, target, weights = (None if a is None else a.tolist() for a in graph.edges())
    first, gap = int(name not in ("el", "wel")), str(rng.choice([" ", "\t", "  "]))
    n, m = graph.num_vertices, len(source)
    kind = (
        "pattern" if weights is None else "real" if graph.weights.dtype.kind == "f" else "integer"
    )
    head, tag = {
        "matrix-market": (
            f"%%MatrixMarket matrix coordinate {kind} general\n% c\n{n} {n} {m}\n",
            "",
        ),
        "dimacs": (f"c\np sp {n} {m}\n", "a "),
        "pace": (f"p tw {n} {m}\n", ""),
    }.get(name, ("", ""))
    lines = [
        tag + gap.join([str(u + first), str(v + first), *([] if weights is None else [str(weights[k])])])
        for k, (u, v) in enumerate(zip(source, target, strict=True))
    ]  # fmt: skip
    end = str(rng.choice(["\n", "\r\n", "\n\n"]))
    return (head + "".join(line + end for line in lines)).encode()


EASY = ("el", "wel", "matrix-market", "dimacs", "pace")


def expected(name: str, data: bytes):
    try:
        n, edges, directed = parsed(name, data)
    except IllegalError:
        return None
    arcs = edges if directed else edges + [(v, u, *w) for u, v, *w in edges if u != v]
    return n, sorted(tuple(arc) for arc in arcs), directed


def peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.fixture
def folder(tmp_path):
    """A folder; while it is used the process must not grow beyond a limit."""
    before = peak_memory()
    yield tmp_path
    assert peak_memory() - before < MORE_MEMORY


def attempt(path, **options):
    """The graph, or None for an error that names a file; another exception is a defect."""
    try:
        return read(path, max_bytes=MAX_BYTES, **options)
    except GraphFormatError as error:
        named = error.file.startswith(str(path.parent)) and (error.line is None or error.line >= 1)
    except FileNotFoundError:  # .properties may name other files
        named = path.suffix == ".properties"
    except ValueError as error:
        named = str(error).startswith(str(path.parent)) and "pass directed=" in str(error)
    assert named
    return None


def test_readable_texts(each_case, folder):
    """What el, wel, mtx and gr say, whole and mutated, plain and compressed."""

    def check(rng):
        name = EASY[int(rng.integers(len(EASY)))]
        graph = random_graph(rng)
        if name in ("el", "pace"):
            graph = graph.without_weights()
        elif name == "dimacs" and graph.weights is not None and graph.weights.dtype.kind == "f":
            graph = graph.with_weights(np.ones(graph.num_arcs, np.int32))
        elif graph.weights is None and name in ("wel", "dimacs"):
            graph = graph.with_weights(
                np.arange(graph.num_arcs) if graph.directed else np.ones(graph.num_arcs)
            )
        data = plain(name, graph, rng)
        if rng.random() < 0.8:
            data = mutate(rng, data)
        compression = str(rng.choice(list(COMPRESS)))
        path = folder / f"graph{SUFFIXES[name]}{compression}"
        path.write_bytes(COMPRESS[compression](data))
        if any(
            data.startswith(magic) for magic in (b"\x1f\x8b", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd")
        ):
            attempt(path, format=name)  # compressed once more, or by accident
            return
        found, want = attempt(path, format=name), expected(name, data)
        assert (found is None) == (want is None), (data, found, want)
        if found is not None:
            assert (found.num_vertices, arcs_of(found), found.directed) == want, data

    each_case(check)


def test_every_format_written_and_damaged(each_case, folder):
    """Written by warpath: read back as it was; damaged before or after compression: no other error."""

    def check(rng):
        graph = random_graph(rng)
        writable = [known for known in FORMATS if known.refuse(graph) is None]
        known = writable[int(rng.integers(len(writable)))]
        compression = str(rng.choice(list(COMPRESS)))
        path = folder / f"graph{SUFFIXES[known.name]}{compression}"
        for old in folder.iterdir():
            old.unlink()
        write(graph, path, format=known.name)
        options = {"directed": graph.directed} if known.name in SILENT else {}
        again = read(path, format=known.name, **options)
        assert (again.num_vertices, again.directed) == (graph.num_vertices, graph.directed)
        assert arcs_of(again) == arcs_of(graph)
        if known.name in KEEP_LABELS and graph.labels is not None and graph.num_vertices:
            assert again.labels.tolist() == graph.labels.tolist()
        broken = path
        if known.name == "graphalytics":
            parts = [path.name, f"graph.v{compression}", "graph.properties"]
            broken = folder / parts[int(rng.integers(3))]
        data = broken.read_bytes()
        if compression and broken.name.endswith(compression) and rng.random() < 0.5:
            data = COMPRESS[compression](mutate(rng, DECOMPRESS[compression](data)))
        else:
            data = mutate(rng, data)
        broken.write_bytes(data)
        found = attempt(broken, **({"format": known.name} if rng.random() < 0.5 else {}))
        if found is not None:  # whatever it is, it is a graph
            Graph.from_csr(
                found.row_offsets, found.column_indices, found.weights, directed=found.directed
            )

    each_case(check)


def test_headers_that_promise(each_case, folder):
    """Counts of any size over a file of some bytes: an error, or the graph that is there."""
    numbers = [
        0,
        1,
        3,
        2**31 - 1,
        2**31,
        2**32,
        2**62,
        2**63 - 1,
        2**63,
        10**30,
        "9" * 5000,
        -1,
        "²",
        "1e9",
    ]

    def check(rng):
        n, m, k = (numbers[int(rng.integers(len(numbers)))] for _ in range(3))
        small = [
            int(number) if isinstance(number, int) and abs(number) < 2**63 else 2
            for number in (m, n)
        ]
        headers = {
            "a.mtx": f"%%MatrixMarket matrix coordinate pattern general\n{n} {n} {m}\n1 1\n",
            "a.gr": f"p sp {n} {m}\na 1 1 1\n",
            "b.gr": f"p tw {n} {m}\n1 1\n",
            "a.graph": f"{n} {m} 0{int(rng.integers(2))}{int(rng.integers(2))} {k}\n1\n",
            "a.txt": f"# Nodes: {n} Edges: {m}\n0 1\n",
            "a.el": f"0 {n}\n",
            "a.wel": f"0 1 {n}\n{m} 0 {k}\n",
            "a.properties": f"graph.a.meta.vertices = {n}\ngraph.a.meta.edges = {m}\ngraph.a.directed = true\n",
            "a.sg": struct.pack("<?qq", bool(rng.integers(2)), *small) + bytes(40),
            "a.wsg": struct.pack("<?qq", bool(rng.integers(2)), *small) + bytes(40),
        }
        (folder / "a.v").write_text("0\n1\n")
        (folder / "a.e").write_text("0 1\n")
        for name, header in headers.items():
            data = header if isinstance(header, bytes) else header.encode()
            (folder / name).write_bytes(data)
            found = attempt(folder / name)
            if found is not None:
                assert 4 * found.num_vertices <= MAX_BYTES
                assert found.num_arcs <= 4
        import polars as pl

        about = json.dumps({"vertices": n, "directed": k})
        pl.DataFrame({"source": [0], "target": [1]}).write_parquet(
            folder / "a.parquet", metadata={"warpath": about}
        )
        attempt(folder / "a.parquet")

    each_case(check)
