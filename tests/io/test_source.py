"""Opening: compression seen from content, several members, damage, streams, the progress bar."""

import gzip
import lzma
import sys

import pytest
import zstandard

from warpath.errors import GraphFormatError
from warpath.io import progress, source
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


class Terminal:
    """Stands for a stderr that is a terminal, and notes what is written to it."""

    def __init__(self):
        self.written = ""

    def write(self, text):
        self.written += text

    def flush(self):
        pass

    def isatty(self):
        return True


@pytest.mark.parametrize("patience", [0.0, 1000.0])
def test_progress_bar(patience, tmp_path, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "_PATIENCE", patience)
    monkeypatch.setattr(source, "_CHUNK", 1 << 12)
    path = tmp_path / "graph.txt"
    path.write_bytes(TEXT)
    with Source(path) as opened:
        opened.read()
    assert ("graph.txt" in terminal.written) == (patience == 0)


def test_no_progress_bar_without_a_terminal(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    path = tmp_path / "graph.txt"
    path.write_bytes(TEXT)
    with Source(path) as opened:
        opened.read()
    assert capsys.readouterr() == ("", "")
