import itertools
import threading

import pytest

from warpath.parallel.interruption import new_sync
from warpath.parallel.sync import RETURNED, SPINS, leave, share


@pytest.mark.parametrize("total", [0, 1, 2, 7, 1000, 2**40])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_shares_cover_all_without_overlap(total, size):
    shares = [share(total, t, size) for t in range(size)]
    assert shares[0][0] == 0
    assert shares[-1][1] == total
    assert all(a[1] == b[0] for a, b in itertools.pairwise(shares))
    lengths = [end - begin for begin, end in shares]
    assert max(lengths) - min(lengths) <= 1


@pytest.mark.parametrize("returned", [0, 1])
def test_a_caller_spins_for_workers_no_longer_than_at_a_barrier(returned):
    sync = new_sync()
    for worker in range(1, returned + 1):
        leave(worker, 3, sync)
    assert sync[RETURNED] == returned
    sync[SPINS] = 1000
    leave(0, 3, sync)  # one worker at least has not returned: the caller is to sleep then


def test_a_caller_sees_that_all_workers_have_returned():
    sync = new_sync()
    sync[SPINS] = 2**62
    workers = [threading.Thread(target=leave, args=(k, 3, sync)) for k in (1, 2)]
    for worker in workers:
        worker.start()
    leave(0, 3, sync)
    for worker in workers:
        worker.join()
    assert sync[RETURNED] == 2
