"""The cost model of graphs in parts, next to parts that are counted."""

import numpy as np
import pytest

import warpath as wp
from thread_ranks import answers_on


@pytest.fixture
def model(script):
    return script("distributed_model")


@pytest.mark.parametrize("ranks", [2, 4])
def test_ghosts_are_as_many_as_expected(model, ranks):
    def ghosts():
        parts = wp.generate.rmat(13, distributed=True)
        return len(parts.part.ids) - len(parts.vertices)

    counted = np.mean(answers_on(ranks, ghosts))
    assert counted == pytest.approx(model.expected_ghosts(13, 16, ranks), rel=0.02)


def test_one_rank_exchanges_nothing(model):
    assert model.expected_ghosts(20, 16, 1) == 0
    assert model.seconds(20, 16, 1)[1:] == (0, 0)


def test_the_largest_hub_is_as_large_as_expected(model):
    largest = wp.generate.rmat(14).largest_degree
    assert largest == pytest.approx(model.largest_degree(14, 16), rel=0.05)


def test_a_third_of_the_arcs_is_worth_dividing_and_a_share_is_not(model):
    arcs = 2 * 16 * 2.0**30
    for ranks in model.RANKS[2:]:
        assert arcs / ranks < model.delegated_from(30, 16, ranks) < arcs / 3


def test_tables_have_a_row_for_each_case(model):
    assert len(list(model.model(20, 16))) == 2 + len(model.RANKS) + 1
    pytest.importorskip("pymetis")
    assert len(list(model.parts(10))) == 2 + 3 * 3 * 3 + 3
