"""Bad input: exit code 2, one line that says what is wrong, never a traceback."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exhaustive import slow
from warpath import VerificationError

# What the command line is given ({g}: the good graph, {d}: the folder), and what it says.
BAD = {
    "no such command": ("frobnicate", "No such command"),
    "no such option": ("bfs {g} --frobnicate", "No such option"),
    "no graph": ("bfs", "Missing argument 'GRAPH'"),
    "no such file": ("bfs {d}/none.gr", "none.gr: No such file or directory"),
    "a folder of anything": ("info {d}", "cube.npy: not recognised as any format"),
    "two columns of names": ("info {d}/names.txt", "--columns 0,1 says that it is an edge"),
    "a weight column beyond": (
        "info {d}/named.csv --weight-column 7", "--weight-column 7, but a row has 3 fields"),
    "a name after integers": ("info {d}/mixed.csv", "not 'x'; --compact takes ids as names"),
    "weights that a format does not hold": (
        "convert {d}/named.csv {d}/o.el", "--drop-weights drops them"),
    "self-loops that a format does not hold": (
        "convert {d}/loop.csv {d}/o.metis --undirected", "--drop-self-loops drops them"),
    "an empty file": ("info {d}/empty.gr", "empty.gr"),
    "a header that lies": ("sssp {d}/lies.gr", "lies.gr"),
    "a word for a number": ("sssp {d}/word.gr", "word.gr, line 2"),
    "no format by suffix or content": ("info {d}/noise.bin", "noise.bin"),
    "a damaged archive": ("info {d}/damaged.gr.gz", "damaged"),
    "no format at all": ("info {d}/noise.bin", "name it by --format, one of"),
    "no format to write": ("convert {g} {d}/o.xyz", "name it by --to-format, one of"),
    "ids that are too large": ("bfs {d}/large.el --max-bytes 9", "--max-bytes"),
    "a knob of another direction": (
        "bfs {g} --schedule direction=top-down,alpha=3", "alpha is a knob"),
    "an option of a GPU": (
        "bfs {g} --device cpu --schedule loop=host", "loop='host' is for --device cuda"),
    "an unknown format": ("info {g} --format nonsense", "unknown format 'nonsense'"),
    "not symmetric": ("bfs {g} --undirected", "--undirected"),
    "a source beyond": ("bfs {g} --source 6", "vertex 6 is out of range"),
    "a negative source": ("sssp {g} --source -1", "vertex -1 is out of range"),
    "a source that is no number": ("bfs {g} --source x", "'x' is not a vertex number"),
    "a target beyond": ("sssp {g} --target 99", "vertex 99 is out of range"),
    "no target": ("path {g} --source 0", "Missing option '-t' / '--target'"),
    "an unknown method": ("sssp {g} --method magic", "magic"),
    "an unknown direction": ("bfs {g} --schedule direction=sideways", "sideways"),
    "a negative delta": ("sssp {g} --schedule delta=-1", "delta must be positive"),
    "a delta that is no number": ("sssp {g} --schedule delta=wide", "'wide'"),
    "a profile that is not there": (
        "sssp {g} --schedule {d}/no.json", "{d}/no.json: No such file or directory"),
    "a profile that is none": ("sssp {g} --schedule {d}/noise.json", "not a profile"),
    "a negative depth limit": ("bfs {g} --depth-limit -1", "--depth-limit must be"),
    "a negative cutoff": ("sssp {g} --cutoff -1", "cutoff"),
    "no threads": ("bfs {g} --threads 0", "--threads"),
    "an output of unknown suffix": ("bfs {g} --output r.txt", "must end in .npy, .npz"),
    "an output that cannot be written": ("bfs {g} -o {d}/no/r.npy", "No such file or directory"),
    "a plot of unknown suffix": ("info {g} --plot {d}/p.xyz", "xyz"),
    "a method for hops": ("path {g} -s 0 -t 1 --hops --method dijkstra", "--hops"),
    "a negative cycle": ("sssp {d}/cycle.wel -s 0", "negative cycle"),
    "a negative weight for dijkstra": ("sssp {d}/cycle.wel -s 0 --method dijkstra", "negative"),
    "a scale that is too large": ("generate rmat --scale 99 -o {d}/o.npz", "scale"),
    "probabilities beyond 1": ("generate rmat --scale 4 -a 0.9 -b 0.9 -o {d}/o.npz", "a + b + c"),
    "more edges than pairs": ("generate erdos-renyi -n 3 -m 99 -o {d}/o.npz", "99"),
    "a share beyond 1": ("generate grid --rows 3 --keep 2 -o {d}/o.npz", "keep"),
    "weights upside down": ("generate grid --rows 3 --weights 9 1 -o {d}/o.npz", "low ≤ high"),
    "negative without directed": ("generate grid --rows 3 --negative -o {d}/o.npz", "--directed"),
    "an unknown name": ("generate named nobody -o {d}/o.npz", "nobody"),
    "a graph file of unknown suffix": ("generate grid --rows 3 -o {d}/o.xyz", "o.xyz"),
    "a conversion to an unknown format": ("convert {g} {d}/o.xyz", "o.xyz"),
    "an unknown merge": ("convert {g} {d}/o.gr --merge max", "--merge"),
    "no result": ("verify {g} --distance {d}/none.npz", "none.npz: No such file"),
    "a result of unknown suffix": ("verify {g} --distance {d}/r.txt", "must end in"),
    "a result that is noise": ("verify {g} --distance {d}/noise.npz", "noise.npz"),
    "distances that are noise": ("verify {g} --distance {d}/noise.npy --algorithm bfs", "noise"),
    "a table that is noise": ("verify {g} --distance {d}/noise.parquet", "noise.parquet"),
    "a table with few rows": (
        "verify {g} --distance {d}/short.csv -s 0 --algorithm bfs", "2 rows, not 6"),
    "a table without distances": (
        "verify {g} --distance {d}/other.csv -s 0 --algorithm bfs", "distance"),
    "an archive without distances": ("verify {g} --distance {d}/other.npz", "distance"),
    "a result of unknown algorithm": ("verify {g} --distance {d}/r.npy -s 0", "give --algorithm"),
    "a result in no dimension": ("verify {g} --distance {d}/one.npy --algorithm bfs -s 0",
        "one.npy: one value, not an array"),
    "a limit that is text": ("verify {g} --distance {d}/limit.npz", "limit.npz: the limit is one"),
    "predecessors of another shape": (
        "verify {g} --distance {d}/r.npy --algorithm bfs -s 0 --predecessor {d}/cube.npy",
        "predecessors of shape (6, 1, 1), but distances of shape (6,)"),
    "a result in three dimensions": ("verify {g} --distance {d}/cube.npy --algorithm bfs -s 0",
        "cube.npy: distances in one or two dimensions, not in shape (6, 1, 1)"),
    "sources in no dimension": ("distances {g} --sources {d}/one.npy", "one.npy: one value"),
    "a table of several lines of error": (
        "verify {g} --distance {d}/ragged.csv -s 0 --algorithm bfs", "ragged.csv: not a table"),
    "a result without source": ("verify {g} --distance {d}/r.npy --algorithm bfs", "--source"),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, gr: Path, cycle: Path) -> Path:
    (tmp_path / "empty.gr").write_text("")
    (tmp_path / "names.txt").write_text("ann bob\n")
    (tmp_path / "named.csv").write_text("from,to,km\na,b,5\n")
    (tmp_path / "mixed.csv").write_text("1,2\n2,x\n")
    (tmp_path / "loop.csv").write_text("0,0\n")
    (tmp_path / "large.el").write_text("0 1\n" * 9)
    (tmp_path / "lies.gr").write_text("p sp 3 2\na 1 2 4\n")
    (tmp_path / "word.gr").write_text("p sp 3 2\na 1 two 4\na 1 2 3\n")
    (tmp_path / "damaged.gr.gz").write_bytes(b"\x1f\x8b" + bytes(range(100)))
    for name in ("noise.bin", "noise.npz", "noise.npy", "noise.parquet", "noise.json"):
        (tmp_path / name).write_bytes(bytes(range(255, 0, -1)))
    (tmp_path / "short.csv").write_text("vertex,distance\n0,0\n1,1\n")
    (tmp_path / "other.csv").write_text("vertex,far\n" + "0,0\n" * 6)
    (tmp_path / "ragged.csv").write_text("vertex,distance\n0,0,1,2\n")
    np.save(tmp_path / "one.npy", np.array(5))
    np.save(tmp_path / "cube.npy", np.zeros((6, 1, 1), np.int32))
    np.savez(
        tmp_path / "limit.npz", distance=np.zeros(6), algorithm="bfs", sources=[0], limit=["x"]
    )
    np.savez(tmp_path / "other.npz", far=np.zeros(6))
    np.save(tmp_path / "r.npy", np.zeros(6, np.int32))
    return tmp_path


@pytest.mark.parametrize("about", BAD)
def test_bad_input(run: Any, folder: Path, gr: Path, about: str) -> None:
    line, message = BAD[about]
    result = run(*line.format(g=gr, d=folder).split(), code=2)
    # Click boxes and wraps nothing here, but may break lines.
    assert message.format(d=folder) in " ".join(result.stderr.split())
    assert "Traceback" not in result.output
    assert result.stdout == ""
    said = result.stderr.splitlines()
    assert len(said) == 1 or said[0].startswith("Usage: ")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read every file")
def test_an_unreadable_file(run: Any, gr: Path) -> None:
    gr.chmod(0)
    assert "Permission denied" in run("info", gr, code=2).stderr


def test_with_json_the_error_is_an_object_too(run_json: Any, cycle: Path) -> None:
    error = run_json("sssp", cycle, "-s", 0, code=2)["error"]
    assert error["type"] == "NegativeCycleError"
    assert sorted(error["cycle"]) == [1, 2, 3]
    assert "negative cycle" in error["message"]


@pytest.mark.parametrize(
    ("line", "kind", "message"),
    [
        (
            "bfs {g} -s abc",
            "BadParameter",
            "Invalid value: 'abc' is not a vertex number, an integer",
        ),
        ("bfs {g} --qqq", "NoSuchOption", "No such option '--qqq'."),
        ("bfs", "MissingParameter", "Missing argument 'GRAPH'."),
        ("generate rmat", "MissingParameter", "Missing option '--scale'."),
        ("frobnicate", "NoSuchCommand", "No such command 'frobnicate'."),
        ("--frobnicate", "NoSuchOption", "No such option '--frobnicate'."),
    ],
)
def test_with_json_errors_of_usage_are_objects_too(
    run_json: Any, gr: Path, line: str, kind: str, message: str
) -> None:
    error = run_json(*line.format(g=gr).split(), code=2)["error"]
    assert error == {"type": kind, "message": message}


def test_a_wrong_answer_of_ours_is_code_1(
    run: Any, run_json: Any, gr: Path, monkeypatch: Any
) -> None:
    from warpath import Paths

    def broken(_: Paths) -> None:
        raise VerificationError("triangle", "distance[1] is 9")

    monkeypatch.setattr(Paths, "verify", broken)
    for command in ("bfs", "sssp"):
        assert "triangle: distance[1] is 9" in run(command, gr, "--verify", code=1).stderr
        assert run_json(command, gr, "--verify", code=1)["error"]["broken"] == "triangle"


def test_out_of_memory(run: Any, gr: Path, monkeypatch: Any) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("warpath.bfs", broken, raising=False)
    assert "not enough memory" in run("bfs", gr, code=2).stderr


def test_an_interrupt_is_no_wrong_answer(run: Any, gr: Path, monkeypatch: Any) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("warpath.bfs", broken, raising=False)
    run("bfs", gr, code=130)


FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")


@FULL
@pytest.mark.parametrize(
    "line",
    [
        "info {g} --json",
        *slow(["info {g}", "convert {g} - --to-format wel", "info none.gr --json"]),
    ],
)
def test_a_full_standard_output_is_one_line_on_stderr(gr: Path, line: str) -> None:
    command = [sys.executable, "-m", "warpath", *line.format(g=gr).split()]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, text=True)
    assert done.returncode == 2
    expected = (
        "none.gr: No such file or directory"
        if "none" in line
        else "<stdout>: No space left on device"
    )
    assert done.stderr == f"Error: {expected}\n"


@FULL
@pytest.mark.parametrize(
    ("line", "suffix"),
    [
        *(("sssp {g} -s 0 -o {f}", suffix) for suffix in ("npy", "npz", "csv", "parquet")),
        *(("distances {g} -s 0 -o {f}", suffix) for suffix in ("csv", "parquet")),
        ("convert {g} {f}", "wel.gz"),
        ("generate named karate -o {f}", "npz"),
        ("info {g} --plot {f}", "png"),
        ("profile bfs {g} -s 0 --plot {f}", "svg"),
        ("advise {g} --seconds 60 --device cpu -o {f}", "json"),
    ],
)  # fmt: skip
def test_a_full_disk_is_an_error_that_names_the_file(
    run: Any, gr: Path, tmp_path: Path, line: str, suffix: str
) -> None:
    file = tmp_path / f"full.{suffix}"
    file.symlink_to("/dev/full")
    error = run(*line.format(g=gr, f=file).split(), code=2).stderr
    assert f"Error: {file}: No space left on device" in " ".join(error.split())


@pytest.mark.parametrize("line", ["convert {f} {f}", "sssp {f} -s 0 --output {f}"])
def test_the_output_may_be_the_file_that_was_read(run: Any, tmp_path: Path, line: str) -> None:
    from warpath import generate, read, write

    file = tmp_path / "g.npz"
    write(generate.grid(40, weights=(1, 9)), file)
    before = file.read_bytes()
    run(*line.format(f=file).split())
    if "convert" in line:
        assert file.read_bytes() == before
        assert read(file).num_vertices == 1600
    else:
        assert np.load(file)["distance"].shape == (1600,)
    assert list(tmp_path.iterdir()) == [file]
