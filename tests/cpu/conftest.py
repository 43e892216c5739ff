"""Teams of three sizes."""

import pytest

from exhaustive import slow
from warpath.parallel import thread_count


@pytest.fixture(params=[1, 3, *slow([2])])
def size(request, monkeypatch):
    """How many threads a search may use."""
    monkeypatch.setattr(thread_count, "_num_threads", request.param)
    return request.param
