"""What all tests share."""

from pathlib import Path

import pytest
from hypothesis import settings

from real_graphs import DATA
from warpath.parallel import contention, thread_count

# Kernels compile on their first call: no limit of time for one example.
settings.register_profile("warpath", deadline=None, print_blob=True)
settings.load_profile("warpath")


@pytest.fixture(autouse=True, scope="session")
def all_cores():
    """Teams have the members that a test asks for, whatever else runs on the machine."""
    learn = contention.learn
    contention.learn = lambda *args: None
    yield
    contention.learn = learn


@pytest.fixture
def data() -> Path:
    """The folder of real graphs (its README says what they are)."""
    if not DATA.is_dir():
        pytest.skip(f"no real graphs at {DATA}: set WARPATH_TEST_DATA")
    return DATA


@pytest.fixture(params=[1, 2], ids=["1 thread", "2 threads"])
def threads(request):
    """Run the test with one thread and with two."""
    before = thread_count._num_threads
    thread_count.set_num_threads(request.param)
    yield request.param
    thread_count.set_num_threads(before)


@pytest.fixture
def small_teams(monkeypatch):
    """Let teams of threads work on graphs that are too small for them."""
    monkeypatch.setattr("warpath.planning.threads._EDGES_PER_THREAD", 1)
