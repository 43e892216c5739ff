"""What is said where CUDA cannot be used."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

import warpath as wp
from fake_gpu import memory_of
from warpath import devices

HAS_GPU = devices.missing() is None


@pytest.fixture
def fresh():
    devices.missing.cache_clear()
    yield
    devices.missing.cache_clear()


@pytest.mark.parametrize(("package", "named"), [("cupy", "CuPy"), ("cuda.core", "cuda-core")])
def test_an_extra_that_is_not_installed_is_named(package, named, monkeypatch, fresh):
    monkeypatch.setattr(devices, "_is_installed", lambda name: name != package)
    graph = wp.Graph.from_edges([0], [1])
    with pytest.raises(
        wp.DeviceUnavailableError, match=rf"{named} is not installed: pip install 'warpath\[cuda\]'"
    ):
        wp.bfs(graph, 0, device="cuda")
    assert devices.devices() == []
    with pytest.raises(
        wp.DeviceUnavailableError, match=rf"balance='thread-mapped': {named} is not"
    ):
        wp.bfs(graph, 0, schedule="thread-mapped")
    assert wp.bfs(graph, 0).distance.tolist() == [0, 1]


def test_cupy_that_cannot_be_imported_is_named(monkeypatch, fresh):
    monkeypatch.setattr(devices, "_is_installed", lambda name: True)
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert "CuPy cannot be imported" in devices.missing()


@pytest.mark.skipif(HAS_GPU, reason="there is a GPU")
def test_without_a_gpu_auto_is_the_cpu_and_cuda_says_why():
    graph = wp.generate.named("path", 4)
    assert wp.bfs(graph, 0).stats.device == "cpu"
    with pytest.raises(wp.DeviceUnavailableError, match=r"balance='virtual-warp': .*install"):
        wp.bfs(graph, 0, schedule="virtual-warp")
    with pytest.raises(wp.DeviceUnavailableError, match=r"device='cuda': .*install"):
        wp.bfs(graph, 0, device="cuda")


def test_small_graphs_do_not_import_cupy():
    code = (
        "import sys, warpath as wp; wp.bfs(wp.generate.named('path', 4), 0); "
        "import warpath.cuda.compile, warpath.cuda.instances; print('cupy' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False"]


def test_an_architecture_is_named_as_the_compiler_does():
    old = devices.CudaDevice(0, "old", (7, 5), 1, 1)
    assert old.arch == "sm_75"
    assert not old.suffices
    assert devices.CudaDevice(0, "new", (10, 0), 1, 1).arch == "sm_100"
    assert devices._too_old(old) == "old has compute capability 7.5; 8.0 or newer is needed"


def fake_cupy(limit=0):
    """With 5,000 bytes free, 700 that the pool holds unused, and 1,000 that it uses."""
    cupy = memory_of(SimpleNamespace(), 5000, 10_000)
    pool = cupy.get_default_memory_pool()
    pool.used_bytes, pool.free_bytes = lambda: 1000, lambda: 700
    pool.set_limit(limit)
    return cupy


@pytest.mark.parametrize(("limit", "free"), [(0, 5700), (4000, 3000), (900, 0), (9000, 5700)])
def test_free_memory_is_the_pools_too_up_to_its_limit(limit, free):
    assert devices.free_memory(fake_cupy(limit)) == free


def test_memory_that_does_not_suffice_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy())
    message = "building: 7 bytes more. 5,700 of the GPU's 10,000 bytes are free: device='cpu'"
    with pytest.raises(MemoryError, match=message), devices.memory_for("building"):
        raise MemoryError("7 bytes more")


SLOW = "import time; time.sleep(0.1); import warpath_slow.{}; time.sleep(0.1); content = 1"


def test_threads_import_cudas_modules_one_after_the_other(tmp_path, monkeypatch):
    """Modules that import each other: without a lock one thread would get one that is not complete."""
    folder = tmp_path / "warpath_slow"
    folder.mkdir()
    for name, other in (("one", "two"), ("two", "one")):
        (folder / f"{name}.py").write_text(SLOW.format(other))
    monkeypatch.syspath_prepend(tmp_path)

    def contents(name):
        devices.cuda_module(f"warpath_slow.{name}")
        return [sys.modules[f"warpath_slow.{each}"].content for each in ("one", "two")]

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(contents, ("one", "two"))) == [[1, 1], [1, 1]]
