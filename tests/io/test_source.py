"""Opening: compression seen from content, several members, damage, streams, the progress bar."""

import gzip
import io
import lzma
import mmap
import sys

import pytest
import zstandard

from exhaustive import few
from terminal import Terminal
from warpath import progress
from warpath.errors import GraphFormatError
from warpath.io import read, source
from warpath.io.source import Source, open_target, split_suffix

COMPRESS = {".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstandard.compress}
TEXT = b"".join(b"%d %d\n" % (k, k * k) for k in range(100_000))  # more than one chunk


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("a/b.gr.gz", ("a/b", ".gr", ".gz")),
        ("B.MTX.XZ", ("B", ".mtx", ".xz")),
        ("road.v1.zst", ("road", ".v1", ".zst")),
        ("plain", ("plain", "", "")),
        ("-", ("-", "", "")),
    ],
)
def test_split_suffix(name, parts):
    base, suffix, compression = split_suffix(source.Path(name))
    assert (str(base), suffix, compression) == parts


@pytest.mark.parametrize("chunk", [7, 1 << 20])
@pytest.mark.parametrize("compression", COMPRESS)
def test_members_and_padding(compression, chunk, tmp_path, monkeypatch):
    monkeypatch.setattr(source, "_CHUNK", chunk)
    compress, text = COMPRESS[compression], TEXT[: 1000 * chunk]
    half = len(text) // 2
    path = tmp_path / "wrongly named.txt"
    path.write_bytes(compress(text[:half]) + bytes(8) + compress(text[half:]) + bytes(4))
    with Source(path) as opened:
        assert opened.compression == compression
        assert opened.peek(5) == text[:5]
        assert opened.read(3) + opened.read() == text
        assert opened.read() == b""


@pytest.mark.parametrize("compression", COMPRESS)
def test_damage(compression, tmp_path):
    whole = COMPRESS[compression](TEXT)
    path = tmp_path / f"graph{compression}"
    for damaged, message in [
        (whole[:-1], "ends early: the file is truncated|damaged"),
        (whole[: len(whole) // 2], "ends early: the file is truncated"),
        (whole[:1000] + b"garbage!" + whole[1008:], f"damaged {compression} data"),
        (whole + b"garbage", f"damaged {compression} data"),
    ]:
        if compression == ".zst" and damaged[1000:1008] == b"garbage!":
            continue  # zstandard.compress writes no checksum
        path.write_bytes(damaged)
        with Source(path) as opened, pytest.raises(GraphFormatError, match=message):
            opened.read()


@pytest.mark.parametrize("compression", ["", *COMPRESS])
def test_target(compression, tmp_path):
    path = tmp_path / f"graph.txt{compression}"
    with open_target(path) as stream:
        stream.write(TEXT)
    with Source(path) as opened:
        assert opened.compression == compression
        assert opened.read() == TEXT


def test_no_permission(tmp_path, monkeypatch):
    def refuse(*arguments):
        raise PermissionError(13, "Permission denied", *arguments[:1])

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(PermissionError):
        Source(tmp_path / "graph.txt")


@pytest.mark.parametrize("delay", [0.0, 1000.0])
def test_progress_bar(delay, tmp_path, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "_DELAY", delay)
    monkeypatch.setattr(source, "_CHUNK", 1 << 12)
    path = tmp_path / "graph.txt"
    path.write_bytes(TEXT)
    with Source(path) as opened:
        opened.read()
    assert ("graph.txt" in terminal.written) == (delay == 0)


def test_no_progress_bar_without_a_terminal(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(progress, "_DELAY", 0.0)
    path = tmp_path / "graph.txt"
    path.write_bytes(TEXT)
    with Source(path) as opened:
        opened.read()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("inner", COMPRESS)
@pytest.mark.parametrize("outer", COMPRESS)
def test_compressed_twice(inner, outer, tmp_path):
    path = tmp_path / f"graph.el{outer}"
    path.write_bytes(COMPRESS[outer](COMPRESS[inner](b"0 1\n")))
    with pytest.raises(GraphFormatError, match=rf"graph.el{outer}: compressed twice, {inner} data"):
        read(path)


@pytest.mark.parametrize("compression", few(COMPRESS, [".zst"]))
def test_zeros_are_refused_before_they_fill_the_memory(compression, tmp_path, monkeypatch):
    path = tmp_path / f"graph{compression}"
    path.write_bytes(COMPRESS[compression](bytes(1 << 27)))
    with Source(path) as opened:  # 128 MiB are less than may always be made of a file
        assert max(map(len, opened._pieces)) < 72e6  # as much as is decompressed at a time
    monkeypatch.setattr(source, "_ALWAYS", 1 << 25)
    with Source(path) as opened, pytest.raises(GraphFormatError) as caught:
        opened.read()
    assert caught.value.file == str(path)
    assert "allow more by max_bytes=" in caught.value.message
    with Source(path, max_bytes=1 << 27) as opened:
        assert sum(len(opened.read(1 << 25)) for _ in range(5)) == 1 << 27


@pytest.mark.parametrize("compression", few(["", *COMPRESS], ["", ".gz", ".zst"]))
@pytest.mark.parametrize("standard", [False, True])
def test_max_bytes(compression, standard, tmp_path, monkeypatch):
    path = tmp_path / "graph"
    path.write_bytes(COMPRESS.get(compression, bytes)(TEXT))

    def content(**options):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
        with Source("-" if standard else path, **options) as opened:
            return opened.read()

    assert content() == content(max_bytes=len(TEXT)) == TEXT
    with pytest.raises(GraphFormatError, match=f"{len(TEXT) - 1:,} are allowed: if the file is"):
        content(max_bytes=len(TEXT) - 1)


def test_max_bytes_below_zero(tmp_path):
    with pytest.raises(ValueError, match="max_bytes is a number of bytes, not -1"):
        read(tmp_path / "graph.el", max_bytes=-1)


def test_errors_of_the_system_name_the_file(tmp_path, monkeypatch):
    class Broken(io.RawIOBase):
        def fileno(self):
            return 0

        def read(self, size=-1):
            raise OSError(5, "Input/output error")

    monkeypatch.setattr("builtins.open", lambda *_: Broken())
    with pytest.raises(OSError, match=r"Input/output error: .*graph.txt"):
        Source(tmp_path / "graph.txt")


def test_whole(tmp_path):
    path = tmp_path / "graph"
    for content in (TEXT, b"", gzip.compress(TEXT)):
        path.write_bytes(content)
        with Source(path) as opened:
            opened.peek(5)
            whole = opened.whole()
        assert whole[:] == (TEXT if content else b"")
        assert isinstance(whole, mmap.mmap) == (content == TEXT)


def test_a_plain_file_may_be_as_large_as_it_is(tmp_path, monkeypatch):
    """What was read of it so far does not limit it."""
    monkeypatch.setattr(source, "_CHUNK", 1)
    monkeypatch.setattr(source, "_ALWAYS", 10)
    path = tmp_path / "a.el"
    path.write_text("0 1\n" * 100)
    with Source(path) as opened:
        assert opened.read() == b"0 1\n" * 100
    with pytest.raises(GraphFormatError, match="the file takes 400 bytes or more, and 399 are"):
        Source(path, 399)
