"""What `test_mpi.py` runs on several processes: the conformance set, or what its argument says."""

import os
import signal
import sys
import time

import numpy as np
import pytest

import warpath as wp

sys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))
import real_graphs
from distributed_cases import GRAPHS, REAL, SIGNED, check_any


def conformance():
    real = REAL if real_graphs.names() else {}
    for name, make in (GRAPHS | SIGNED | real).items():
        graph = make()
        check_any(graph, graph.num_vertices // 2)
        if wp.distributed.rank() == 0:
            print("passed", name, flush=True)


def generated():
    parts = wp.generate.rmat(11, weights=(1, 255), distributed=True)
    whole = wp.generate.rmat(11, weights=(1, 255))
    np.testing.assert_array_equal(wp.sssp(parts, 0).distance, wp.sssp(whole, 0).distance)


def share():
    """How many threads each rank uses, from the cores that all may run on."""
    wanted = max(1, len(os.sched_getaffinity(0)) // wp.distributed.size())
    assert wp.num_threads() == wanted, (wp.num_threads(), wanted)
    print("passed", flush=True)


def joins_again():
    """Ranks stay those that the graph was cut for."""
    from mpi4py import MPI

    graph = wp.distributed.distribute(wp.generate.rmat(8, seed=1))
    rank, size = wp.distributed.rank(), wp.distributed.size()
    for fewer in (MPI.COMM_WORLD.Split(rank % 2), MPI.COMM_SELF, None):
        with pytest.raises(
            RuntimeError, match=f"rank {rank} of {size}, for which its graphs are cut"
        ):
            wp.distributed.init(fewer)
    assert (wp.distributed.rank(), wp.distributed.size()) == (rank, size)
    wp.bfs(graph, 0).verify()
    print("passed", flush=True)


def fails(how):
    graph = wp.distributed.distribute(wp.generate.rmat(10, weights=(1, 9)))
    wp.bfs(graph, 0)
    if wp.distributed.rank() == 1:
        if how == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "raises":
            raise KeyError("of rank 1 alone")
        if how == "sleeps":
            time.sleep(60)
        if how == "leaves":
            return
        if how == "interrupted":
            signal.signal(signal.SIGALRM, lambda *_: sys.exit(3))
            signal.setitimer(signal.ITIMER_REAL, 1)
            wp.sssp(graph, 0)
        wp.sssp(graph, 1)
    if how == "interrupted" and wp.distributed.rank() == 0:
        time.sleep(5)
    wp.sssp(graph, 0)


if __name__ == "__main__":
    task = sys.argv[1]
    if task == "not there":
        from mpi4py import MPI

        if MPI.COMM_WORLD.Get_rank() == 1:
            raise KeyError("of rank 1 alone")
    wp.distributed.init(timeout=3 if task in ("sleeps", "not there") else 600)
    if task == "conformance":
        conformance()
    elif task == "generated":
        share()
        generated()
    elif task == "joins again":
        joins_again()
    elif task == "finalized":
        from mpi4py import MPI

        MPI.Finalize()
    else:
        fails(task)
