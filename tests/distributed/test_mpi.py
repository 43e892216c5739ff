"""Ranks that are processes: started by MPI's launcher, as users do."""

import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from distributed_cases import GRAPHS, REAL, SIGNED
from exhaustive import slow

pytest.importorskip("mpi4py")

PROGRAM = Path(__file__).with_name("program.py")
MPIEXEC = shutil.which("mpiexec", path=sysconfig.get_path("scripts")) or shutil.which("mpiexec")
SECONDS = 60  # within which ranks end that have failed, compiling included

pytestmark = pytest.mark.skipif(MPIEXEC is None, reason="no mpiexec")


def started(ranks, *program, seconds=600):
    return subprocess.run(
        [MPIEXEC, "-n", str(ranks), sys.executable, *map(str, program)],
        capture_output=True, text=True, timeout=seconds,
    )  # fmt: skip


def errors(ranks, task, folder):
    """What each rank that fails writes: none is ended by the launcher since another has failed.

    A shell around each rank, as the job scripts of clusters have, ignores the launcher's signal; a
    file for each, since the launcher mixes what they write at once.
    """
    rank = (
        f"trap '' USR1; {shlex.join([sys.executable, str(PROGRAM), task])}"
        f' 2> {shlex.quote(str(folder))}/"$PMI_RANK"; exit $(($? != 0))'
    )
    run = subprocess.run(
        [MPIEXEC, "-disable-auto-cleanup", "-n", str(ranks), "sh", "-c", rank],
        capture_output=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert run.returncode != 0
    return [(folder / str(q)).read_text() for q in range(ranks)]


@pytest.fixture(scope="module", params=[2, 3, 4])
def passed(request):
    """The graphs whose answers on several ranks are those of one process."""
    run = started(request.param, PROGRAM, "conformance")
    assert run.returncode == 0, run.stderr
    return [line.removeprefix("passed ") for line in run.stdout.splitlines()]


@pytest.mark.slow  # threads as ranks answer the same in test_searches.py
def test_answers_are_those_of_one_process(passed):
    assert passed[: len(GRAPHS | SIGNED)] == [*GRAPHS, *SIGNED]


@pytest.mark.slow
def test_real_graphs(passed, data):
    assert passed[-len(REAL) :] == [*REAL]


@pytest.mark.parametrize("ranks", [2, *slow([3])])
def test_ranks_share_the_cores_and_what_they_generate_is_the_graph_of_one_process(ranks):
    run = started(ranks, PROGRAM, "generated")
    assert run.stdout.count("passed") == ranks, run.stderr
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("ranks", [2, *slow([3])])
def test_ranks_are_joined_once(ranks):
    run = started(ranks, PROGRAM, "joins again", seconds=SECONDS)
    assert run.stdout.count("passed") == ranks, run.stderr
    assert run.returncode == 0, run.stderr


@pytest.mark.slow
def test_a_killed_rank_ends_the_others():
    run = started(3, PROGRAM, "killed", seconds=SECONDS)
    assert run.returncode != 0


def test_others_say_which_rank_was_killed(tmp_path):
    first, _, third = errors(3, "killed", tmp_path)
    said = "RankFailedError: the process of rank 1 has ended"
    assert said in first
    assert said in third


@pytest.mark.slow
def test_a_rank_that_does_not_answer_is_an_error():
    run = started(3, PROGRAM, "sleeps", seconds=SECONDS)
    assert run.returncode != 0
    assert "RankFailedError: a rank has not answered for 3 seconds" in run.stderr


@pytest.mark.slow  # test_transport.py has it with threads
@pytest.mark.parametrize("how", ["raises", "leaves"])
def test_a_rank_that_ends_fails_the_others(how, tmp_path):
    first, second, third = errors(3, how, tmp_path)
    said = "RankFailedError: rank 1 has ended, others call sssp"
    assert said in first
    assert said in third
    assert ("KeyError: 'of rank 1 alone'" in second) == (how == "raises")


@pytest.mark.slow
def test_a_rank_that_is_interrupted_in_a_call_ends_the_others():
    run = started(3, PROGRAM, "interrupted", seconds=SECONDS)
    assert run.returncode != 0


@pytest.mark.slow
def test_ranks_do_not_wait_in_init_for_one_that_fails(tmp_path):
    for error in errors(3, "not there", tmp_path)[::2]:
        assert "RankFailedError: a rank has not answered for 3 seconds" in error


@pytest.mark.slow
def test_a_program_may_finalize_mpi():
    run = started(2, PROGRAM, "finalized", seconds=SECONDS)
    assert run.returncode == 0, run.stderr


@pytest.mark.slow
def test_ranks_that_disagree_all_say_so(tmp_path):
    said = (
        "RanksDisagreeError: rank 0 calls sssp(graph=0, source=0), rank 1 sssp(graph=0, source=1)"
    )
    assert all(said in error for error in errors(3, "disagrees", tmp_path))


@pytest.mark.slow
def test_graph500_is_printed_once():
    run = started(2, "-m", "warpath", "bench", "graph500", "--scale", "8", "--roots", "4")
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("bfs  harmonic_mean_TEPS:     !") == 1
    assert "num_mpi_processes:              2" in run.stdout
