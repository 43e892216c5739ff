"""`write` replaces files: where it ends early, on a full disk or by a kill, the old ones are left."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from warpath import generate
from warpath.io import read, write
from warpath.io.format_registry import FORMATS

SUFFIXES = {known.name: known.suffixes[0] for known in FORMATS}


def accepted(name):
    """A graph that the format holds."""
    (known,) = [known for known in FORMATS if known.name == name]
    graphs = [
        generate.erdos_renyi(50, 200, seed=1, directed=directed, weights=(1, 9))
        for directed in (True, False)
    ]
    graphs += [graph.without_weights() for graph in graphs]
    return next(graph for graph in graphs if known.refuse(graph) is None)


# `formats` gives each format, a graph and a path to write; `old` makes the files that are there before.
EACH_FORMAT = """
import os, resource, signal, sys
from pathlib import Path
import numpy as np
from warpath import files, generate, write
from warpath.io.format_registry import FORMATS

folder = Path(sys.argv[1])
directed = generate.erdos_renyi(500, 4000, seed=1, directed=True, weights=(1, 2**30))
undirected = generate.grid(60, weights=(1, 2**30))
graphs = [directed, directed.without_weights(), undirected, undirected.without_weights()]

def formats():
    for known in FORMATS:
        graph = next(graph for graph in graphs if known.refuse(graph) is None)
        for compression in ("", ".gz", ".xz", ".zst"):
            yield known, graph, folder / known.name / f"graph{known.suffixes[0]}{compression}"

def old(path):
    path.parent.mkdir(exist_ok=True)
    kinds = [".v", ".e"] if path.suffixes[0] == ".v" else [path.suffixes[0]]
    there = [path.with_name("graph" + "".join([kind, *path.suffixes[1:]])) for kind in kinds]
    if len(kinds) == 2:
        there.append(path.with_name("graph.properties"))
    for file in there:
        file.write_bytes(b"old")
    return there
"""


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
def test_a_full_disk_leaves_the_old_file_and_is_an_error_that_names_it(tmp_path):
    script = """
for known, graph, path in formats():
    there = old(path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, hard))
    try:
        write(graph, path, format=known.name)
    except OSError as error:
        failed = error
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "File too large" in str(failed), (path, failed)
    assert failed.filename in map(str, there), (path, failed)
    assert all(file.read_bytes() == b"old" for file in there), path
    assert {path.name for path in path.parent.iterdir()} >= {file.name for file in there}
    assert not list(path.parent.glob(".*")), path
    del failed
"""
    run_each_format(script, tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="forks and sends a signal")
def test_a_kill_in_the_middle_of_writing_leaves_the_old_file(tmp_path):
    script = """
def half(self, data):
    self._stream.write(memoryview(data).cast("B")[: memoryview(data).nbytes // 2])
    self._stream.flush()
    os.kill(os.getpid(), signal.SIGKILL)

for graph in graphs:  # so that the children have no kernels to compile
    graph.edges(), graph.reverse
for known, graph, path in formats():
    there = old(path)
    child = os.fork()
    if not child:
        files._Noting.write = half
        write(graph, path, format=known.name)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL, path
    assert all(file.read_bytes() == b"old" for file in there), path
"""
    run_each_format(script, tmp_path)


def run_each_format(script, folder):
    subprocess.run([sys.executable, "-c", EACH_FORMAT + script, folder], check=True)


@pytest.mark.parametrize("name", SUFFIXES)
def test_a_graph_is_written_to_the_file_it_was_read_from(name, tmp_path, same):
    """Of a memory-mapped one the graph stays what it was."""
    path = tmp_path / f"graph{SUFFIXES[name]}"
    write(accepted(name), path, format=name)
    graph, before = read(path, format=name), path.read_bytes()
    write(graph, path, format=name)
    same(graph, read(path, format=name))
    if graph.directed:  # which the file may not say of an undirected one
        assert path.read_bytes() == before


def test_a_mapped_graph_stays_what_it_was_when_its_file_is_written(tmp_path, same):
    path = tmp_path / "graph.npz"
    graph, other = accepted("wel"), accepted("metis")
    write(graph, path)
    mapped = read(path)
    write(other, path)
    same(mapped, graph)
    same(read(path), other)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("name", sorted(set(SUFFIXES) - {"graphalytics"}))
def test_a_full_standard_output_is_named(name, monkeypatch):
    graph = accepted(name)
    with open("/dev/full", "wb", buffering=0) as full:
        monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=full))
        with pytest.raises(OSError, match="No space left on device: '<stdout>'"):
            write(graph, "-", format=name)
