"""Tables of text: the fast path says what the exact one says, wherever blocks are cut."""

import gzip
import io
import zlib
from itertools import product

import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from exhaustive import few
from warpath.errors import GraphFormatError
from warpath.graph.numbering import TextNumbers
from warpath.io import table as module
from warpath.io import text_blocks as lines
from warpath.io.columns import Ids, Names, Numbers, Tag
from warpath.io.source import Source
from warpath.io.table import _Table, read_batches, read_table, write_table
from warpath.io.text_blocks import Text


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A function that reads a table out of bytes, in blocks of a size."""

    def read(content, columns, block=1 << 25, comments=(b"#", b"%"), **options):
        monkeypatch.setattr(lines, "_BLOCK", block)
        path = tmp_path / "table.txt"
        path.write_bytes(content)
        with Source(path) as source:
            return read_table(Text(source, comments), columns, **options)

    return read


ENDS = [Ids("source"), Ids("target")]
WEIGHTED = [*ENDS, Numbers()]


@pytest.mark.parametrize("block", [1, 16, 1 << 25])
@pytest.mark.parametrize(
    "content",
    [
        b"0 1 2\n3 4 5\n6 7 -8\n",
        b"0\t1\t2\n3\t4\t5\n6\t7\t-8",
        b"0 1 2\r\n3 4 5\r\n6 7 -8\r\n",
        b" 0  1\t2 \n\n3 \t 4 5\n\t\n6 7 -8 ",
        b"# a\n0 1 2\n% b\n3 4 5\n#c\n6 7 -8\n# d",
        b"  # a\n+0 01 2\n3 4 +5\n6 7 -8\n",
    ],
)
def test_layouts(content, block, table):
    source, target, weight = table(content, WEIGHTED, block)
    assert (source.tolist(), target.tolist(), weight.tolist()) == ([0, 3, 6], [1, 4, 7], [2, 5, -8])
    assert source.dtype == target.dtype == weight.dtype == np.int32


@pytest.mark.parametrize("delimiter", [b",", b";"])
def test_delimiters(delimiter, table):
    content = b"0,1,2\n 3 , 4\t,5\r\n\n6,7, -8\n".replace(b",", delimiter)
    arrays = table(content, WEIGHTED, delimiter=delimiter)
    assert [a.tolist() for a in arrays] == [[0, 3, 6], [1, 4, 7], [2, 5, -8]]


@pytest.mark.parametrize(
    ("weights", "dtype"),
    [
        (["1", "-2147483648", "2147483647"], np.int32),
        (["1", "2147483648", "3"], np.int64),
        (["1", "-9223372036854775808", "9223372036854775807"], np.int64),
        (["1", "2.0", "3"], np.float64),
        (["1", "2", "3e0"], np.float64),
        (["9223372036854775807", "1e300", ".5"], np.float64),
        (["1e-320", "-1.7976931348623157e308", "5."], np.float64),
    ],
)
@pytest.mark.parametrize("block", [1, 1 << 25])
def test_weights_get_the_narrowest_dtype(weights, dtype, block, table):
    content = "".join(f"0 1 {w}\n" for w in weights).encode()
    _, _, found = table(content, WEIGHTED, block)
    assert found.dtype == dtype
    assert found.tolist() == [dtype(float(w) if dtype == np.float64 else int(w)) for w in weights]


def test_kinds_of_numbers(table):
    assert table(b"1\n2\n", [Numbers(kind="real")])[0].dtype == np.float64
    with pytest.raises(GraphFormatError, match=r"line 2: expected weight, an integer, not '2.5'"):
        table(b"1\n2.5\n", [Numbers(kind="integer")])


BAD_LINES = [
    ("1", "expected 3 fields (source, target, weight), not 1: '1'"),
    ("1 2 3 4", "expected 3 fields (source, target, weight), not 4: '1 2 3 4'"),
    ("1 2 3 # no", "not 5"),
    ("x 2 3", "expected a source id, an integer, not 'x'"),
    ("1 2.0 3", "expected a target id, an integer, not '2.0'"),
    ("1 -2 3", "target id -2: ids begin at 0 here"),
    ("1 2147483647 3", "target id 2147483647 is larger than 2147483646"),
    ("99999999999999999999 2 3", "source id 99999999999999999999 is larger"),
    ("1 2 nan", "weight 'nan': only finite numbers are legal"),
    ("1 2 -Infinity", "weight '-Infinity': only finite numbers are legal"),
    ("1 2 1e999", "weight '1e999' does not fit in a 64-bit float"),
    ("1 2 9223372036854775808", "weight 9223372036854775808 does not fit in a 64-bit integer"),
    ("1 2 0x10", "expected weight, a number, not '0x10'"),
    ("1 2 1_000", "expected weight, a number, not '1_000'"),
    ('1 "2" 3', "expected a target id"),
    ("1 2 \u0663", "expected weight, a number"),
    ("1 2 " + "9" * 100, "does not fit"),
    ("1 2 " + "x" * 100, "x" * 60 + "…"),
]
WAYS = [("7 8 9", 1 << 25), ("7 8 9.5", 1 << 25), ("7 8 9", 32)]


@pytest.mark.parametrize(
    ("bad", "way"),
    few(
        product(BAD_LINES, WAYS),
        [*product(BAD_LINES, WAYS[:2]), *product(BAD_LINES[::6], WAYS[2:])],
    ),
)
def test_the_first_bad_line_is_named(bad, way, table):
    (row, message), (others, block) = bad, way
    good = f"{others}\n" * 3000
    content = f"# comment\n{good}\n{row}\n{good}x x x\n".encode()
    with pytest.raises(GraphFormatError) as caught:
        table(content, WEIGHTED, block)
    assert caught.value.line == 3003
    assert message in caught.value.message


def test_ids_with_a_declared_number_of_vertices(table):
    columns = [Ids("tail", 1, 3), Ids("head", 1, 3)]
    tail, head = table(b"1 2\n3 3\n", columns)
    assert (tail.tolist(), head.tolist()) == ([0, 2], [1, 2])
    with pytest.raises(GraphFormatError, match="line 2: head id 0: ids begin at 1 here"):
        table(b"1 2\n3 0\n", columns)
    with pytest.raises(
        GraphFormatError, match=r"head id 4 is out of range: the file declares 3 vertices, 1 … 3"
    ):
        table(b"1 2\n3 4\n", columns)


def test_sparse_ids(table):
    columns = [Ids("source", sparse=True), Ids("target", sparse=True)]
    source, _ = table(b"9223372036854775807 1\n", columns)
    assert source.tolist() == [2**63 - 1]
    with pytest.raises(GraphFormatError, match="source id 9223372036854775808 is larger"):
        table(b"9223372036854775808 1\n", columns)


def test_tags(table):
    columns = [Tag("a"), Ids("tail"), Tag()]
    assert table(b"a 1 what\na 2 ever\n", columns, comments=(b"c",))[1].tolist() == [1, 2]
    with pytest.raises(
        GraphFormatError, match="line 3: expected a line that begins with 'a', not 'b'"
    ):
        table(b"a 1 x\nc b\nb 2 x\n", columns, comments=(b"c",))


@pytest.mark.parametrize("block", [1, 1 << 25])
def test_declared_rows(block, table):
    content = b"0 1\n# c\n1 2\n\n2 3\n"
    assert len(table(content, ENDS, block, rows=3)[0]) == 3
    with pytest.raises(GraphFormatError, match=r"line 5: expected 4 rows, .* ends after 3"):
        table(content, ENDS, block, rows=4)
    with pytest.raises(
        GraphFormatError, match="line 5: expected 2 rows, as declared, but there are more"
    ):
        table(content, ENDS, block, rows=2)
    with pytest.raises(GraphFormatError, match="line 1: expected 0 rows"):
        table(content, ENDS, block, rows=0)


def test_no_rows(table):
    for content in (b"", b"# only\n", b"\n\n"):
        arrays = table(content, WEIGHTED)
        assert [(len(a), a.dtype) for a in arrays] == [(0, np.int32)] * 3


NUMBERS = ["0", "1", "7", "+3", "-1", "2147483647", "9223372036854775807", "9223372036854775808"]
FIELDS = st.sampled_from([*NUMBERS, "1.5", ".5", "1e3", "nan", "inf", "x", "#", "%", ",", ";"])
ROWS = st.lists(
    st.tuples(st.lists(FIELDS, max_size=4), st.sampled_from([" ", "\t", "  ", ",", " , ", "\r"])),
    max_size=6,
)


@given(rows=ROWS, block=st.sampled_from([4, 1 << 25]), delimiter=st.sampled_from([b" ", b","]))
def test_fast_and_exact_agree(rows, block, delimiter, tmp_path_factory):
    content = "".join(gap.join(fields) + "\n" for fields, gap in rows).encode()
    path = tmp_path_factory.mktemp("text") / "table.txt"
    path.write_bytes(content)

    def outcome(fast):
        with pytest.MonkeyPatch.context() as patch, Source(path) as source:
            patch.setattr(lines, "_BLOCK", block)
            if not fast:
                patch.setattr(_Table, "fast", lambda *_: None)
            try:
                arrays = read_table(Text(source, (b"#", b"%")), WEIGHTED, delimiter=delimiter)
            except GraphFormatError as error:
                return str(error)
            return [(a.dtype, a.tolist()) for a in arrays]

    assert outcome(True) == outcome(False)


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=20),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=20, max_size=20),
)
def test_written_numbers_are_read_to_the_bit(integers, floats):
    stream = io.BytesIO()
    reals = np.array(floats[: len(integers)])
    write_table(stream, ["a", np.array(integers), reals])
    columns = [Tag("a"), Numbers(kind="integer"), Numbers(kind="real")]
    lines = stream.getvalue().split(b"\n")[:-1]
    parsed = [[c.parse(f) for c, f in zip(columns, line.split(), strict=True)] for line in lines]
    assert [row[1] for row in parsed] == integers
    assert np.array([row[2] for row in parsed]).tobytes() == reals.tobytes()
    arrays = module.parse_columns(stream.getvalue(), columns, b" ", 1)
    if arrays is not None:  # None: some |value| of 2⁶³ or more, which the exact path reads
        assert arrays[2].tobytes() == reals.tobytes()


PIECES = st.lists(
    st.sampled_from(['"', '""', "a", "7", " ", ",", ";", "\t", "#", "\n"]), max_size=30
)


@given(
    pieces=PIECES,
    delimiter=st.sampled_from([b" ", b",", b"\t"]),
    extra=st.sampled_from([[], [Tag()]]),
)
def test_fast_and_exact_agree_on_quotes(pieces, delimiter, extra, tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "table.txt"
    path.write_text("".join(pieces) + "\n")

    def outcome(fast):
        numbers = TextNumbers()
        with pytest.MonkeyPatch.context() as patch, Source(path) as source:
            if not fast:
                patch.setattr(_Table, "fast", lambda *_: None)
            text = Text(source, (b"#", b"%"))
            columns = [Names("source", numbers), Names("target", numbers), *extra]
            try:
                batches = list(read_batches(text, columns, delimiter=delimiter, quotes=True))
            except GraphFormatError as error:
                return str(error)
        names = numbers.in_order()
        return names[0].tolist(), [names[1][ids].tolist() for batch in batches for ids in batch[:2]]

    assert outcome(True) == outcome(False)


def test_written_in_slices(monkeypatch):
    monkeypatch.setattr(module, "_ROWS", 2)
    stream = io.BytesIO()
    write_table(stream, [np.arange(5), "x"], separator=",")
    assert stream.getvalue() == b"0,x\n1,x\n2,x\n3,x\n4,x\n"


def test_text_is_not_decompressed(table):
    """Polars would, of what begins as compressed data does."""
    for compress in (gzip.compress, zlib.compress, zstandard.compress):
        packed = compress(b"0 1\n")
        assert module.parse_columns(packed, ENDS, b" ") is None
        with pytest.raises(GraphFormatError, match="line 2"):
            table(b"5 6\n" + packed, ENDS, block=4)


def test_long_fields_are_looked_at_once(table):
    with pytest.raises(GraphFormatError, match="line 1: expected weight, a number, not '111"):
        table(b"0 1 " + b"1" * 500_000 + b"x\n", WEIGHTED)


def test_a_surplus_row_in_a_block_of_many(table):
    with pytest.raises(GraphFormatError, match="line 5: expected 1 rows, as declared"):
        table(b"\n# c\n0 1\n\n" + b"2 3\n" * 100_000, ENDS, rows=1)
