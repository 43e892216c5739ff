"""What becomes of a device's arrays and reports, with stand-ins for both."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import warpath as wp
from warpath.algorithms.common.stats import ReportedStats


class OnDevice:
    """An array as CuPy's: what NumPy may not touch, until it is fetched."""

    def __init__(self, array):
        self.array, self.fetched = array, 0
        self.ndim, self.dtype, self.shape = array.ndim, array.dtype, array.shape

    def get(self):
        self.fetched += 1
        return self.array.copy()

    def __array__(self, *_, **__):
        raise TypeError("not implicitly")


@pytest.fixture
def paths():
    here = wp.bfs(wp.generate.named("path", 5), [0, 4], nearest=True)
    return replace(here, distance=OnDevice(here.distance), predecessor=OnDevice(here.predecessor))


def test_paths_and_certificates_fetch_the_arrays_once(paths):
    assert paths.path(1) == [0, 1]
    assert paths.path(3) == [4, 3]
    paths.verify()
    assert paths.to_numpy().distance.tolist() == [0, 1, 2, 1, 0]
    assert paths.distance.fetched == paths.predecessor.fetched == 1


def test_a_wrong_answer_on_a_device_is_found(paths):
    paths.distance.array[2] = 1
    with pytest.raises(wp.VerificationError):
        paths.verify()


def test_numpy_arrays_stay_where_they_are():
    paths = wp.bfs(wp.generate.named("path", 5), 0)
    assert paths.to_numpy() is paths


def report(*vertices):
    size = len(vertices)
    return SimpleNamespace(
        iterations=size,
        frontier=np.array(vertices),
        edges=2 * np.array(vertices),
        nanoseconds=np.full(size, 2000),
        direction=("top-down",) * size,
        mode=("grid",) * size,
        balance=("virtual-warp",) * size,
    )


TIMES = {"seconds": 0.5, "compile_seconds": 2.25}


def test_stats_of_several_runs_follow_each_other():
    stats = ReportedStats("bfs top-down", "as asked", TIMES, "a GPU", [report(1, 2), report(3)])
    assert stats.iterations == 3
    assert stats.frontier.tolist() == [1, 2, 3]
    assert stats.relaxations == 12
    assert stats.balance == ("virtual-warp",) * 3
    assert stats.as_dict()["nanoseconds"] == [2000] * 3
    first, _, row, *_ = str(stats).splitlines()
    assert "500 ms, after 2.25 s of compiling, a GPU for 0.006 ms, 3 iterations" in first
    assert row.split() == ["0", "1", "2", "2.0", "top-down", "grid", "virtual-warp"]
    assert ", a GPU for 0.006 ms, " in repr(stats)


def test_stats_are_fetched_when_somebody_looks():
    stats = ReportedStats("bfs", "the default", TIMES, "a GPU", [None])
    assert (stats.seconds, stats.compile_seconds, stats.threads) == (0.5, 2.25, 0)
    with pytest.raises(AttributeError):
        _ = stats.edges
