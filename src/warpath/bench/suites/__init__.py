"""The suites, by the name of their command; one module a paper."""

from warpath.bench.suites import (
    forms,
    gap,
    growth,
    hbf,
    hong,
    knobs,
    load_balanced,
    mishra,
    other_libraries,
    survey,
)
from warpath.bench.suites.listing import SUITES

__all__ = [
    "SUITES",
    "forms",
    "gap",
    "growth",
    "hbf",
    "hong",
    "knobs",
    "load_balanced",
    "mishra",
    "other_libraries",
    "survey",
]
