"""Lines with their numbers, wherever blocks are cut."""

from warpath.io import text as module
from warpath.io.source import Source
from warpath.io.text import Text, shown


def test_lines_and_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", 5)
    (tmp_path / "a").write_bytes(b"# one\n\n  two \nthree is longer\nfour\nfive")
    with Source(tmp_path / "a") as source:
        text = Text(source, (b"#",))
        assert text.peek_line() == b"# one"
        assert text.skip_comments() == [b"# one", b""]
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
