"""Other ranks' processes, and what of a host each rank uses."""

import subprocess
import sys
import time

import pytest

from warpath.distributed.peers import Process, Watch, threads_of


@pytest.mark.skipif(sys.platform != "linux", reason="pidfd_open is Linux's")
def test_a_process_that_ends_is_seen():
    this = Process.this()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        elsewhere = this._replace(host="another", pid=other.pid)
        watch = Watch(0, [this, this._replace(pid=other.pid)])
        assert watch.ended() is None
        assert Watch(0, [this, elsewhere]).ended() is None
        other.kill()
        end = time.monotonic() + 10
        while watch.ended() is None and time.monotonic() < end:
            time.sleep(0.01)
        assert watch.ended() == 1
        assert Watch(0, [this, elsewhere]).ended() is None


@pytest.mark.parametrize(
    ("hosts", "cores", "threads"),
    [
        ("a", [range(8)], [8]),
        ("aa", [range(8)] * 2, [4, 4]),
        ("aaa", [range(8)] * 3, [2, 2, 2]),
        ("aab", [range(8)] * 3, [4, 4, 8]),
        ("aa", [range(6), range(6, 8)], [6, 2]),
        ("aaa", [range(2)] * 3, [1, 1, 1]),
    ],
)
def test_ranks_share_the_cores_of_their_host(hosts, cores, threads):
    processes = [
        Process(host, pid, tuple(c)) for pid, (host, c) in enumerate(zip(hosts, cores, strict=True))
    ]
    assert [threads_of(rank, processes) for rank in range(len(hosts))] == threads
