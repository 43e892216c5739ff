from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import warpath as wp
from warpath.bench import search_profile as module
from warpath.bench.search_profile import profile


def test_rows_are_those_of_the_search() -> None:
    graph = wp.generate.rmat(9, 8, seed=1)
    source = int(graph.degree.argmax())
    found = profile(graph, "bfs", source, device="cpu")
    stats = wp.bfs(graph, source, device="cpu").stats
    assert [row.arcs for row in found.rows] == stats.edges.tolist()
    assert [row.how for row in found.rows] == list(stats.direction)
    assert found.total().vertices == stats.frontier.sum()
    assert found.total().microseconds is None
    assert sum(row.iterations for row in found.kinds()) == len(found.rows)
    with pytest.raises(ValueError, match="unknown algorithm 'apsp'; choose one of bfs, sssp"):
        profile(graph, "apsp", 0)


@pytest.fixture
def timed() -> module.Profile:
    """As a GPU leaves it."""
    stats = SimpleNamespace(
        direction=("top-down", "bottom-up", "top-down"), mode=("block", "grid", "block"),
        balance=("", "", ""), frontier=np.array([1, 50, 9]), edges=np.array([20, 3000, 40]),
        nanoseconds=np.array([2000, 1000, 4000]),
    )  # fmt: skip
    return module.Profile("bfs from 0 on a GPU", tuple(module._rows(stats)))  # type: ignore[arg-type]


def test_times_are_added_up_by_kind(timed: module.Profile) -> None:
    first, second = timed.kinds()
    assert (first.how, first.iterations, first.microseconds) == ("top-down block", 2, 6.0)
    assert (second.how, second.gteps) == ("bottom-up grid", 3.0)
    assert timed.total().microseconds == 7.0


def test_waiting_is_the_shortest_iteration_of_each_kind(timed: module.Profile) -> None:
    # Two by a block, of 2 and 4 µs, and one by the grid, of 1 µs.
    assert timed.waiting() == pytest.approx((2 * 2 + 1) / 7)
    graph = wp.generate.grid(5)
    assert profile(graph, "bfs", 0, device="cpu").waiting() is None


def test_draws(timed: module.Profile, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    module.save(timed, tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 5000
    assert len(module.draw(timed).axes) == 2


def test_iterations_are_whole(timed: module.Profile) -> None:
    pytest.importorskip("matplotlib")
    for axes in module.draw(timed).axes:
        assert all(float(tick).is_integer() for tick in axes.get_xticks())
