"""Ranks that are processes with a GPU each, of which each reaches the memory of the others."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from distributed_cases import GRAPHS
from warpath import devices

MPIEXEC = shutil.which("mpiexec")
PROGRAM = Path(__file__).with_name("gpu_ranks.py")

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(len(devices.devices()) < 2, reason="two GPUs are needed"),
    pytest.mark.skipif(MPIEXEC is None, reason="no mpiexec"),
]


def started(*command):
    pytest.importorskip("mpi4py")
    return subprocess.run(
        [MPIEXEC, "-n", "2", *command],
        capture_output=True, text=True, timeout=300,
        env=os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"},
    )  # fmt: skip


def test_answers_are_those_of_one_process():
    run = started(sys.executable, PROGRAM, "answers")
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("passed") == 2 * len(GRAPHS)


def test_parts_that_no_rank_has_whole():
    run = started(sys.executable, PROGRAM, "generated")
    assert run.stdout.count("passed") == 2, run.stderr


def test_a_rank_that_is_killed_ends_the_others():
    """Not its launcher: a shell around each rank hides for some seconds that one has ended."""
    rank = f"{shlex.join([sys.executable, str(PROGRAM), 'killed'])}; sleep 10; exit 1"
    run = started("sh", "-c", rank)
    assert run.stdout.count("begins") == 2, run.stderr
    assert "passed the process of rank 1 has ended" in run.stdout, run.stderr
    assert run.returncode != 0
    assert "Traceback" not in run.stderr
