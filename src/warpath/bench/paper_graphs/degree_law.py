"""Degrees under a power law, of the mean, the deviation and the maximum that a table prints."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_EXPONENTS = (0.05, 20.0)  # flatter laws have no tail, steeper ones are exponentials
_KNEES = (1e-290, 1e20)  # from one hub alone to equal degrees, also where the exponent is small
_STEPS = 60  # halvings of an interval: beyond the digits of a double
_EXACT, _BINS = 1000, 2000  # ranks taken one by one; bins of the others: 0.1 % of a sum


@dataclass(frozen=True)
class Law:
    """Degrees by rank: largest · (1 + rank / knee)^−exponent.

    The Zipf–Mandelbrot law. `fit` finds knee and exponent.

    Attributes
    ----------
    n : int
        Vertices that it was fitted to.
    mean : float
        Their mean degree.
    largest, knee, exponent : float
    """

    n: int
    mean: float
    largest: float
    knee: float
    exponent: float

    def at(self, rank: Floats) -> Floats:
        """The degree (a real number) of the vertex of that rank, from 0."""
        tail: Floats = (1 + rank / self.knee) ** -self.exponent
        return self.largest * tail

    def degrees(self, n: int) -> NDArray[np.int64]:
        """Degrees of n vertices, largest first: what a sample of n would have.

        A sample loses the largest hubs, and their arcs are distributed to all, so that the mean
        stays. Real numbers become integers so that sums agree up to every rank. None is n or
        more.
        """
        rank: Floats = (np.arange(n, dtype=np.float64) + 0.5) * (self.n / n) - 0.5
        wanted = self.at(rank)
        wanted += max(0.0, self.mean - wanted.mean())
        sums = np.floor(np.cumsum(wanted) + 0.5).astype(np.int64)
        return np.minimum(np.diff(sums, prepend=0), max(0, n - 1))


@cache
def fit(n: int, mean: float, deviation: float, largest: float) -> Law:
    """The law of n degrees with that mean, deviation and maximum.

    Raises
    ------
    ValueError
        If there is none: a mean and a maximum leave room for only so much deviation.
    """
    rank, count = _ranks(n)

    def of_mean(exponent: float) -> Law:
        """The law of that exponent with the wanted mean: a larger knee, a larger mean."""
        low, high = _KNEES
        law = Law(n, mean, largest, low, exponent)
        for _ in range(_STEPS):
            knee = low**0.5 * high**0.5
            law = Law(n, mean, largest, knee, exponent)
            low, high = (low, knee) if law.at(rank) @ count > mean * n else (knee, high)
        return law

    def spread(law: Law) -> float:
        variance = float(law.at(rank) ** 2 @ count) / n - mean**2
        return float(max(0.0, variance) ** 0.5)

    low, high = _EXPONENTS
    least_spread, most_spread = spread(of_mean(low)), spread(of_mean(high))
    if not least_spread <= deviation <= most_spread:
        raise ValueError(
            f"{n:,} degrees with mean {mean:g} and maximum {largest:g} deviate by "
            f"{least_spread:.3g} … {most_spread:.3g} under a power law, not by {deviation:g}"
        )
    for _ in range(_STEPS):
        exponent = (low * high) ** 0.5
        low, high = (low, exponent) if spread(of_mean(exponent)) > deviation else (exponent, high)
    return of_mean(exponent)


def _ranks(n: int) -> tuple[Floats, Floats]:
    """Ranks that stand for all n, and for how many each stands."""
    if n <= _EXACT + _BINS:
        return np.arange(n, dtype=np.float64), np.ones(n)
    edges = np.unique(np.geomspace(_EXACT, n, _BINS).astype(np.int64)).astype(np.float64)
    rank = np.concatenate([np.arange(_EXACT), (edges[:-1] + edges[1:] - 1) / 2])
    return rank, np.concatenate([np.ones(_EXACT), np.diff(edges)])
