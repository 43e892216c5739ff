"""Every example of docs/from_networkx.md runs."""

import doctest
from pathlib import Path

import warpath.networkx
from warpath.networkx import convert

PAGE = Path(__file__).resolve().parents[2] / "docs" / "from_networkx.md"


def test_examples_of_the_page():
    outcome = doctest.testfile(str(PAGE), module_relative=False)
    assert outcome.attempted >= 15
    assert outcome.failed == 0


def test_examples_of_the_modules():
    for module in (warpath.networkx, convert):
        outcome = doctest.testmod(module)
        assert outcome.attempted >= 3
        assert outcome.failed == 0
