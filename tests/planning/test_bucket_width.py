"""Δ by default: by the device, the degrees and the size of a graph."""

from dataclasses import astuple, replace

import pytest

import warpath as wp
from warpath.operators import lookup
from warpath.planning.bucket_width import as_width, bounded, davidsons, default_width

SUMS = lookup("shortest")
WEIGHTS = (1, 255)


def width(graph, device="cuda", algebra=SUMS):
    return default_width(graph, algebra, 1e9, device)


def uniform(n, degree):
    return wp.generate.erdos_renyi(n, n * degree // 2, weights=WEIGHTS, seed=1)


def test_what_is_asked_for_holds_for_all():
    assert as_width(7) == as_width(7.0)
    assert set(astuple(replace(as_width(7), reach=7.0, horizon_buckets=7))) == {7.0}
    assert as_width(7).reach == 0  # no paths are left out ahead of buckets that somebody chose


def test_a_device_has_wider_buckets_on_smaller_graphs():
    small, large = uniform(2**12, 32), uniform(2**15, 32)
    assert width(small).first == pytest.approx(2 * width(large).first, rel=0.02)  # 8 times smaller
    assert width(small).batch == pytest.approx(width(large).batch, rel=0.02)
    assert width(small, "cpu").first == pytest.approx(width(large, "cpu").first, rel=0.02)


def test_paths_are_left_out_ahead_of_buckets_where_arcs_lead_both_ways(monkeypatch):
    assert width(uniform(2**10, 32), "cpu").reach == 0  # its distances are in the cache
    monkeypatch.setattr("warpath.planning.bucket_width._REACH_VERTICES", 2**10)
    dense, sparse = uniform(2**10, 32), uniform(2**10, 8)
    directed = wp.generate.erdos_renyi(2**10, 2**15, weights=WEIGHTS, directed=True, seed=1)
    assert width(dense, "cpu").reach == pytest.approx(8 * dense.mean_weight / 32)
    assert bounded(width(dense, "cpu"), 1e300).reach == width(dense, "cpu").reach
    assert width(sparse, "cpu").reach == width(directed, "cpu").reach == width(directed).reach == 0
    assert (
        width(dense, "cpu", lookup("widest")).reach
        == width(dense, algebra=lookup("widest")).reach
        == 0
    )
    # A GPU's are farther, but among hubs nearer.
    hubs = wp.generate.rmat(12, 16, weights=WEIGHTS, seed=1)
    assert width(dense).reach == pytest.approx(19 * dense.mean_weight / 32)
    assert width(hubs).reach == pytest.approx(7 * hubs.mean_weight * 2**12 / hubs.num_arcs)


def test_hubs_make_them_wider_still():
    hubs, regular = wp.generate.rmat(12, 16, weights=WEIGHTS, seed=1), uniform(2**12, 32)
    assert width(hubs).first == width(hubs).steady > 50 * width(regular).first
    assert width(hubs).batch == pytest.approx(width(regular).batch, rel=0.05)
    assert width(hubs, "cpu").first < width(regular, "cpu").first / 5


def test_hubs_of_few_arcs_have_narrower_ones_than_others_of_as_few():
    """As wide as in R-MAT 22 with 2 edges per vertex, where 4 times as much takes 32 % longer."""
    hubs = wp.generate.rmat(14, 2, weights=WEIGHTS, seed=1)
    smaller = 2**22 / hubs.num_vertices
    assert width(hubs).steady == pytest.approx(80 * smaller, rel=0.05)


class Large:
    """What the rule looks at: R-MAT of 2^scale vertices and 32 arcs each, which no test could draw."""

    directed = False

    def __init__(self, scale):
        self.num_vertices, self.num_arcs = 2**scale, 32 * 2**scale
        self.mean_arc_degree, self.mean_weight, self.weight_range = 32 * 40.0, 128.0, (1, 255)


class Regular(Large):
    """The same without hubs, of n vertices."""

    def __init__(self, n):
        self.num_vertices, self.num_arcs = n, 32 * n
        self.mean_arc_degree, self.mean_weight, self.weight_range = 32.0, 128.0, (1, 255)


def test_they_begin_narrow_among_hubs_of_many_arcs():
    small, middle, large, larger = (width(Large(scale)) for scale in (12, 20, 23, 27))
    assert small.first == small.steady
    assert middle.first == pytest.approx(1.7 * 4, rel=0.02)
    assert middle.steady > 10 * middle.first
    assert large.first == larger.first == 2.0
    assert large.steady == 6 * large.first


def test_they_grow_more_where_degrees_are_smaller():
    def growth(graph):
        return width(graph).widest / width(graph).first

    grid, cube = wp.generate.grid(64, weights=WEIGHTS, seed=1), uniform(2**12, 6)
    assert growth(uniform(2**12, 64)) == pytest.approx(4)
    assert 4 < growth(cube) < growth(grid) <= 20


def test_a_mesh_begins_wider_than_others():
    def widths(graph):
        return {
            mesh: default_width(graph, SUMS, 1e9, "cuda", mesh=mesh) for mesh in (True, None, False)
        }

    sparse = widths(wp.generate.grid(64, weights=WEIGHTS, seed=1))
    assert sparse[True].first == 4 * sparse[False].first == 2 * sparse[None].first
    assert sparse[None].first < sparse[True].widest == sparse[False].widest < sparse[None].widest
    small, large = widths(uniform(2**12, 32)), widths(Regular(2**23))
    assert small[True] == small[None]  # wide enough
    assert large[True].first == pytest.approx(2.73 * large[None].first, rel=0.01)
    for one in (small, large):
        assert one[False] == one[None]
        assert one[True].widest == 4 * one[True].first
        assert one[True].steady == one[None].steady


def test_those_that_cannot_grow_are_wider_on_maps():
    grid, hubs = (
        wp.generate.grid(64, weights=WEIGHTS, seed=1), wp.generate.rmat(14, 2, weights=WEIGHTS, seed=1),
    )  # fmt: skip
    large = wp.generate.grid(2**11, weights=(1, 1))
    assert width(large).steady == width(large).batch > 2 * width(large).first
    assert width(grid).steady == max(width(grid).first, width(grid).batch)
    for other in (hubs, uniform(2**12, 32)):
        assert width(other).steady == width(other).first


def test_integers_are_at_least_1_apart_and_buckets_can_be_counted():
    graph = wp.generate.erdos_renyi(100, 2000, weights=(1, 1), seed=1)
    assert width(graph, "cpu").first == width(graph).batch == 1.0
    assert bounded(as_width(1e-30), 1e9).first == pytest.approx(1e9 / 2**60)
    assert bounded(as_width(1e-30), 0.0).first == 1e-30


@pytest.mark.parametrize("algebra", ["widest", "minimax"])
def test_other_algebras_divide_what_a_path_can_be(algebra):
    graph = uniform(2**12, 16)
    assert (
        width(graph, "cuda", lookup(algebra)).first
        == 8 * width(graph, "cpu", lookup(algebra)).first
    )


def test_davidsons_rule_is_32_mean_weights_over_the_mean_degree():
    graph = wp.generate.grid(30, weights=WEIGHTS, seed=1)
    found = wp.sssp(graph, 0, schedule="delta=davidson", device="cpu")
    found.verify()
    degree = graph.num_arcs / graph.num_vertices
    assert found.stats.delta == pytest.approx(32 * graph.mean_weight / degree)
    assert f"delta={found.stats.delta}" in str(found.stats.plan.schedule)
    star = wp.Graph.from_edges([0] * 99, range(1, 100), [1] * 99, directed=True)
    few = wp.Graph.from_edges([0, 0] * 99, [1, 2] * 99, [1, 1] * 99, directed=True)  # 66 arcs each
    assert davidsons(star, SUMS) == pytest.approx(32 * 100 / 100)
    assert davidsons(few, SUMS) == 1  # integers lie no closer
    with pytest.raises(ValueError, match="a rule for sums of weights, not for algebra 'widest'"):
        wp.sssp(graph, 0, schedule="delta=davidson", algebra="widest")
