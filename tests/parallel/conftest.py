"""Teams of a chosen size."""

import _thread
import time

import pytest

from teams import check_full_team, dismiss_workers
from warpath.parallel import thread_count, workers


@pytest.fixture(autouse=True)
def default_threads():
    before = thread_count._num_threads
    yield
    thread_count.set_num_threads(before)


@pytest.fixture(params=[1, 2, 5])
def size(request):
    thread_count.set_num_threads(request.param)
    return request.param


@pytest.fixture
def team_of_three():
    """Two workers, which are idle before and after; none is lost, none spins."""
    dismiss_workers()
    thread_count.set_num_threads(3)
    check_full_team()
    threads = _thread._count()
    yield
    check_full_team()
    assert _thread._count() == threads
    assert len(workers.hired) == len(workers.idle)
    began, cpu = time.monotonic(), time.process_time()
    time.sleep(0.2)
    assert time.process_time() - cpu < (time.monotonic() - began) / 2
