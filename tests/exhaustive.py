"""How many of all combinations a run takes."""

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product
from typing import Any

import pytest

# All products of options, and all that there is for every architecture, take many minutes.
EXHAUSTIVE = os.environ.get("WARPATH_EXHAUSTIVE") == "1"


def pairwise(
    *axes: Sequence[Any],
    allowed: Callable[..., bool] = lambda *row: True,
    given: Iterable[tuple[Any, ...]] = (),
) -> list[tuple[Any, ...]]:
    """Rows of a product of options: each two values of different axes that are allowed meet in one.

    Parameters
    ----------
    *axes : sequence
        The values of each option. Of rows with the same number of new pairs the first is taken, so
        what finds most faults stands first on its axis.
    allowed : callable
        Whether there is such a row.
    given : iterable of tuple
        Rows that run anyway, whose pairs need no other.

    Returns
    -------
    list of tuple
        In the order of the product; all rows but the given ones if ``WARPATH_EXHAUSTIVE`` is 1.
    """
    given = set(given)
    rows = [row for row in product(*axes) if row not in given and allowed(*row)]
    if EXHAUSTIVE:
        return rows
    pairs = [set(combinations(enumerate(row), 2)) for row in rows]
    met = {pair for row in given for pair in combinations(enumerate(row), 2)}
    missing, taken = set().union(*pairs) - met, []
    while missing:
        new = [len(each & missing) for each in pairs]
        best = new.index(max(new))
        taken.append(best)
        missing -= pairs[best]
    return [rows[number] for number in sorted(taken)]


def sample(rows: Iterable[Any], every: int, first: int = 0) -> list[Any]:
    """Every ``every``-th row from ``first`` on; all rows if ``WARPATH_EXHAUSTIVE`` is 1."""
    return list(rows) if EXHAUSTIVE else list(rows)[first::every]


def few(rows: Iterable[Any], chosen: Iterable[Any]) -> list[Any]:
    """The rows as parameters of a test; those that are not chosen only ``pytest -m slow`` runs."""
    chosen = list(chosen)
    return [row if row in chosen else slow([row])[0] for row in rows]


def slow(rows: Iterable[Any]) -> list[Any]:
    """The same as parameters of a test that only ``pytest -m slow`` runs."""
    return [
        pytest.param(*(row if type(row) is tuple else (row,)), marks=pytest.mark.slow)
        for row in rows
    ]
