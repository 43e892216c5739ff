"""Searches as they are written, and rows of a table of builds, without a GPU."""

from itertools import pairwise

import pytest

import warpath as wp
from warpath.balance import TECHNIQUES


@pytest.fixture
def builds(script):
    return script("gpu_builds")


class FakeBuild:
    """A build whose searches take the given times."""

    def __init__(self, total, *times):
        self.total, self.times = total, list(times)

    def send(self, search):
        pass

    def answer(self):
        time = self.times.pop(0)
        return time if isinstance(time, str) else (time, self.total)


@pytest.mark.parametrize(
    ("search", "parts"),
    [
        ("bfs: grid 2048²", ("bfs", "grid 2048²", {})),
        (
            "sssp: R-MAT 20, 8, directed, method=h-bf, delta=2.5",
            ("sssp", "R-MAT 20, 8, directed", {"method": "h-bf", "delta": 2.5}),
        ),
        (
            "bfs: G(2²², 2²⁶), balance=merge-path:coupling=hybrid,f0=10, predecessors=False",
            (
                "bfs",
                "G(2²², 2²⁶)",
                {"balance": "merge-path:coupling=hybrid,f0=10", "predecessors": False},
            ),
        ),
        (
            "sssp: star and path, optimizations=('duplicate-removal','cache-modifiers')",
            ("sssp", "star and path", {"optimizations": ("duplicate-removal", "cache-modifiers")}),
        ),
    ],
)
def test_a_search_is_a_function_a_graph_and_options(builds, search, parts):
    assert builds.parse(search) == parts


def test_every_search_that_is_chosen_has_a_graph_and_a_function(builds, script):
    graphs = script("gpu_graphs")
    for search in builds.CHOSEN:
        function, graph, _ = builds.parse(search)
        assert graph in graphs.GRAPHS | graphs.OTHERS
        builds.calls(function, None, {})


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ("direction=top-down", "direction=top-down"),
        ("balance=merge-path:coupling=hybrid,f0=10", "balance=merge-path:coupling=hybrid,f0=10"),
        ("loop=host, preset=bfs-4k:single-block=off", "bfs-4k:single-block=off,loop=host"),
        ("loop=device, schedule=hong,direction=top-down", "hong,direction=top-down,loop=device"),
    ],
)
def test_options_are_one_schedule_or_an_older_builds_arguments(builds, options, text):
    function, _, given = builds.parse(f"bfs: grid 200², predecessors=False, {options}")
    now = builds.calls(function, None, given).keywords
    assert now == {"trace": False, "device": "cuda", "predecessors": False, "schedule": text}
    wp.schedule.parse(text)
    assert builds.scheduled(given, [*given, "direction"]) == given


def test_a_balance_is_no_preset(builds):
    with pytest.raises(ValueError, match="unknown preset 'edge-parallel'"):
        builds.calls("bfs", None, {"preset": "edge-parallel"})


def test_optimizations_are_a_schedule_too(builds):
    for written, text in (
        ("('duplicate-removal','cache-modifiers')", "duplicate-removal+cache-modifiers"),
        ("()", "none"),
        ("edge-queue", "edge-queue"),
    ):
        _, _, given = builds.parse(f"sssp: star and path, method=h-bf, optimizations={written}")
        found = builds.calls("sssp", None, given).keywords
        assert found["method"] == "h-bf"
        assert found["schedule"] == f"optimizations={text}"
        wp.schedule.parse(found["schedule"])
    assert builds.calls("sssp", None, {"delta": 2.5}).keywords["schedule"] == "delta=2.5"


def test_searches_of_a_graph_stand_together(builds):
    graphs = [builds.parse(search)[1] for search in builds.CHOSEN]
    changes = sum(one != other for one, other in pairwise(graphs))
    assert changes + 1 == len(set(graphs))


def test_a_star_is_every_name(builds):
    search = "bfs: R-MAT 18, 16, balance=*, direction=top-down"
    found = builds.expand(search, builds.names_known())
    assert found == [search.replace("*", name) for name in TECHNIQUES]
    assert builds.expand("bfs: grid 200²", {}) == ["bfs: grid 200²"]
    both = builds.expand("bfs: g, a=*, b=*", {"a": ["x", "y"], "b": ["1", "2"]})
    assert both == [f"bfs: g, a={a}, b={b}" for a in "xy" for b in (1, 2)]
    with pytest.raises(SystemExit, match="no build has names for 'delta', only for balance"):
        builds.expand("sssp: g, delta=*", {"balance": ["x"]})


def test_a_row_has_medians_and_ratios(builds):
    one, other = FakeBuild(7.0, 9.0, 4.0, 2.0, 3.0), FakeBuild(7.0, 9.0, 1.0, 1.5, 2.0)
    assert builds.measure("bfs: g", [one, other]) == "| bfs: g | 3 (1.000) | 1.5 (0.500) |"


def test_a_build_that_cannot_search_says_why(builds):
    old = FakeBuild(0.0, "TypeError: no option\n'frontier' | or such")
    new, late = FakeBuild(7.0, 9.0, 2.0, 2.0, 2.0), FakeBuild(7.0, 9.0, 1.0, "lost", 1.0)
    assert builds.measure("bfs: g", [old, new, late]) == (
        "| bfs: g | - (TypeError: no option 'frontier' ¦ or such) | 2 | - (lost) |"
    )
    new, old = FakeBuild(7.0, 9.0, 2.0, 2.0, 2.0), FakeBuild(0.0, "never")
    assert builds.measure("bfs: g", [new, old]) == "| bfs: g | 2 (1.000) | - (never) |"


def test_other_distances_end_it(builds):
    with pytest.raises(SystemExit, match=r"other distances, \[7.0, 8.0\]"):
        builds.measure("bfs: g", [FakeBuild(7.0, 1.0), FakeBuild(8.0, 1.0)])


def test_a_sum_is_of_all_that_is_reached(builds):
    graph = wp.Graph.from_edges([0, 1, 3], [1, 2, 4], n=5)
    assert builds.sum_of(wp.bfs(graph, 0)) == 3
    assert builds.sum_of(wp.sssp(graph, [0, 1])) == 4
    assert builds.sum_of(wp.st_connected(graph, 0, 2)) == 2
    assert builds.sum_of(wp.st_connected(graph, 0, 4)) == -1


def test_unknown_graphs_and_functions_are_named(builds):
    with pytest.raises(ValueError, match=r"no graph 'grid' .* which has R-MAT 16, 16"):
        builds.made("grid")
    with pytest.raises(ValueError, match="no function 'dfs'; choose one of bfs, sssp"):
        builds.calls("dfs", None, {})
