"""Searches of graphs in parts, on ranks that are threads."""

import inspect
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import real_graphs
import warpath as wp
from distributed_cases import GRAPHS, check, check_any
from exhaustive import EXHAUSTIVE, few, slow
from thread_ranks import answers_on, on_ranks
from warpath import devices


@pytest.mark.parametrize("ranks", [3, *slow([2, 4])])
@pytest.mark.parametrize("name", GRAPHS)
def test_answers_are_those_of_one_process(name, ranks):
    graph = GRAPHS[name]()
    source = graph.num_vertices // 2
    trees = answers_on(1, lambda: check(graph, source))[0]
    for others in answers_on(ranks, lambda: check(graph, source)):
        for tree, other in zip(trees, others, strict=True):
            np.testing.assert_array_equal(tree, other)


@pytest.mark.parametrize("name", few(real_graphs.names(), ["SiouxFalls_length", "cit-hepph"]))
def test_real_graphs(name):
    graph = real_graphs.load(name).without_labels()
    if graph.num_arcs > (3_000_000 if EXHAUSTIVE else 1_000_000):
        pytest.skip("large; WARPATH_EXHAUSTIVE=1 takes graphs of up to 3 million arcs")
    answers_on(3, lambda: check_any(graph, 0))


@pytest.mark.parametrize("name", ["grid", "fewer vertices than ranks", "power law, directed"])
def test_parts_of_metis(name):
    pytest.importorskip("pymetis")
    graph = GRAPHS[name]()
    answers_on(3, lambda: check(graph, graph.num_vertices // 3, "metis"))


def test_a_target_in_parts_of_metis():
    """Its number in a part is another."""
    pytest.importorskip("pymetis")
    graph = GRAPHS["grid"]()
    source, target = 0, graph.num_vertices - 1

    def distance():
        answer = wp.sssp(wp.distributed.distribute(graph, "metis"), source, target=target)
        answer.verify()
        return answer.distance[target]

    expected = wp.sssp(graph, source, device="cpu").distance[target]
    assert expected < 2**31 - 1
    assert answers_on(3, distance) == [expected] * 3


@pytest.mark.parametrize("weights", [[5, 6, 7], None])
@pytest.mark.parametrize("options", [{"cutoff": 6}, {"cutoff": 1.5}, {}])
def test_a_target_that_is_not_reached_leaves_the_cutoff(weights, options):
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], weights, n=5)

    def search(target):
        found = wp.sssp(wp.distributed.distribute(graph), [4, 0], target=target, **options)
        found.verify()
        return found.distance

    for target in (3, 4):
        expected = wp.sssp(graph, [4, 0], target=target, device="cpu", **options).distance
        for distance in answers_on(2, lambda t=target: search(t)):
            np.testing.assert_array_equal(distance, expected)


def test_parts_of_metis_have_few_ghosts():
    pytest.importorskip("pymetis")
    whole = wp.generate.grid(60)
    order = np.random.default_rng(1).permutation(whole.num_vertices)
    source, target, _ = whole.edges()
    graph = wp.Graph.from_edges(order[source], order[target], directed=False)

    def ghosts(partition):
        part = wp.distributed.distribute(graph, partition).part
        return len(part.ids) - (part.end - part.begin)

    assert max(answers_on(4, lambda: ghosts("metis"))) < 200
    assert min(answers_on(4, lambda: ghosts("blocks"))) > 1000


def test_a_predecessor_is_the_smallest_that_there_is():
    graph = wp.Graph.from_edges([0, 0, 0, 3, 2, 1], [3, 2, 1, 4, 4, 4])
    answers = answers_on(3, lambda: wp.bfs(wp.distributed.distribute(graph), 0).predecessor)
    assert answers[0].tolist() == [-1, 0, 0, 0, 1]


def test_both_directions_are_taken():
    graph = wp.generate.rmat(12)
    answers = answers_on(2, lambda: wp.bfs(wp.distributed.distribute(graph), 0).direction)
    assert set(answers[0]) == {"top-down", "bottom-up"}


@pytest.mark.parametrize(("ranks", "partition"), [(1, "blocks"), (2, "blocks"), (3, "metis")])
def test_paths_lead_from_the_source(ranks, partition):
    """Through any parts, and back into them."""
    graph = wp.generate.grid(9)
    source, target, _ = graph.coo()
    edges = set(zip(source.tolist(), target.tolist(), strict=True))

    def paths():
        answer = wp.bfs(wp.distributed.distribute(graph, partition), [0, 44], nearest=True)
        return [answer.path(v) for v in range(81)], answer.distance.tolist()

    for walks, distance in answers_on(ranks, paths):
        for v, walk in enumerate(walks):
            assert walk[0] in (0, 44)
            assert walk[-1] == v
            assert len(walk) == distance[v] + 1
            assert edges.issuperset(pairwise(walk))


@pytest.mark.parametrize("partition", ["blocks", "metis"])
@pytest.mark.parametrize("predecessors", [True, False])
def test_rows_and_frames_are_those_of_one_process(partition, predecessors):
    graph = wp.generate.rmat(6, 2, weights=(1, 9), seed=1)  # some are not reached

    def found():
        parts = wp.distributed.distribute(graph, partition)
        one, several = (wp.sssp(parts, s, predecessors=predecessors) for s in (3, [3, 0, 7]))
        rows = [(row.source, row.own_distance.tolist()) for row in several]
        assert rows == [(several[i].source, several[i].own_distance.tolist()) for i in (-3, 1, 2)]
        path = several[1].path(3) if predecessors else None
        return [one[v] for v in range(64)], len(several), path, one.to_frame(), several.to_frame()

    answers = answers_on(3, found)
    wanted, each = (wp.sssp(graph, s, predecessors=predecessors) for s in (3, [3, 0, 7]))
    for values, number, path, _, _ in answers:
        assert values == [wanted[v] for v in range(64)]
        assert None in values
        assert number == 3
        assert path is None or (path[0], path[-1]) == (0, 3)
    for answer, place, order in ((wanted, 3, ["vertex"]), (each, 4, ["source", "vertex"])):
        frame = pl.concat([one[place] for one in answers]).sort(order)
        right = answer.to_frame().sort(order)
        assert frame.columns == right.columns
        assert frame.drop("predecessor", strict=False).equals(
            right.drop("predecessor", strict=False)
        )


def test_rows_that_are_not_there():
    def errors():
        parts = wp.distributed.distribute(wp.generate.grid(3))
        for answer, which in (
            (wp.bfs(parts, [0, 1]), 2),
            (wp.bfs(parts, 0), 9),
            (wp.bfs(parts, [0]), "a"),
        ):
            with pytest.raises((IndexError, ValueError, TypeError)) as error:
                answer[which]
            yield error.type
        with pytest.raises(TypeError, match="one answer"):
            len(wp.bfs(parts, 0))

    assert answers_on(2, lambda: [*errors()]) == [[IndexError, ValueError, TypeError]] * 2


@pytest.mark.parametrize("ask", [lambda r, v: r[v], lambda r, v: r.path(v)])
def test_ranks_that_ask_for_different_vertices_disagree(ask):
    """Also where one of these is none."""

    def asked(own):
        answer = wp.bfs(wp.distributed.distribute(wp.generate.grid(3)), 0)
        return ask(answer, own[wp.distributed.rank()])

    for own in ([1, 2], [1, 9]):
        for error in on_ranks(2, lambda own=own: asked(own)):
            assert isinstance(error, wp.RanksDisagreeError)


@pytest.mark.parametrize(
    "other",
    [
        lambda g: wp.bfs(g, [0, 1]),
        lambda g: wp.sssp(g, [0, 1], cutoff=3),
        lambda g: wp.sssp(g, [0, 1], nearest=True),
        lambda g: wp.sssp(g, [0, 1], dtype="float64"),
        lambda g: wp.sssp(g, [0, 1], predecessors=False),
    ],
)
@pytest.mark.parametrize("ask", [lambda r: r.distance, lambda r: r.verify()])
def test_ranks_that_ask_of_different_answers_disagree(ask, other):
    """Else one array would hold the distances of both."""
    graph = wp.generate.grid(4, weights=(1, 9))

    def asked():
        parts = wp.distributed.distribute(graph)
        answers = wp.sssp(parts, [0, 1]), other(parts)
        return ask(answers[wp.distributed.rank()])

    for error in on_ranks(2, asked):
        assert isinstance(error, wp.RanksDisagreeError)
        assert "rank 1 Paths" in str(error)


def test_no_path_is_an_error():
    graph = wp.Graph.from_edges([0], [1], n=3)
    for vertex in (2, 3, -1):
        for error in on_ranks(
            2, lambda v=vertex: wp.bfs(wp.distributed.distribute(graph), 0).path(v)
        ):
            assert isinstance(error, ValueError)
            assert ("no path" in str(error)) == (vertex == 2)
    path = wp.Graph.from_edges([0, 1], [1, 2])
    for error in on_ranks(
        2, lambda: wp.bfs(wp.distributed.distribute(path), 0, depth_limit=1).path(2)
    ):
        assert isinstance(error, wp.NoPathError)
        assert "within 1" in str(error)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda g: wp.bfs(g, 9), ValueError, "out of range"),
        (lambda g: wp.bfs(g, 0, depth_limit=-1), ValueError, "depth_limit"),
        (lambda g: wp.bfs(g, [0, 4]), ValueError, r"sources[1] 4 is out of range"),
        (lambda g: wp.sssp(g, 0, cutoff=5), ValueError, "cutoff needs non-negative weights"),
        (lambda g: wp.sssp(g, 0, cutoff=-1), ValueError, "cutoff must not be negative"),
        (lambda g: wp.sssp(g, 0, target=4), ValueError, "target 4 is out of range"),
        (lambda g: wp.sssp(g, 0, dtype="int8"), ValueError, "not 'int8'"),
        (lambda g: wp.bfs(g, 0, predecessors="no"), ValueError, "predecessors must be"),
        (lambda g: wp.sssp(g, 0, nearest="no"), ValueError, "nearest must be"),
        (
            lambda g: wp.distributed.distribute(wp.generate.grid(2), "cyclic"),
            ValueError,
            "unknown partition",
        ),
        (lambda g: wp.sssp(g, [0, 1]).path(2), ValueError, "ask one of them"),
        (lambda g: wp.connected_components(g, device="tpu"), ValueError, "choose one of"),
        (lambda g: wp.connected_components(g, schedule="merge-path"), ValueError, "takes no"),
    ],
)
def test_bad_arguments_are_refused_on_all_ranks(call, error, message):
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], [1, -2, 1])
    for outcome in on_ranks(3, lambda: call(wp.distributed.distribute(graph))):
        assert isinstance(outcome, error)
        assert message in str(outcome)


def test_without_a_gpu_all_ranks_say_what_is_missing(monkeypatch):
    monkeypatch.setattr(devices, "missing", lambda: "there is no NVIDIA GPU")
    graph = wp.generate.grid(3)
    for outcome in on_ranks(2, lambda: wp.bfs(wp.distributed.distribute(graph), 0, device="cuda")):
        assert isinstance(outcome, wp.DeviceUnavailableError)
        assert "no NVIDIA GPU" in str(outcome)


def test_a_distance_beyond_64_bits_is_an_error():
    heavy = 2**62
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], [heavy, heavy, heavy])
    for outcome in on_ranks(2, lambda: wp.sssp(wp.distributed.distribute(graph), 0)):
        assert isinstance(outcome, OverflowError)
        assert "vertex 2 does not fit in int64; scale the weights down" in str(outcome)


@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_a_distance_beyond_32_bits_says_which_dtype_holds_it(dtype):
    weight = 2**30 if dtype == "int32" else 3e38
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([weight] * 3))
    wide = dtype.replace("32", "64")
    for outcome in [
        *on_ranks(2, lambda: wp.sssp(wp.distributed.distribute(graph), 0, dtype=dtype)),
        *on_ranks(1, lambda: wp.sssp(graph, 0, dtype=dtype, device="cpu")),
    ]:
        assert isinstance(outcome, OverflowError)
        assert str(outcome).endswith(f"ask for dtype={wide}")
    wp.sssp(graph, 0, dtype=wide, device="cpu")


@pytest.mark.parametrize("weights", [np.int32([5, 6]), np.int64([5, 6]), np.float32([5, 6]), None])
def test_a_cutoff_may_be_larger_than_all_numbers_of_a_dtype(weights):
    graph = wp.Graph.from_edges([0, 1], [1, 2], weights)
    expected = wp.sssp(graph, 0).distance.tolist()

    def distance(cutoff):
        found = wp.sssp(wp.distributed.distribute(graph), [0], cutoff=cutoff)
        found.verify()
        return found.distance[0].tolist()

    for cutoff in (2**31, 2**63 - 1, 10**30, 10**400, np.inf):
        assert wp.sssp(graph, 0, cutoff=cutoff).distance.tolist() == expected
        assert answers_on(2, lambda c=cutoff: distance(c)) == [expected] * 2


def test_a_distance_below_its_dtype_is_an_error_whatever_else_reaches_the_vertex():
    """The sum that is too low wraps, or is -inf; another path, of length 5, would be taken for the shortest."""
    for low in (-(2**62), -1e308):
        weights = np.array([low, low, low, 5])
        graph = wp.Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 3], weights)
        for outcome in on_ranks(2, lambda g=graph: wp.sssp(wp.distributed.distribute(g), 0)):
            assert isinstance(outcome, OverflowError)
            assert "below what" in str(outcome)


def test_beyond_a_cutoff_nothing_must_fit():
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], [2**62, 2**62, 1])
    none = np.iinfo(np.int64).max
    for options, expected in (({"cutoff": 9}, [0, none]), ({"target": 1}, [0, 2**62])):
        for distance in answers_on(
            2, lambda o=options: wp.sssp(wp.distributed.distribute(graph), 0, **o).distance
        ):
            assert distance.tolist() == [*expected, none, none]


@pytest.mark.slow
def test_weights_at_the_end_of_floats_make_no_warning():
    graph = wp.Graph.from_edges([0, 1], [1, 2], np.array([3e38, 1], np.float32))
    for distance in answers_on(
        2, lambda: wp.sssp(wp.distributed.distribute(graph), 0, cutoff=1e300).distance
    ):
        assert distance.tolist() == wp.sssp(graph, 0).distance.tolist()


def test_no_arc_of_weight_0_between_ranks_closes_a_cycle():
    """Two vertices on different ranks, each at the end of an arc of weight 0 from the other."""
    graph = wp.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 1], [7, 7, 0, 0], n=3)
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(3)
        source, target, weight = graph.coo()
        mixed = wp.Graph.from_edges(order[source], order[target], weight, n=3)
        answers_on(3, lambda g=mixed, s=int(order[0]): check(g, s))


def test_a_negative_weight_leads_from_one_of_several_sources_to_another():
    graph = wp.Graph.from_edges([0, 1, 1], [1, 2, 3], [-5, 2, 1])

    def search():
        found = wp.sssp(wp.distributed.distribute(graph), [0, 1], nearest=True)
        found.verify()
        return found.distance.tolist(), found.predecessor.tolist()

    assert answers_on(2, search) == [([0, -5, -3, -4], [-1, 0, 1, 1])] * 2


def test_a_sum_beyond_64_bits_that_is_no_distance_is_none():
    heavy = 2**62
    graph = wp.Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 3], [heavy, heavy - 2, heavy, 5])
    for distance in answers_on(2, lambda: wp.sssp(wp.distributed.distribute(graph), 0).distance):
        assert distance.tolist() == [0, heavy, 2 * heavy - 2, 5]


def test_ranks_that_distribute_different_graphs_disagree():
    """Graphs of loops alone differ by the direction only, those of zeros by the dtype only."""
    loops = [wp.Graph.from_edges([0, 1], [0, 1], directed=directed) for directed in (True, False)]
    zeros = [wp.Graph.from_edges([0], [1], np.zeros(1, dtype)) for dtype in ("int32", "float32")]
    for graphs in (loops, zeros):
        for error in on_ranks(
            2, lambda graphs=graphs: wp.distributed.distribute(graphs[wp.distributed.rank()])
        ):
            assert isinstance(error, wp.RanksDisagreeError)


def test_only_graphs_without_labels_are_distributed():
    graph = wp.Graph.from_edges(["a"], ["b"])
    with pytest.raises(ValueError, match="labels"):
        wp.distributed.distribute(graph)
    with pytest.raises(TypeError, match=r"warpath\.Graph"):
        wp.distributed.distribute([[0, 1]])


OPTIONS = {
    wp.bfs: {"depth_limit": 3, "predecessors": False, "nearest": True, "device": "cpu"},
    wp.sssp: {
        "target": 40,
        "cutoff": 90,
        "dtype": "int64",
        "predecessors": False,
        "nearest": True,
        "device": "cpu",
    },
}
REFUSED = {
    wp.bfs: {"schedule": "direction=top-down", "trace": False},
    wp.sssp: {
        "algebra": "widest", "method": "dijkstra", "schedule": "delta=3", "trace": False,
    },
}  # fmt: skip


@pytest.mark.parametrize("search", OPTIONS)
def test_every_option_works_or_is_refused_by_name(search):
    graph = wp.generate.grid(9, weights=(1, 30), seed=3)
    known = set(inspect.signature(search).parameters) - {"graph", "source", "devices"}
    assert known == OPTIONS[search].keys() | REFUSED[search].keys()

    def answers(options):
        found = search(wp.distributed.distribute(graph), [70, 3], **options)
        found.verify()
        return found.distance

    for name, value in OPTIONS[search].items():
        expected = search(graph, [70, 3], **({"device": "cpu"} | {name: value})).distance
        for distance in answers_on(3, lambda o={name: value}: answers(o)):
            assert distance.dtype == expected.dtype
            np.testing.assert_array_equal(distance, expected)
    for name, value in REFUSED[search].items():
        for error in on_ranks(2, lambda o={name: value}: answers(o)):
            assert isinstance(error, ValueError)
            assert f"takes no {name}" in str(error)
    for error in on_ranks(2, lambda: answers({"devices": 2})):
        assert isinstance(error, ValueError)
        assert "in parts on ranks" in str(error)


def test_nearest_sources_are_the_roots_of_paths():
    graph = wp.generate.grid(9)

    def paths():
        found = wp.bfs(wp.distributed.distribute(graph), [80, 0, 80], nearest=True)
        return found.path(79), found.path(1), found.path(80)

    assert answers_on(3, paths) == [([80, 79], [0, 1], [80])] * 3


@pytest.mark.parametrize(
    "name", [name for name in real_graphs.names() if name in ("rome99", "SiouxFalls_length")]
)
def test_negative_weights(name):
    graph = real_graphs.negative_twin(name)
    expected = wp.sssp(graph, 0, device="cpu").distance

    def search():
        found = wp.sssp(wp.distributed.distribute(graph), 0)
        found.verify()
        return found.distance, found.predecessor

    for distance, predecessor in answers_on(3, search):
        np.testing.assert_array_equal(distance, expected)
        wp.verify.sssp(graph, 0, distance, predecessor)


@pytest.mark.parametrize(("big", "dtype"), [(2**59, np.float64), *slow([(2**30, np.float32)])])
def test_a_cycle_that_large_floats_swallow(big, dtype):
    """Once around the source is at -1, and at -big the others no longer see it: the search ends with a cycle."""
    weights = np.array([-big, big - 1, -1], dtype)
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 0], weights, n=100)
    for error in on_ranks(2, lambda: wp.sssp(wp.distributed.distribute(graph), 0)):
        assert isinstance(error, wp.NegativeCycleError)
        wp.verify.negative_cycle(graph, error.cycle, 0)


@pytest.mark.parametrize("length", [1, 400, *slow([2, 3])])
def test_a_negative_cycle_is_named_by_all_ranks(length):
    tail = np.arange(500)
    head = (tail + 1) % 500
    weight = np.ones(500, int)
    graph = wp.Graph.from_edges(
        np.append(tail, 300), np.append(head, (301 - length) % 500), np.append(weight, -length)
    )
    for error in on_ranks(3, lambda: wp.sssp(wp.distributed.distribute(graph), 7)):
        assert isinstance(error, wp.NegativeCycleError)
        assert len(error.cycle) == length
        wp.verify.negative_cycle(graph, error.cycle, 7)


def test_a_negative_cycle_out_of_reach_is_none():
    graph = wp.Graph.from_edges([0, 1, 2, 3, 4], [1, 2, 0, 4, 3], [1, -3, 2, -1, 0])
    for distance in answers_on(2, lambda: wp.sssp(wp.distributed.distribute(graph), 0).distance):
        assert distance.tolist()[:3] == [0, 1, -2]


def test_long_searches_go_on_asynchronously():
    graph = wp.generate.grid(150, 40, seed=1)

    def search():
        found = wp.bfs(wp.distributed.distribute(graph), 17, depth_limit=120)
        found.verify()
        return found

    answers = answers_on(3, lambda: (search().direction, search().distance))
    expected = wp.bfs(graph, 17, depth_limit=120, device="cpu").distance
    for direction, distance in answers:
        assert "asynchronous" in direction
        np.testing.assert_array_equal(distance, expected)
