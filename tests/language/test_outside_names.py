"""Names from outside of a function stand for what they do when an operator runs, or when an algebra is made."""

import numpy as np
import pytest

import warpath as wp
from warpath.language.types import ArrayOf

STEP = 1


class Settings:
    """What a name with a dot stands for."""

    step = 1


def closed_over():
    """Two operators on vertices that read a variable of a function, and what changes it."""
    step = 1

    @wp.operator
    def count(v, x):
        x[v] += step

    def change(value):
        nonlocal step
        step = value

    return count, change


def test_names_outside_stand_for_what_they_do_when_it_runs(monkeypatch):
    @wp.operator
    def plain(v, x):
        x[v] += STEP

    @wp.operator
    def dotted(v, x):
        x[v] += Settings.step

    closed, change = closed_over()
    graph, x = wp.generate.grid(1, 2), np.zeros(2, np.int64)
    for operator in (plain, dotted, closed):
        wp.compute(graph, operator, x)
    assert x.tolist() == [3, 3]
    monkeypatch.setitem(globals(), "STEP", 10)
    monkeypatch.setattr(Settings, "step", 100)
    change(1000)
    for operator in (plain, dotted, closed):
        wp.compute(graph, operator, x)
    assert x.tolist() == [1113, 1113]


def test_what_did_not_change_is_not_translated_again():
    closed, change = closed_over()
    given = {"x": ArrayOf("float64")}
    tree = closed.typed(given)
    change(1.0)  # another type: 1 became 1.0
    other = closed.typed(given)
    assert other is not tree
    change(float("1"))
    assert closed.typed(given) is other


def test_a_name_that_is_deleted_is_refused(monkeypatch):
    @wp.operator
    def plain(v, x):
        x[v] += STEP

    graph, x = wp.generate.grid(1, 2), np.zeros(2, np.int64)
    wp.compute(graph, plain, x)
    monkeypatch.delitem(globals(), "STEP")
    with pytest.raises(wp.OperatorError, match="STEP is not known here"):
        wp.compute(graph, plain, x)


def test_names_of_an_algebra_are_those_when_it_was_made():
    """So that a search and its certificate are of one function."""
    toll = 1
    algebra = wp.Algebra(lambda d, w: d + w * toll + STEP)
    graph = wp.Graph.from_edges([0, 1], [1, 2], [2, 3])
    first = wp.sssp(graph, 0, algebra=algebra)
    assert first.distance.tolist() == [0, 3, 7]
    toll = 3
    first.verify()
    again = wp.sssp(graph, 0, algebra=algebra)
    again.verify()
    assert again.distance.tolist() == [0, 3, 7]
    assert wp.sssp(graph, 0, algebra=wp.Algebra(lambda d, w: d + w * toll)).distance.tolist() == [0, 6, 15]  # fmt: skip
