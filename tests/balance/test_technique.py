"""Names, knobs, printing and parsing, of every technique."""

from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from balance_inputs import HostGraph
from warpath import balance
from warpath.balance.technique import Technique

VARIANTS = [variant for each in balance.TECHNIQUES.values() for variant in each.variants()]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_it_prints_as_it_is_parsed(variant):
    assert balance.lookup(str(variant)) == variant
    assert balance.lookup(variant) is variant
    assert hash(balance.lookup(str(variant))) == hash(variant)


@pytest.mark.parametrize("technique", balance.TECHNIQUES.values())
def test_it_says_where_it_comes_from_and_what_it_costs(technique):
    assert technique.name
    assert technique.paper
    assert technique.cost
    assert technique.__doc__


def test_the_default_is_one_of_them():
    assert str(balance.lookup(balance.DEFAULT)) == balance.DEFAULT
    assert str(balance.lookup(balance.VISITING)) == balance.VISITING


def test_names_that_are_printed_are_short():
    assert str(balance.lookup("virtual-warp")) == "virtual-warp"
    assert str(balance.lookup("virtual-warp:width=8")) == "virtual-warp"
    assert str(balance.lookup("virtual-warp:width=16")) == "virtual-warp:width=16"


def test_variants_are_all_settings_of_the_knobs():
    few = [(one.K, one.shares) for one in balance.TECHNIQUES["two-phase-search"].variants()]
    assert few == [(2, 1), (2, 8), (4, 1), (4, 8), (4, 1)]  # the last with a partition array
    assert len(set(VARIANTS)) == len(VARIANTS)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_kernels_have_the_knobs_as_arguments(variant):
    name, _, arguments = variant.kernel.rstrip(">").partition("<")
    assert name == type(variant).__name__
    assert len(arguments.split(", ")) if fields(variant) else not arguments


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("warp", "unknown balance 'warp'; choose one of thread-mapped, virtual-warp"),
        ("", "unknown balance ''"),
        (
            "virtual-warp:width=3",
            "virtual-warp: width must be one of auto, 2, 4, 8, 16, 32, not '3'",
        ),
        (
            "virtual-warp:height=3",
            "virtual-warp has no knob 'height'; its knobs: width, defer_outliers",
        ),
        ("virtual-warp:width", "width must be one of auto, 2, 4, 8, 16, 32, not ''"),
        ("thread-mapped:K=1", "thread-mapped has no knob 'K'; its knobs: defer_outliers"),
    ],
)
def test_bad_names_and_knobs_are_named(text, message):
    with pytest.raises(ValueError, match=message):
        balance.lookup(text)


def others(value):
    """What is equal to a value of a knob, or looks like it, and is of another type."""
    if isinstance(value, str):
        return [value.encode(), [value], None]
    bools = [] if isinstance(value, bool) or value not in (0, 1) else [bool(value), np.bool_(value)]
    ints = [int(value), np.int32(value)] if isinstance(value, bool) else []
    return [
        *bools,
        *ints,
        float(value),
        np.float32(value),
        complex(value),
        [value],
        str(value),
        None,
    ]


KNOBS = [
    (technique, knob, values)
    for technique in balance.TECHNIQUES.values()
    for knob, values in technique.choices().items()
]


@pytest.mark.parametrize(("technique", "knob", "values"), KNOBS)
def test_a_value_of_another_type_is_refused(technique, knob, values):
    for value in values:
        for other in (one for one in others(value) if one not in values):
            with pytest.raises(ValueError, match=f"{technique.name}: {knob} must be one of"):
                technique(**{knob: other})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("two-phase-search:shares=8,partition=array", "partition=array is for shares=1, not 8"),
        (
            "workload-decomposition:edges=4,share=contiguous",
            "share=contiguous is for edges=0, not 4",
        ),
    ],
)
def test_knobs_that_exclude_each_other(text, message):
    with pytest.raises(ValueError, match=message):
        balance.lookup(text)


@pytest.mark.parametrize("value", [np.int8(16), np.uint64(16), np.arange(17)[16]])
def test_numbers_of_numpy_are_numbers(value):
    technique = balance.TECHNIQUES["virtual-warp"](width=value)
    assert type(technique.width) is int
    assert technique.kernel == "VirtualWarp<16, 0, 0, 0>"
    assert technique == balance.lookup("virtual-warp:width=16")


def test_techniques_are_values():
    technique = balance.lookup("two-phase-search")
    assert isinstance(technique, Technique)
    with pytest.raises(FrozenInstanceError):
        technique.K = 4


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_who_needs_the_grid_shares_memory_or_launches(variant):
    graph = HostGraph(np.array([0, 5, 6, 6], np.uint32))
    shares = variant.temp_storage(np, graph).workspace > 0
    assert variant.needs_grid == (shares or variant.launches_children)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_who_lists_frontiers_has_a_workspace_for_all_of_them(variant):
    small, large = (
        variant.temp_storage(np, HostGraph(np.arange(n + 1, dtype=np.uint32))).workspace
        for n in (100, 200)
    )
    assert variant.lists == (small < large), (
        "memory for each vertex or arc is a list of a frontier: then `lists` is True"
    )
