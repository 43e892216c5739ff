import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest


def test_a_graph(run_json: Any, gr: Path) -> None:
    data = run_json("apsp", gr, "--verify")
    assert (data["vertices"], data["pairs"], data["farthest"]) == (6, 7, 8)
    assert data["verified"] is True
    assert data["exact"] is True
    assert data["stats"]["method"] == "floyd-warshall"


def test_a_table(run: Any, gr: Path) -> None:
    shown = run("apsp", gr, "--verify", "--method", "sssp").stdout
    assert "pairs" in shown
    assert "sssp (as asked" in shown
    assert "Verified." in shown


def test_files(run_json: Any, gr: Path, tmp_path: Path) -> None:
    out = tmp_path / "d.npy"
    data = run_json("apsp", gr, "--out", out, "--predecessors", "--dtype", "float64")
    assert data["output"] == str(out)
    distance = np.load(out)
    assert distance[0].tolist() == [0, 3, 1, 8, np.inf, np.inf]
    assert distance.dtype == np.float64
    assert np.load(tmp_path / "d.predecessor.npy")[0].tolist() == [-1, 2, 0, 1, -1, -1]


def test_other_algebras(run_json: Any, gr: Path) -> None:
    assert run_json("apsp", gr, "--algebra", "widest", "--verify")["least"] == 1
    assert run_json("apsp", gr, "--algebra", "minimax", "--verify")["farthest"] == 5


def test_how_it_is_computed(run_json: Any, run: Any, gr: Path) -> None:
    data = run_json("apsp", gr, "--method", "partitioned", "--lazy", "--verify")
    assert (data["stats"]["method"], data["farthest"]) == ("partitioned", 8)
    for text in ("2", "0,1"):
        asked = run("apsp", gr, "--device", "cpu", "--devices", text, code=2).stderr
        assert "are GPUs" in asked
    assert "nor numbers" in run("apsp", gr, "--devices", "both", code=2).stderr


def test_nothing_is_reached(run_json: Any, tmp_path: Path) -> None:
    file = tmp_path / "g.gr"
    file.write_text("p sp 3 0\n")
    data = run_json("apsp", file, "--verify")
    assert (data["pairs"], data["farthest"]) == (0, None)


def test_what_goes_wrong(run_json: Any, run: Any, gr: Path, cycle: Path, tmp_path: Path) -> None:
    assert run_json("apsp", cycle, code=2)["error"]["type"] == "NegativeCycleError"
    assert "must end in .npy" in run("apsp", gr, "--out", "d.npz", code=2).stderr
    assert "unknown method" in run("apsp", gr, "--method", "fw", code=2).stderr
    assert "no folder" in run("apsp", gr, "--out", tmp_path / "no" / "d.npy", code=2).stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_an_interrupt_leaves_no_file(tmp_path: Path) -> None:
    from warpath import generate, write

    graph = tmp_path / "g.npz"
    write(generate.grid(130, weights=(1, 99)), graph)
    out = tmp_path / "d.npy"
    command = [sys.executable, "-m", "warpath", "apsp", str(graph), "--out", str(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        unfinished = tmp_path / "d.npy.unfinished"
        end = time.monotonic() + 60
        while not unfinished.exists() and time.monotonic() < end:
            time.sleep(0.01)
        assert unfinished.exists()
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    assert [path.name for path in tmp_path.iterdir()] == ["g.npz"]
