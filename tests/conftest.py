"""What all tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from warpath.parallel import team

# Kernels compile on their first call: no limit of time for one example.
settings.register_profile("warpath", deadline=None, print_blob=True)
settings.load_profile("warpath")


@pytest.fixture
def data() -> Path:
    """The folder of real graphs (its README says what they are)."""
    beside = Path(__file__).resolve().parents[1].parent / "shared" / "data"
    folder = Path(os.environ.get("WARPATH_TEST_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"no real graphs at {folder}: set WARPATH_TEST_DATA")
    return folder


@pytest.fixture(params=[1, 2], ids=["1 thread", "2 threads"])
def threads(request):
    """Run the test with one thread and with two."""
    before = team._num_threads
    team.set_num_threads(request.param)
    yield request.param
    team.set_num_threads(before)
