"""No pair of options is ignored: a plan shows both as they were asked for, or an error says why not."""

from itertools import combinations, product

import numpy as np
import pytest

import warpath as wp
from warpath import balance
from warpath.balance.technique import AUTO
from warpath.cuda import sssp as driver
from warpath.frontier import DUPLICATES, FRONTIERS
from warpath.planning.methods import METHODS
from warpath.schedule.optimizations import NAMES
from warpath.schedule.searches import FIELDS
from warpath.typing import DIRECTIONS, ENQUEUES, LOOPS, SMALL_FRONTIERS, SWITCHES

GRAPH = wp.generate.rmat(6, 4, seed=1, weights=(1, 9))
BALANCES = [
    str(variant)
    for technique in balance.TECHNIQUES.values()
    for variant in technique.variants()
    if not variant.adapts
]
VALUES = {
    "balance": BALANCES,
    "frontier": list(FRONTIERS),
    "duplicates": list(DUPLICATES),
    "enqueue": list(ENQUEUES),
    "small_frontiers": list(SMALL_FRONTIERS),
    "prefilter": list(SWITCHES),
    "path_limit": list(SWITCHES),
    "direction": list(DIRECTIONS),
    "alpha": [3.0],
    "beta": [5.0],
    "delta": [7.0],
    "loop": list(LOOPS),
    "optimizations": list(NAMES),
}
NAMING = {"frontier", "duplicates"}


def shown(plan, field):
    """A field of a plan's schedule; optimisations as a set."""
    return getattr(plan.schedule, field)


def has(plan, field, value):
    """Whether a plan does what was asked for."""
    if field == "optimizations":
        return value in plan.schedule.switches
    if field == "balance" and plan.schedule.optimizations is not None:
        # Some optimisations are knobs of a balance.
        return plan.schedule.technique.name == balance.lookup(value).name
    return shown(plan, field) == value


def made(make, *arguments, **options):
    """What a call makes, or the message of its ValueError; one of them None."""
    try:
        return make(*arguments, **options), None
    except ValueError as error:
        return None, str(error)


def plan_of(search, given, **options):
    return wp.plan(GRAPH, search, 0, device="cuda", schedule=wp.Schedule(**given), **options)


def check(search, given, **options):
    """Either is right: the plan as it was asked for, or an error that names one of the options."""
    plan, why_not = made(plan_of, search, given, **options)
    if plan is None:
        named = [*given, *(str(value) for value in given.values()), *options.values()]
        words = [word.replace("_", "-") for word in named]
        assert any(word in why_not.replace("_", "-") for word in words), (given, why_not)
        return False
    for field, value in given.items():
        assert has(plan, field, value), (given, str(plan.schedule))
    return True


def pairs(fields):
    return [pytest.param(*pair, id=", ".join(pair)) for pair in combinations(fields, 2)]


@pytest.mark.parametrize(("one", "other"), pairs(FIELDS["bfs"]))
def test_of_a_breadth_first_search(one, other):
    outcomes = [
        check("bfs", {one: first, other: second})
        for first, second in product(VALUES[one], VALUES[other])
    ]
    # Of each pair of fields some values go together. What names a frontier is top-down unless it says more.
    assert (True in outcomes) == (not (NAMING & {one, other} and {"alpha", "beta"} & {one, other}))


@pytest.mark.parametrize("method", [name for name, one in METHODS.items() if "cuda" in one.devices])
@pytest.mark.parametrize(("one", "other"), pairs(FIELDS["sssp"]))
def test_of_a_search_for_shortest_paths(one, other, method):
    for first, second in product(VALUES[one], VALUES[other]):
        check("sssp", {one: first, other: second}, method=method)


def kernel(*optimizations):
    """What h-bf runs with some optimisations: its algorithm, its loads, its balance."""
    schedule = wp.Schedule(optimizations=optimizations)
    plan = wp.plan(GRAPH, "sssp", 0, device="cuda", method="h-bf", schedule=schedule)
    assert set(optimizations) == plan.schedule.switches
    algorithm = driver._relaxing("h-bf", np.dtype(np.int32), plan.schedule.switches)
    return algorithm, "cache-modifiers" in optimizations, plan.schedule.technique


@pytest.mark.parametrize(("one", "other"), list(combinations(NAMES, 2)))
def test_of_two_optimizations(one, other):
    both, why_not = made(kernel, one, other)
    if both is None:
        assert one in why_not
        assert other in why_not
        return
    assert kernel(one) != kernel(other)
    alone = both in (kernel(one), kernel(other))
    # Child grids come with dynamic virtual warps.
    assert alone == ({one, other} == {"dynamic-virtual-warps", "dynamic-parallelism"})


@pytest.mark.parametrize("technique", balance.TECHNIQUES.values(), ids=balance.TECHNIQUES)
def test_of_two_knobs_of_a_balance(technique):
    """Two change the kernel, what is prepared, or how it runs: or they exclude each other by name."""
    choices = technique.choices()
    plain = technique()
    for one, other in combinations(choices, 2):
        for first, second in product(choices[one], choices[other]):
            given = {one: first, other: second}
            if any(value in (getattr(plain, knob), AUTO) for knob, value in given.items()):
                continue
            both, why_not = made(technique, **given)
            if both is None:
                assert one in why_not or other in why_not
                continue
            assert all(f"{knob}={value}" in str(both) for knob, value in given.items())
            assert both.kernel != plain.kernel or both.lists
