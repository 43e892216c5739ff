"""Matrices in files: complete or unfinished, one writer, refused before work begins."""

import errno
import os
import subprocess
import sys
from itertools import product

import numpy as np
import pytest

import warpath as wp
from exhaustive import few
from oracles import weighted

METHODS = ("auto", "r-kleene", "johnson", "sssp", "bfs")


def all_by_sssp(graph):
    return wp.sssp(graph, np.arange(graph.num_vertices)).distance


@pytest.mark.parametrize(
    ("predecessors", "method"),
    few(
        product([False, True], METHODS),
        [*product([False], METHODS), *product([True], ["r-kleene", "johnson"])],
    ),
)
def test_a_file(tmp_path, method, predecessors):
    graph = weighted("karate", np.int64)
    if method == "bfs":
        graph = graph.without_weights()
    out = tmp_path / "d.npy"
    found = wp.apsp(graph, method=method, out=out, predecessors=predecessors, device="cpu")
    expected = ["d.npy", *["d.predecessor.npy"] * predecessors]
    assert sorted(path.name for path in tmp_path.iterdir()) == expected
    assert np.array_equal(np.load(out), all_by_sssp(graph))
    assert not found.distance.flags.writeable
    found.verify()
    wp.apsp(graph, method=method, out=str(out), device="cpu")  # over the old one


def test_a_file_has_its_name_only_when_it_is_complete(tmp_path):
    graph = wp.generate.erdos_renyi(300, 3000, weights=(1, 9))
    out = tmp_path / "d.npy"
    out.write_bytes(b"of yesterday")
    seen = []

    def look(done, of):
        seen.append(sorted(path.name for path in tmp_path.iterdir()))

    wp.apsp(graph, out=out, predecessors=True, progress=look, device="cpu")
    assert seen
    unfinished = ["d.npy", "d.npy.unfinished", "d.predecessor.npy.unfinished"]
    assert all(names == unfinished for names in seen)


@pytest.mark.parametrize("method", ["blocked-floyd-warshall", "sssp", "bfs", "repeated-squaring"])
def test_a_run_that_is_interrupted_leaves_nothing(tmp_path, method):
    graph = wp.generate.named("star", 1500)
    if method != "bfs":
        graph = graph.with_weights(np.ones(graph.num_arcs, np.int32))

    def interrupt(done, of):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wp.apsp(graph, method=method, out=tmp_path / "d.npy", progress=interrupt, device="cpu")
    assert not list(tmp_path.iterdir())


def test_a_run_that_is_killed_leaves_an_unfinished_file(tmp_path):
    script = f"""
import os, signal, warpath as wp
def kill(done, of):
    os.kill(os.getpid(), signal.SIGKILL)
graph = wp.generate.named("star", 1500)
wp.apsp(graph, out={str(tmp_path / "d.npy")!r}, progress=kill, device="cpu")
"""
    ended = subprocess.run([sys.executable, "-c", script], check=False)
    assert ended.returncode == -9
    assert [path.name for path in tmp_path.iterdir()] == ["d.npy.unfinished"]
    # The next run removes it, and says so; another file's it leaves alone.
    graph = weighted("karate", np.int32)
    wp.apsp(graph, out=tmp_path / "e.npy", device="cpu")
    with pytest.warns(RuntimeWarning, match=r"d\.npy\.unfinished, of a run that was killed"):
        found = wp.apsp(graph, out=tmp_path / "d.npy", device="cpu")
    assert np.array_equal(found.distance, all_by_sssp(graph))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.npy", "e.npy"]


@pytest.mark.parametrize(("free", "taken"), [(1000, 9376), (9376, 14128)])
def test_too_little_space_on_the_disk_for_all_files(tmp_path, monkeypatch, free, taken):
    class Usage:
        pass

    def compute(*args):
        raise AssertionError("before work begins")

    Usage.free = free
    monkeypatch.setattr("shutil.disk_usage", lambda path: Usage)
    out = tmp_path / "d.npy"
    wanted = {"predecessors": free > 1000, "dtype": np.int64}
    with pytest.raises(OSError, match=rf"this takes {taken:,} bytes, and {free:,} bytes are free"):
        wp.apsp(weighted("karate", np.int32), out=out, progress=compute, device="cpu", **wanted)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="reserves by writing")
@pytest.mark.parametrize("reserved", [True, False])
def test_files_have_their_room_before_work_begins(tmp_path, monkeypatch, reserved):
    """Also where the file system cannot reserve it: then it is written."""

    def cannot(*args):
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    if not reserved:
        monkeypatch.setattr(os, "posix_fallocate", cannot)
    graph = wp.generate.grid(20, weights=(1, 9))
    sizes = []

    def look(done, of):
        sizes.append([512 * path.stat().st_blocks for path in sorted(tmp_path.iterdir())])

    found = wp.apsp(graph, out=tmp_path / "d.npy", predecessors=True, progress=look, device="cpu")
    assert min(sizes[0]) >= 4 * 400 * 400
    assert np.array_equal(found.distance, all_by_sssp(graph))
    found.verify()


def test_what_cannot_be_written_is_refused_before_work_begins(tmp_path):
    def compute(*args):
        raise AssertionError("before work begins")

    graph = weighted("karate", np.int32)
    (tmp_path / "a.npy").mkdir()
    (tmp_path / "b.predecessor.npy").mkdir()
    for name in ("a.npy", "b.npy"):
        with pytest.raises(ValueError, match=rf"{name[0]}.*npy' is a folder"):
            wp.apsp(graph, out=tmp_path / name, predecessors=True, progress=compute, device="cpu")
    with pytest.raises(ValueError, match="is a folder"):
        wp.distance_matrix(graph, [0], out=tmp_path / "a.npy", progress=compute)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.skipif(os.name != "posix", reason="locks files")
def test_two_runs_do_not_write_one_file(tmp_path):
    graph = weighted("karate", np.int32)
    out = tmp_path / "d.npy"
    refused = []

    def again(done, of):
        with pytest.raises(OSError, match=rf"another run is writing this file: '{out}'"):
            wp.apsp(graph, out=out, device="cpu")
        refused.append(True)

    found = wp.apsp(graph, out=out, progress=again, device="cpu")
    assert refused
    assert np.array_equal(found.distance, all_by_sssp(graph))
    assert list(tmp_path.iterdir()) == [out]


def test_a_link_to_the_file_stays(tmp_path):
    (tmp_path / "disk").mkdir()
    out, there = tmp_path / "d.npy", tmp_path / "disk" / "there.npy"
    out.symlink_to(there)
    wp.apsp(weighted("karate", np.int32), out=out, device="cpu")
    assert out.is_symlink()
    assert not there.is_symlink()
    assert np.load(there).shape == (34, 34)
