"""The suites, by the name of their command; one module a paper."""

from warpath.bench.suites import hbf, hong, load_balanced, mishra, peers, survey
from warpath.bench.suites.registry import SUITES

__all__ = ["SUITES", "hbf", "hong", "load_balanced", "mishra", "peers", "survey"]
