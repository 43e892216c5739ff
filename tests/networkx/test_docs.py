"""Every example of the modules' docstrings runs."""

import doctest

import pytest

import warpath.networkx
from warpath.networkx import convert


@pytest.mark.parametrize("module", [warpath.networkx, convert])
def test_examples(module):
    outcome = doctest.testmod(module)
    assert outcome.attempted >= 3
    assert outcome.failed == 0
