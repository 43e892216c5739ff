import pytest

from warpath.bench import result_table
from warpath.bench.suite import Claim, Configuration, Suite
from warpath.bench.summary import Summary, quartiles
from warpath.bench.trial import Trial


def trial(label: str, seconds: float | None = None, **changes: object) -> Trial:
    return Trial("s", {"name": "G"}, {"label": label}, seconds=seconds, **changes)  # type: ignore[arg-type]


@pytest.fixture
def found() -> Summary:
    suite = Suite(
        "t", (), (), baseline="slow",
        published={("G", "slow"): 8.0, ("G", "fast"): 2.0}, quoted={"Others": {("G", "fast"): 1.25}},
        claims=(Claim("all is well", lambda found: found.ratio("G", "slow", "fast") == 2),),
    )  # fmt: skip
    return Summary(
        suite,
        [
            trial("slow", 2.0, arcs=100, cold_seconds=9.0),
            trial("slow", 4.0, arcs=100, cold_seconds=9.0),
            trial("slow", 3.0, arcs=100, cold_seconds=9.0),
            trial("fast", 1.5, arcs=100, extra={"bytes": 7}, iterations=4),
            trial("ended", 5.0, status="over-limit"),
            trial("bad", 0.1),
            trial("bad", 0.1, status="wrong", why="off by one"),
            trial("gone", status="left-out", why="no GPU"),
            trial("none", status="failed", why="MemoryError: too large"),
        ],
    )


def test_medians_rates_ratios(found: Summary) -> None:
    assert found.seconds("G", "slow") == 3
    cell = found.cell("G", "slow")
    assert cell is not None
    assert cell.teps == pytest.approx(3 / (0.02 + 0.04 + 0.03))  # the harmonic mean
    assert cell.cold == 9
    assert found.ratio("G", "slow", "fast") == 2
    assert found.ratio("G", "ended", "fast") == pytest.approx(10 / 3)
    assert found.ratio("G", "fast", "ended") is None
    assert found.published_ratio("G", "slow", "fast") == 4
    assert found.count("G", "fast", "bytes") == 7
    assert found.count("G", "fast", "iterations") == 4
    assert found.count("G", "slow", "bytes") is None
    assert found.ranked("G") == ["fast", "slow"]  # a wrong answer has no time
    assert found.seconds("H", "slow") is None


def test_the_table_says_what_happened(found: Summary) -> None:
    page = result_table.grid(found).markdown().splitlines()
    assert page[0] == (
        "| graph | configuration | ms | MTEPS | cold, ms | sources | × slow | paper, ms | paper × "
        "| Others, ms |"
    )
    assert page[2] == "| G | slow | 3,000 | 3.33e-05 | 9,000 | 3 | 1× | 8,000 | 1× | – |"
    assert page[3].startswith("|  | fast | 1,500 |")
    assert page[3].endswith("| 2× | 2,000 | 4× | 1,250 |")
    assert "> 5,000" in page[4]
    assert "| bad | wrong |" in page[5]
    assert len(page) == 7  # what was left out has no row
    assert result_table.left_out(found) == ["left out (no GPU) on G: `gone`"]
    assert result_table.failures(found) == [
        "wrong: bad on G: off by one", "failed: none on G: MemoryError: too large",
    ]  # fmt: skip
    assert result_table.claims(found) == [("all is well", True)]


def of(name: str, label: str, kind: str, scale: float, **changes: object) -> Trial:
    about = {"name": name, "kind": kind, "scale": scale}
    return Trial("s", about, {"label": label}, seconds=1.0, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("graphs", "heading", "names"),
    [
        ([("G", "original", 1), ("H", "original", 1)], "t", ["G", "H"]),
        ([("G", "generated", 1)], "t", ["G"]),
        ([("G", "stand-in", 1)], "t (stand-ins)", ["G"]),
        ([("G", "stand-in", 0.1), ("H", "stand-in", 0.1)], "t (stand-ins, ×0.1)", ["G", "H"]),
        ([("G", "generated", 0.1)], "t (×0.1)", ["G"]),
        (
            [("G", "stand-in", 0.1), ("H", "generated", 0.1)],
            "t (some stand-ins, ×0.1)", ["G (stand-in)", "H"],
        ),
        (
            [("G", "stand-in", 1), ("H", "stand-in", 0.1)],
            "t (stand-ins, ×0.1 and ×1)", ["G", "H (×0.1)"],
        ),
    ],
)  # fmt: skip
def test_what_graphs_are_is_said(
    graphs: list[tuple[str, str, float]], heading: str, names: list[str]
) -> None:
    suite = Suite("t", (), (), baseline="a")
    found = Summary(suite, [of(name, "a", *about) for name, *about in graphs])  # type: ignore[arg-type]
    assert found.heading == heading
    assert [*found.names.values()] == names
    rows = [row for section in result_table.grid(found).sections for row in section]
    assert [row[0] for row in rows] == names
    assert list(result_table.matrix(found).head[1:]) == names
    assert found.name("G") == {
        ("original", 1): "G", ("generated", 1): "G", ("stand-in", 1): "G (stand-in)",
        ("stand-in", 0.1): "G (stand-in, ×0.1)", ("generated", 0.1): "G (×0.1)",
    }[graphs[0][1:]]  # fmt: skip


def test_a_graph_is_what_was_measured_of_it() -> None:
    """Until it is made it counts as a stand-in."""
    left = of("G", "a", "stand-in", 1, status="left-out", why="no GPU")
    found = Summary(Suite("t", (), ()), [left, of("G", "b", "original", 1)])
    assert (found.heading, found.name("G")) == ("t", "G")


def test_what_was_left_out_is_named_with_its_graphs() -> None:
    def left(graph: str, label: str, why: str) -> Trial:
        return of(graph, label, "stand-in", 1, status="left-out", why=why)

    trials = [
        left("G", "a", "no GPU"), left("H", "a", "no GPU"), left("G", "b, CPU", "no time"),
        left("G", "c", "no time"), left("H", "c", "no time"), left("I", "c", "no time"),
        left("I", "a", "no GPU"),
    ]  # fmt: skip
    assert result_table.left_out(Summary(Suite("t", (), ()), trials)) == [
        "left out (no GPU) on all graphs: `a`",
        "left out (no time) on G: `b, CPU`, `c`",
        "left out (no time) on H, I: `c`",
    ]
    assert not Summary(Suite("t", (), ()), trials).was_measured


def test_quartiles(found: Summary) -> None:
    assert quartiles([4.0]) == (4.0, 4.0)
    assert quartiles([4.0, 2.0, 3.0, 1.0, 5.0]) == (2.0, 4.0)
    bad = found.cell("G", "bad")
    assert bad is not None
    assert bad.times == []  # a wrong answer has no time


def test_latex_has_a_letter_for_each() -> None:
    suite = Suite("50 % of Δ_1", (), (), columns=("bytes",))
    found = Summary(suite, [of("G(2²⁰)", "a & b", "original", 1, extra={"bytes": 7})])
    assert result_table.latex(found).splitlines() == [
        r"\begin{table}", r"\centering", r"\caption{50 \% of $\Delta$\_1}",
        r"\begin{tabular}{llr}", r"\toprule", r"graph &  & bytes \\", r"\midrule",
        r"G(2$^2$$^0$) & a \& b & 7 \\", r"\bottomrule", r"\end{tabular}", r"\end{table}",
    ]  # fmt: skip


def test_a_table_of_counts() -> None:
    suite = Suite("t", (), (), columns=("bytes", "seconds"), published={("G", "bytes"): 9.0})
    trials = [trial("a", 0.5, extra={"bytes": 7}), trial("b", status="failed", why="no")]
    lines = result_table.grid(Summary(suite, trials)).markdown().splitlines()
    assert lines[2:] == ["| G | a | 7 (9) | 0.5 |", "|  | b | failed (9) | – |"]


def test_what_the_paper_has_in_another_form_is_said_of_what_was_measured() -> None:
    ways = tuple(
        Configuration(label, "bfs", "cuda", differs=differs)
        for label, differs in (("a", "two masks; here one"), ("b", ""), ("c", "a queue; here none"))
    )
    trials = [Trial("t", {"name": "G"}, {"label": label}, seconds=1.0) for label in ("a", "b")]
    found = Summary(Suite("t", (), ways), trials)
    assert result_table.differences(found) == ["a, in the paper: two masks; here one"]
    assert result_table.remarks(found) == result_table.differences(found)
