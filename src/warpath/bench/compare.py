"""Did anything get slower? Two files of trials, compared, with the noise that they have."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from warpath.bench.trial import Trial

THRESHOLD = 1.05  # times as long; closer ones are noise on a machine that does other things too
_RESAMPLES = 2000
_CONFIDENCE = 0.95
_SEED = 1

Key = tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """One configuration on one graph, before and after.

    Attributes
    ----------
    key : tuple of str
        Suite, graph, scale, configuration, algorithm, device.
    before, after : float or None
        Median seconds.
    ratio : float or None
        After over before: of the same sources where both have them.
    low, high : float or None
        Between which the ratio is, with 95 % confidence: by drawing trials again (bootstrap).
    verdict : {"slower", "faster", "same", "unsure", "broken", "mended", "gone", "new"}
        "unsure": the ratio is beyond the threshold, its interval is not. "broken": there was an
        answer, now it is wrong or there is none.
    """

    key: Key
    before: float | None
    after: float | None
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    verdict: str = "same"

    @property
    def is_regression(self) -> bool:
        """Whether it is to be looked at."""
        return self.verdict in ("slower", "broken")


def compare(
    before: Iterable[Trial], after: Iterable[Trial], threshold: float = THRESHOLD
) -> list[Change]:
    """All changes, in the order of the first file.

    Parameters
    ----------
    threshold : float
        How many times as long counts; more than 1.

    Raises
    ------
    ValueError
        Another threshold, or nothing in common.
    """
    if not threshold > 1:
        raise ValueError(f"threshold must be more than 1, not {threshold!r}")
    old, new = _grouped(before), _grouped(after)
    if not old.keys() & new.keys():
        raise ValueError("the two files have no configuration on a graph in common")
    return [_change(key, old.get(key, []), new.get(key, []), threshold) for key in old | new]


def _grouped(trials: Iterable[Trial]) -> dict[Key, list[Trial]]:
    grouped: dict[Key, list[Trial]] = {}
    for trial in trials:
        if trial.status == "left-out":
            continue
        graph, way = trial.graph, trial.configuration
        key = (
            trial.suite, str(graph["name"]), f"{graph['scale']:g}", way["label"],
            way["algorithm"], way["device"],
        )  # fmt: skip
        grouped.setdefault(key, []).append(trial)
    return grouped


def _change(key: Key, old: list[Trial], new: list[Trial], threshold: float) -> Change:
    if not new or not old:
        return Change(
            key, _median(_good(old)), _median(_good(new)), verdict="new" if new else "gone"
        )
    before, after = _good(old), _good(new)
    if not before or not after or any(trial.status == "wrong" for trial in new):
        broken = bool(before) or any(trial.status == "wrong" for trial in new)
        verdict = "mended" if after and not before else "broken" if broken else "same"
        return Change(key, _median(before), _median(after), verdict=verdict)
    ratio, low, high = _ratio(before, after)
    verdict = "same"
    if ratio > threshold:
        verdict = "slower" if low > 1 else "unsure"
    elif ratio < 1 / threshold:
        verdict = "faster" if high < 1 else "unsure"
    return Change(key, _median(before), _median(after), ratio, low, high, verdict)


def _good(trials: list[Trial]) -> list[Trial]:
    return [trial for trial in trials if trial.status == "ok" and trial.seconds]


def _median(trials: list[Trial]) -> float | None:
    return float(np.median([trial.seconds for trial in trials])) if trials else None


def _ratio(before: list[Trial], after: list[Trial]) -> tuple[float, float, float]:
    """After over before, and its interval; by pairs of the same source where there are some."""
    rng = np.random.default_rng(_SEED)
    old = {trial.source: trial.seconds for trial in before if trial.source is not None}
    new = {trial.source: trial.seconds for trial in after if trial.source is not None}
    both = [source for source in old if source in new]
    if both:
        pairs = np.array([new[source] / old[source] for source in both])  # type: ignore[operator]
        drawn = np.median(rng.choice(pairs, (_RESAMPLES, len(pairs))), axis=1)
        ratio = float(np.median(pairs))
    else:
        first = np.array([trial.seconds for trial in before], float)
        second = np.array([trial.seconds for trial in after], float)
        drawn = np.median(rng.choice(second, (_RESAMPLES, len(second))), axis=1) / np.median(
            rng.choice(first, (_RESAMPLES, len(first))), axis=1
        )
        ratio = float(np.median(second) / np.median(first))
    tail = (1 - _CONFIDENCE) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return ratio, float(low), float(high)
