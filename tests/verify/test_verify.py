import doctest

from warpath import verify


def test_the_example_of_the_docstring() -> None:
    outcome = doctest.testmod(verify)
    assert outcome.attempted > 0
    assert outcome.failed == 0
