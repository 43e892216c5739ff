"""Ranks that are processes: started by MPI's launcher, as users do."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from distributed_cases import GRAPHS

pytest.importorskip("mpi4py")

PROGRAM = Path(__file__).with_name("program.py")
MPIEXEC = shutil.which("mpiexec", path=sysconfig.get_path("scripts")) or shutil.which("mpiexec")
SECONDS = 60  # within which ranks end that have failed, compiling included

pytestmark = pytest.mark.skipif(MPIEXEC is None, reason="no mpiexec")


def started(ranks, *program, seconds=600):
    # One thread each: ranks share the cores.
    environment = os.environ | {"WARPATH_NUM_THREADS": "1"}
    return subprocess.run(
        [MPIEXEC, "-n", str(ranks), sys.executable, *program],
        capture_output=True, text=True, timeout=seconds, env=environment,
    )  # fmt: skip


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_answers_are_those_of_one_process(ranks):
    run = started(ranks, PROGRAM, "conformance")
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("passed") == len(GRAPHS)


def test_a_generated_graph_is_that_of_one_process():
    run = started(3, PROGRAM, "generated")
    assert run.returncode == 0, run.stderr


def test_a_killed_rank_ends_the_others():
    run = started(3, PROGRAM, "killed", seconds=SECONDS)
    assert run.returncode != 0


@pytest.mark.parametrize("how", ["raises", "leaves"])
def test_a_rank_that_ends_fails_the_others(how):
    run = started(3, PROGRAM, how, seconds=SECONDS)
    assert run.returncode != 0
    assert run.stderr.count("RankFailedError: rank 1 has ended, others call sssp") == 2
    assert ("KeyError: 'of rank 1 alone'" in run.stderr) == (how == "raises")


def test_ranks_that_disagree_all_say_so():
    run = started(3, PROGRAM, "disagrees", seconds=SECONDS)
    assert run.returncode != 0
    said = (
        "RanksDisagreeError: rank 0 calls sssp(graph=0, source=0), rank 1 sssp(graph=0, source=1)"
    )
    assert run.stderr.count(said) == 3


def test_graph500_is_printed_once():
    run = started(2, "-m", "warpath", "bench", "graph500", "--scale", "8", "--roots", "4")
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("bfs  harmonic_mean_TEPS:     !") == 1
    assert "num_mpi_processes:              2" in run.stdout
