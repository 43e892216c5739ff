"""Lines with their numbers, wherever blocks are cut."""

import gzip

import pytest

from warpath.errors import GraphFormatError
from warpath.io import source as source_module
from warpath.io import text_blocks as module
from warpath.io.source import Source
from warpath.io.text_blocks import Text, integer, shown


def test_lines_and_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", 5)
    (tmp_path / "a").write_bytes(b"# one\n\n  two \nthree is longer\nfour\nfive")
    with Source(tmp_path / "a") as source:
        text = Text(source, (b"#",))
        assert text.peek_line() == b"# one"
        assert b"".join(text.take_comments()) == b"# one\n\n"
        assert (text.peek_line(), text.line) == (b"two", 3)
        assert text.next_line() == b"two"
        seen = [(text.line, block) for block in text.blocks()]
        assert b"".join(block for _, block in seen) == b"three is longer\nfour\nfive\n"
        assert [line for line, _ in seen] == [4, 5, 6]
        assert text.next_line() is None
        assert str(text.error("x")) == f"{tmp_path / 'a'}, line 6: x"


def test_shown():
    assert shown(b" a\tb \n") == repr("a\tb")
    assert shown(b"\xff\x00") == repr("\\xff\x00")
    assert shown(b"x" * 100) == repr("x" * 60 + "…")


def test_lines_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", 1 << 19)
    path = tmp_path / "a"
    for content, line in [
        (b"x" * (1 << 20), None),
        (b"x" * (1 << 20) + b"\n" + b"y" * (1 << 20) + b"\n", None),
        (b"x" * (1 << 20) + b"y", 1),
        (b"a\n" * 7 + b" " * (1 << 20) + b"1\nb\n", 8),
        (b"a\n" * 7 + bytes(1 << 22), 8),
    ]:
        path.write_bytes(content)
        with Source(path) as source:
            text = Text(source)
            if line is None:
                assert b"".join(text.blocks()).rstrip(b"\n") == content.rstrip(b"\n")
                continue
            with pytest.raises(
                GraphFormatError, match="a line of more than 1,048,576 bytes"
            ) as caught:
                list(text.blocks())
            assert caught.value.line == line
    with Source(path, max_bytes=1 << 23) as source:
        assert sum(map(len, Text(source).blocks())) == 15 + (1 << 22)


def test_a_line_without_end_among_those_taken_one_by_one(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"a\n" + b"x" * (1 << 20) + b"y\n")
    with Source(path) as source:
        text = Text(source)
        assert text.next_line() == b"a"
        with pytest.raises(GraphFormatError, match="line 2: a line of more than"):
            text.next_line()


def test_a_stream_without_end():
    with Source("/dev/zero") as source, pytest.raises(GraphFormatError, match="a line of more"):
        Text(source).next_line()


def test_integer():
    for field, value in [
        (b"0", 0),
        (b"-12", -12),
        (b"+7", 7),
        (b"0" * 5000 + b"5", 5),
        (b"-000", 0),
    ]:
        assert integer(field) == value
    with pytest.raises(ValueError, match=r"'9{60}…': an integer of 5000 digits is too large"):
        integer(b"9" * 5000)


def test_more_lines_than_the_file_may_have(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", 1 << 10)
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"0 1\n" * 100_000))
    monkeypatch.setattr(source_module, "_ALWAYS", 1 << 16)
    monkeypatch.setattr(source_module, "_CHUNK", 1 << 5)
    with Source(path) as source, pytest.raises(GraphFormatError) as caught:
        list(Text(source).blocks())
    assert 1 << 14 <= caught.value.line < 100_000
    assert "allow more by max_bytes=" in caught.value.message
