from types import SimpleNamespace

import pytest

import warpath as wp
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
    monkeypatch.setattr(progress, "_DELAY", 0.0)
    monkeypatch.setattr(progress, "_SECONDS_PER_DRAWING", 0.0)
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
    monkeypatch.setattr(progress, "_DELAY", 1000.0)
    with Progress("Drawing", 2, "steps") as bar:
        bar.advance(1)
    assert terminal.written == ""


def test_a_bar_takes_the_place_of_a_spinner(terminal):
    spinner = Spinner()
    with progress.displaying(spinner), Progress("Drawing", 2, "steps") as bar:
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
        with progress.displaying(spinner), Progress("Drawing", 2, "steps") as bar:
            bar.advance(1)
            raise error

    spinner = Spinner()
    with pytest.raises(error):
        fail()
    assert spinner.calls == ["stop", "start"]


@pytest.fixture
def shown():
    yield
    wp.show_progress(None)


def test_false_shows_nothing_on_a_terminal(terminal, shown):
    wp.show_progress(False)
    with Progress("Drawing", 2, "steps") as bar:
        bar.advance(1)
    assert terminal.written == ""


def test_true_writes_lines_where_there_is_no_terminal(terminal, monkeypatch, shown):
    wp.show_progress(True)
    terminal.isatty = lambda: False
    for given in [("Drawing", 200, "steps"), ("graph.txt", 4_000_000), ("graph.el", None)]:
        with Progress(*given) as bar:
            bar.advance(50)
            bar.advance(50)  # sooner than after five seconds
    assert terminal.written.splitlines() == [
        "warpath: Drawing: 25%",
        "warpath: graph.txt: 0.0 of 4.0 MB",
        "warpath: graph.el: 0.0 MB",
    ]


def test_only_true_false_and_none_are_choices():
    with pytest.raises(ValueError, match="show must be True, False or None, not 1"):
        wp.show_progress(1)


def test_bars_take_turns(terminal):
    with Progress("Reading", 2, "steps") as outer:
        outer.advance(1)
        with Progress("Building", 2, "steps") as inner:
            inner.advance(1)
            assert [bar.live.is_started for bar in progress._displays] == [False, True]
        assert [bar.live.is_started for bar in progress._displays] == [True]
    assert progress._displays == []


def test_an_outer_bar_may_go_first(terminal):
    outer, inner = Progress("Reading", 2, "steps"), Progress("Building", 2, "steps")
    outer.advance(1)
    inner.advance(1)
    outer.close()
    assert progress._displays[0].live.is_started
    inner.close()
    assert progress._displays == []


@pytest.mark.parametrize("suffix", ["txt", "wel", "wsg", "graph", "mtx", "parquet", "npz", "gr"])
def test_each_phase_of_files_shows_a_bar(suffix, terminal, tmp_path, monkeypatch):
    graph = wp.generate.grid(3, weights=(1, 9))
    path = tmp_path / f"graph.{suffix}"
    monkeypatch.setattr("warpath.io.source.sys", SimpleNamespace(stderr=terminal))
    wp.write(graph, path)
    assert "Writing" in terminal.written
    terminal.written = ""
    wp.read(path)
    phases = {"npz": ["Checking"], "wsg": ["Checking"], "graph": ["Checking"]}
    for phase in phases.get(suffix, ["Building the graph"]):
        assert phase in terminal.written
    assert path.name in terminal.written


def test_generating_and_advising_show_bars(terminal):
    graph = wp.generate.rmat(15, weights=(1, 9))  # small ones are built at once
    assert "Drawing" in terminal.written
    assert "Building the graph" in terminal.written
    wp.advise(graph, device="cpu", algorithms=["bfs"], seconds=0.5)
    assert "Measuring bfs" in terminal.written
