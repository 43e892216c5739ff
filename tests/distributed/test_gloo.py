"""Ranks that torchrun started."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch.distributed")

PROGRAM = Path(__file__).with_name("program.py")


def started(ranks, task, seconds):
    return subprocess.run(
        [sys.executable, "-m", "torch.distributed.run", f"--nproc-per-node={ranks}", PROGRAM, task],
        capture_output=True, text=True, timeout=seconds,
    )  # fmt: skip


def test_answers_are_those_of_one_process():
    run = started(2, "generated", seconds=300)
    assert run.returncode == 0, run.stderr


def test_a_killed_rank_ends_the_others():
    run = started(3, "killed", seconds=120)
    assert run.returncode != 0
    assert "RankFailedError" in run.stderr or "SIGTERM" in run.stderr  # torchrun ends them, too
