import pytest

from warpath.bench import table
from warpath.bench.suite import Claim, Suite
from warpath.bench.summary import Summary
from warpath.bench.trial import Trial


def trial(label: str, seconds: float | None = None, **changes: object) -> Trial:
    return Trial("s", {"name": "G"}, {"label": label}, seconds=seconds, **changes)  # type: ignore[arg-type]


@pytest.fixture
def found() -> Summary:
    suite = Suite(
        "t", (), (), baseline="slow",
        published={("G", "slow"): 8.0, ("G", "fast"): 2.0},
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
    page = table.grid(found).markdown().splitlines()
    assert page[0] == (
        "| graph | configuration | ms | MTEPS | cold, ms | sources | × slow | paper, ms | paper × |"
    )
    assert page[2] == "| G | slow | 3,000 | 3.33e-05 | 9,000 | 3 | 1× | 8,000 | 1× |"
    assert page[3].startswith("|  | fast | 1,500 |")
    assert page[3].endswith("| 2× | 2,000 | 4× |")
    assert "> 5,000" in page[4]
    assert "| bad | wrong |" in page[5]
    assert len(page) == 7  # what was left out has no row
    assert table.left_out(found) == ["left out (no GPU): gone"]
    assert table.failures(found) == [
        "wrong: bad on G: off by one", "failed: none on G: MemoryError: too large",
    ]  # fmt: skip
    assert table.claims(found) == [("all is well", True)]


def test_a_table_of_counts() -> None:
    suite = Suite("t", (), (), columns=("bytes", "seconds"), published={("G", "bytes"): 9.0})
    trials = [trial("a", 0.5, extra={"bytes": 7}), trial("b", status="failed", why="no")]
    lines = table.grid(Summary(suite, trials)).markdown().splitlines()
    assert lines[2:] == ["| G | a | 7 (9) | 0.5 |", "|  | b | failed (9) | – |"]
