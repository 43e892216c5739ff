from types import SimpleNamespace

import pytest

from terminal import Terminal
from warpath import progress
from warpath.progress import Progress


class Spinner:
    """Stands for Rich's status."""

    def __init__(self):
        self.calls = []

    def stop(self):
        self.calls.append("stop")

    def start(self):
        self.calls.append("start")


@pytest.fixture
def terminal(monkeypatch):
    terminal = Terminal()
    # Not sys.stderr itself, which pytest replaces before each test.
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=terminal))
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    return terminal


def test_steps_are_shown_in_per_cent(terminal):
    with Progress("Drawing", 200, "steps") as bar:
        assert terminal.written == ""
        bar.advance(50)
        bar.advance(50)
    assert "Drawing" in terminal.written
    assert "50%" in terminal.written


def test_bytes_are_shown_with_their_unit(terminal):
    with Progress("graph.txt", 4_000_000) as bar:
        bar.advance(2_000_000)
    assert "2.0/4.0 MB" in terminal.written


def test_short_work_shows_nothing(terminal, monkeypatch):
    monkeypatch.setattr(progress, "_PATIENCE", 1000.0)
    with Progress("Drawing", 2, "steps") as bar:
        bar.advance(1)
    assert terminal.written == ""


def test_a_bar_takes_the_place_of_a_spinner(terminal):
    spinner = Spinner()
    with progress.spinning(spinner), Progress("Drawing", 2, "steps") as bar:
        assert spinner.calls == []
        bar.advance(1)
        assert spinner.calls == ["stop"]
        bar.advance(1)
    assert spinner.calls == ["stop", "start"]
    with Progress("Drawing", 2, "steps") as bar:
        bar.advance(1)
    assert spinner.calls == ["stop", "start"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_a_bar_goes_when_the_work_fails(error, terminal):
    def fail():
        with progress.spinning(spinner), Progress("Drawing", 2, "steps") as bar:
            bar.advance(1)
            raise error

    spinner = Spinner()
    with pytest.raises(error):
        fail()
    assert spinner.calls == ["stop", "start"]
