"""The method that "auto" takes on a GPU; none is needed to find out."""

import numpy as np
import pytest

import warpath as wp
from warpath.operators import lookup
from warpath.planning import shortest_paths
from warpath.planning.degrees import skew
from warpath.planning.shortest_paths import relaxation

INT32, INT64, FLOAT32 = np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.float32)


def hubs(n=2000, many=5):
    """Each of many vertices next to all others."""
    source = np.repeat(np.arange(many), n)
    target = np.tile(np.arange(many, many + n), many)
    weights = (np.arange(len(source)) % 200 + 1).astype(np.int32)
    return wp.Graph.from_edges(source, target, weights, directed=False)


def chosen(
    graph, *, algebra="shortest", delta=None, dtype=INT32, device="cuda", whole=True,
):  # fmt: skip
    measure = lookup(algebra)
    return relaxation(graph, measure, "auto", False, delta, None, dtype, device, whole).method


def test_the_sweep_where_hubs_hold_most_of_few_arcs(monkeypatch):
    assert chosen(hubs()) == chosen(hubs(), dtype=FLOAT32) == "workfront-sweep"
    own = wp.Algebra(lambda d, w: d + w), wp.Algebra(lambda d, w: max(d, w))
    assert [chosen(hubs(), algebra=one) for one in own] == ["workfront-sweep", "delta-stepping"]
    many, few = hubs(many=50), hubs(many=3)  # degrees of the first are more regular
    assert skew(many) < 12 < skew(few)  # the cube root of 2,000 is 12.6
    assert few.num_arcs < 8 * few.num_vertices
    assert chosen(many) == chosen(few) == "delta-stepping"
    monkeypatch.setattr(shortest_paths, "_FEW_ARCS", hubs().num_arcs - 1)
    assert chosen(hubs()) == "delta-stepping"


def test_graphs_that_are_measured():
    of_measured = {"weights": (1, 255), "seed": 1}
    for scale, factor in ((10, 16), (12, 16), (14, 8)):
        assert chosen(wp.generate.rmat(scale, factor, **of_measured)) == "workfront-sweep"
    assert chosen(wp.generate.rmat(14, 2, **of_measured)) == "delta-stepping"  # of few arcs
    assert chosen(wp.generate.erdos_renyi(2**12, 2**16, **of_measured)) == "delta-stepping"


@pytest.mark.parametrize(
    "options",
    [{"delta": 5}, {"dtype": INT64}, {"device": "cpu"}, {"whole": False}, {"algebra": "widest"}],
    ids=str,
)
def test_delta_stepping_where_the_sweep_would_do_more(options):
    assert chosen(hubs(), **options) == "delta-stepping"


@pytest.mark.parametrize("options", [{"cutoff": 100}, {"target": 7}, {"source": [0, 1]}], ids=str)
def test_calls_for_less_than_one_whole_search(options):
    whole = {"source": 0, "device": "cuda"}
    assert wp.plan(hubs(), "sssp", **whole).method == "workfront-sweep"
    assert wp.plan(hubs(), "sssp", **whole | options).method == "delta-stepping"


@pytest.mark.parametrize("schedule", ["prefilter=on", "path_limit=on", "delta=7"])
def test_what_only_buckets_have_takes_them(schedule):
    plan = wp.plan(hubs(), "sssp", 0, device="cuda", schedule=schedule)
    assert plan.method == "delta-stepping"


def test_all_targets_have_one_plan():
    graph = hubs()
    plans = [wp.sssp(graph, 0, target=v).stats.plan for v in (5, 6, 7)]
    assert plans[0] is plans[1] is plans[2]


def test_sums_that_32_bits_are_likely_to_hold():
    def tried(weight, **options):
        graph = hubs().with_weights(np.full(hubs().num_arcs, weight, weight.dtype))
        how = {"algebra": "shortest", "signed": False, "dtype": INT64} | options
        run = relaxation(
            graph, lookup(how["algebra"]), "auto", how["signed"], None, None, how["dtype"], "cuda"
        )
        return shortest_paths.narrowed(graph, run)

    run = tried(np.int32(2**14))
    assert run.dtype == run.weight_dtype == INT32
    assert run.cutoff == 2**31 - 2
    assert run.is_narrowed
    assert not run.may_overflow  # that it did is known afterwards
    assert tried(np.int32(2**15)) is None
    assert tried(np.int64(5)) is None
    assert tried(np.int32(5), dtype=INT32) is None  # they are
    assert tried(np.int32(5), algebra="minimax") is None
    assert tried(np.int32(-5), signed=True) is None


def test_distances_that_do_not_fit_into_32_bits():
    long = hubs().with_weights(np.full(hubs().num_arcs, 2**30, np.int32))
    assert chosen(long) == "delta-stepping"


def run_of(algebra, start=0):
    """The plan's relaxation of a graph of 9 vertices, with weights from 2 to 5, by an algebra of one's own."""
    graph = wp.generate.grid(3, weights=(2, 5), seed=1)
    assert graph.weight_range == (2, 5)
    begun = wp.Algebra(
        algebra.extend, select=algebra.select, start=start, unreached=algebra.unreached
    )
    return relaxation(graph, lookup(begun), "auto", False, None, None, INT32, "cuda")


@pytest.mark.parametrize(
    ("algebra", "longest"),
    [
        (wp.Algebra(lambda d, w: d + w), 9 * 5),
        (wp.Algebra(lambda d, w: d + w + (3 if w > 4 else 0)), 9 * 8),
        (wp.Algebra(lambda d, w: d - w, select=max, unreached=-np.inf), -9 * 5),
    ],
)
def test_what_the_text_of_an_algebra_tells(algebra, longest):
    """The least that an edge makes a path worse, and whether the most of all may leave the dtype."""
    most = np.iinfo(np.int32).max
    last = most - 1 - longest if longest > 0 else -most - longest
    assert run_of(algebra).least_step == 2
    assert not run_of(algebra, last).may_overflow
    assert run_of(algebra, last + np.sign(longest)).may_overflow


def test_an_algebra_whose_text_tells_nothing():
    run = run_of(wp.Algebra(lambda d, w: max(d, w)))
    assert run.may_overflow
    assert run.least_step == 0
