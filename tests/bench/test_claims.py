import pytest

from warpath.bench import claims
from warpath.bench.suite import Suite
from warpath.bench.summary import Summary
from warpath.bench.trial import Trial


def summary(**seconds: float | str) -> Summary:
    """Times of labels on one graph; ``">5"``: ended after 5 seconds."""
    trials = []
    for label, value in seconds.items():
        way = {"label": label}
        ended = isinstance(value, str)
        status, taken = ("over-limit", float(str(value)[1:])) if ended else ("ok", float(value))
        trials.append(Trial("s", {"name": "G"}, way, status=status, seconds=taken, relaxations=10))
    return Summary(Suite("t", (), ()), trials)


TIMES = {"a": 1.0, "b": 1.02, "c": 2.0}


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        (claims.fastest("a", "G"), None),
        (claims.fastest("a", "G", ["a", "c"]), True),
        (claims.fastest("b", "G"), None),  # within noise
        (claims.as_fast("b", "G", ["a", "b", "c"]), True),
        (claims.as_fast("c", "G", ["a", "b", "c"]), False),
        (claims.as_fast("a", "G", ["a"]), None),
        (claims.fastest("c", "G"), False),
        (claims.fastest("c", "G", ["c"]), None),
        (claims.fastest("d", "G"), None),
        (claims.fastest("a", "H"), None),
        (claims.fastest("b", "G", place=2), True),  # one may be faster, c is not
        (claims.fastest("c", "G", place=2), False),
        (claims.faster("a", "c", ["G"], 2), True),
        (claims.faster("a", "c", ["G", "H"], 2.1), False),
        (claims.faster("a", "d", ["G"]), None),
        (claims.faster("a", "b", ["G"]), None),  # within noise
        (claims.faster("b", "a", ["G"]), None),
        (claims.faster("a", "b", ["G"], 1.01), True),
        (claims.faster("a", "c", ["G"]), True),
        (claims.faster("c", "a", ["G"]), False),
        (claims.gain_between("c", "a", ["G"], 1.5, 2.5), True),
        (claims.gain_between("c", "a", ["G"], 2.5, 3), False),
        (claims.gain_between("c", "a", ["H"], 2.5, 3), None),
        (claims.counts_more("a", "b", "G", "relaxations", 2), False),
        (claims.counts_more("a", "d", "G", "relaxations", 2), None),
        (claims.both(claims.fastest("a", "G"), claims.fastest("d", "G")), None),
        (claims.both(), None),
        (claims.both(claims.fastest("c", "G"), claims.fastest("d", "G")), False),
    ],
)
def test_answers(question: claims.Question, holds: bool | None) -> None:
    assert question(summary(**TIMES)) is holds


def test_what_was_ended_is_at_least_so_slow() -> None:
    found = summary(a=1.0, b=">5")
    assert claims.faster("a", "b", ["G"], 4)(found) is True
    assert claims.faster("a", "b", ["G"], 6)(found) is None
    assert claims.faster("b", "a", ["G"])(found) is None
    assert claims.gain_between("b", "a", ["G"], 1, 9)(found) is None


def test_what_is_published_counts_at_full_size_alone() -> None:
    def on(graph: str, seconds: float, scale: float) -> Trial:
        return Trial("s", {"name": graph, "scale": scale}, {"label": "a"}, seconds=seconds)

    ahead = claims.ahead_of_published("a", {"G": 10.0, "H": 20.0, "not measured": 1.0}, by=10)
    for trials, holds in (
        ([], None),
        ([on("G", 0.5, 0.1)], None),
        ([on("G", 0.5, 1.0)], True),
        ([on("G", 0.5, 1.0), on("H", 2.5, 1.0)], False),
        ([on("G", 0.5, 1.0), on("H", 2.5, 0.1)], True),
    ):
        assert ahead(Summary(Suite("t", (), ()), trials)) is holds
