"""Pairs of options instead of all products."""

from itertools import combinations, product

from exhaustive import pairwise

AXES = "abcd", (1, 2, 3), (True, False), "xy"


def pairs(rows):
    return {pair for row in rows for pair in combinations(enumerate(row), 2)}


def allowed(letter, number, *_):
    return letter != "d" or number < 3


def test_each_two_values_meet(monkeypatch):
    monkeypatch.setattr("exhaustive.EXHAUSTIVE", False)
    rows = pairwise(*AXES)
    assert rows[0] == ("a", 1, True, "x")
    assert 12 <= len(rows) < 20
    assert pairs(rows) == pairs(product(*AXES))
    some = pairwise(*AXES, allowed=allowed)
    assert all(allowed(*row) for row in some)
    assert pairs(some) == pairs(row for row in product(*AXES) if allowed(*row))


def test_what_runs_anyway_is_not_run_again(monkeypatch):
    monkeypatch.setattr("exhaustive.EXHAUSTIVE", False)
    given = [row for row in product(*AXES) if row[0] in "ab"]
    more = pairwise(*AXES, given=given)
    assert not set(more) & set(given)
    assert pairs([*more, *given]) == pairs(product(*AXES))
    assert len(more) == 6
    monkeypatch.setattr("exhaustive.EXHAUSTIVE", True)
    assert len(pairwise(*AXES, given=given)) == 24
