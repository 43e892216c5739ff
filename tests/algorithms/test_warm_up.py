import pytest

import warpath as wp
from exhaustive import few
from warpath import devices, kernel_cache
from warpath.algorithms import warm_up as ahead
from warpath.errors import DeviceUnavailableError

GROUPS = dict(ahead._groups())


@pytest.mark.parametrize("name", few(GROUPS, ["int32 sssp", "bfs", "generators"]))
def test_each_group_runs(name):
    """And what it has used is on disk."""
    kept = ahead._compile(name)
    assert kept == kernel_cache.kept
    assert any(file.exists() for file in kept)


@pytest.mark.slow
def test_what_is_warm_is_not_compiled(monkeypatch):
    """Of the README's first lines, for one."""
    for group in GROUPS.values():
        group()

    def fail(*_):
        raise AssertionError("it compiles")

    monkeypatch.setattr(kernel_cache, "notice", fail)
    graph = wp.generate.grid(20, keep=0.9, weights=(1, 255))
    wp.sssp(graph, 0).verify()
    wp.bfs(graph, [0, 7], nearest=True)
    assert "bottom-up" in wp.bfs(wp.generate.rmat(10), 0).stats.direction
    wp.sssp(graph, 0, algebra="widest")
    wp.apsp(wp.generate.grid(5))
    wp.statistics(graph)


def test_processes_compile_and_tell(monkeypatch):
    some = ["bfs", "generators"]
    monkeypatch.setattr(ahead, "_groups", lambda: [(name, None) for name in some])
    told = []
    warm = ahead.warm_up("cpu", lambda *now: told.append(now))
    assert told == [(0, 2), (1, 2), (2, 2)]
    assert warm.kernels > 4
    assert warm.nbytes > 1000 * warm.kernels
    assert all(folder.is_dir() for folder in warm.folders)


def test_an_unknown_device():
    with pytest.raises(ValueError, match="'auto', 'cpu' or 'cuda', not 'gpu'"):
        ahead.warm_up("gpu")


def test_no_gpu(monkeypatch):
    monkeypatch.setattr(devices, "missing", lambda: "there is none")
    with pytest.raises(DeviceUnavailableError, match="there is none"):
        ahead.warm_up("cuda")


@pytest.mark.slow
def test_kernels_that_cannot_be_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(ahead, "_groups", lambda: [("generators", None)])
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "folder"))
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="cannot be kept: set WARPATH_CACHE"):
        ahead.warm_up("cpu")
