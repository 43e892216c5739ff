"""Which GPU a rank takes; `tests/emulator/test_gpu_ranks.py` has what ranks do with them."""

from types import SimpleNamespace

import pytest

from warpath.distributed.gpu.ranks import _local_rank
from warpath.distributed.peers import Process


@pytest.mark.parametrize(
    ("hosts", "said", "expected"),
    [
        ("aabb", "", [0, 1, 0, 1]),
        ("abab", "", [0, 0, 1, 1]),
        ("aab", "7", [7, 7, 7]),  # torchrun tells each its own
        ("", "7", [0, 1, 2]),  # threads have no variables of their own
    ],
)
def test_ranks_of_a_host_are_counted(monkeypatch, hosts, said, expected):
    monkeypatch.setenv("LOCAL_RANK", said)
    processes = [Process(host, pid, (0,)) for pid, host in enumerate(hosts)]
    found = [
        _local_rank(SimpleNamespace(rank=rank, processes=processes))
        for rank in range(len(expected))
    ]
    assert found == expected
