"""The benchmarks are scripts: their folder is where they find one another."""

from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch):
    """A benchmark as a module."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    return import_module
