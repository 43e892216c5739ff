"""NCCL as CuPy has it, of which a stand-in is enough here."""

import os
import sys
from types import SimpleNamespace

import pytest

from warpath.cuda.transport import nccl

MULTICAST = "NCCL_NVLS_ENABLE"


@pytest.mark.parametrize(
    ("available", "given", "expected"),
    [(True, None, "0"), (True, "1", "1"), (False, None, None)],
)
def test_multicast_is_off_unless_the_user_says_so(monkeypatch, available, given, expected):
    library = SimpleNamespace(available=available)
    monkeypatch.setitem(sys.modules, "cupy.cuda", SimpleNamespace(nccl=library))
    monkeypatch.setenv(MULTICAST, given or "")  # restored afterwards
    if given is None:
        monkeypatch.delenv(MULTICAST)
    nccl.cache_clear()
    try:
        assert nccl() is (library if available else None)
        assert os.environ.get(MULTICAST) == expected
    finally:
        nccl.cache_clear()
