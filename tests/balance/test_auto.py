"""What `auto` knows before it runs; what it chooses is in tests/emulator/test_balance.py."""

import warpath as wp
from warpath import balance
from warpath.balance import TECHNIQUES
from warpath.balance.auto import FEW_ARCS, MAX_TO_MEAN, Auto


def fitted(graph):
    return balance.lookup("auto").fitted(graph.degree.max(), graph.degree.mean())


def test_degrees_of_a_graph_are_regular_or_skewed():
    assert str(fitted(wp.generate.grid(30))) == "auto:degrees=regular"
    assert str(fitted(wp.generate.erdos_renyi(1000, 16000, seed=1))) == "auto:degrees=regular"
    assert str(fitted(wp.generate.rmat(10, 16, seed=1))) == "auto"


def test_the_bound_is_inclusive():
    assert Auto().fitted(MAX_TO_MEAN * 3, 3).degrees == "regular"
    assert Auto("regular").fitted(MAX_TO_MEAN * 3 + 1, 3).degrees == "skewed"


def test_shortest_paths_have_one_technique_but_without_buckets_where_degrees_are_regular():
    for largest, method, taken in (
        (3, "delta-stepping", "two-phase-search"),
        (1000, "delta-stepping", "two-phase-search"),
        (1000, "h-bf", "two-phase-search"),
        (3, "h-bf", "auto:degrees=regular"),
    ):
        assert str(Auto().fitted(largest, 3, relaxes=method)) == taken


def test_a_graph_without_arcs_is_as_good_as_any():
    assert Auto().fitted(0, 0.0).degrees == "regular"


def test_others_suit_every_graph():
    for technique in TECHNIQUES.values():
        if technique is not Auto:
            assert not technique().adapts
            assert technique().taken == (technique.name,)


def test_it_takes_techniques_that_have_names():
    for variant in Auto.variants():
        assert set(variant.taken) <= set(TECHNIQUES) - {"auto"}


def test_the_kernel_has_the_thresholds():
    assert Auto("skewed").kernel == f"Auto<warpath::Degrees::skewed, {FEW_ARCS}>"
