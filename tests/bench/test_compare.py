import numpy as np
import pytest

from warpath.bench.compare import compare
from warpath.bench.trial import Trial


def trials(seconds: list[float], label: str = "bfs", **changes: object) -> list[Trial]:
    way = {"label": label, "algorithm": "bfs", "device": "cpu"}
    return [
        Trial("s", {"name": "G", "scale": 1.0}, way, source=i, seconds=one, **changes)  # type: ignore[arg-type]
        for i, one in enumerate(seconds)
    ]


def noisy(mean: float, seed: int, spread: float = 0.03) -> list[float]:
    rng = np.random.default_rng(seed)
    by_source = 1 + np.arange(20) / 10  # some sources take three times as long as others
    return (mean * by_source * rng.normal(1, spread, 20)).tolist()


def test_finds_a_planted_regression() -> None:
    before = trials(noisy(1, 1)) + trials(noisy(1, 2), "sssp")
    after = trials(noisy(1, 3)) + trials(noisy(1.12, 4), "sssp")
    same, slower = compare(before, after)
    assert (same.verdict, slower.verdict) == ("same", "slower")
    assert slower.is_regression
    assert slower.ratio == pytest.approx(1.12, abs=0.03)
    assert slower.low is not None
    assert slower.high is not None
    assert 1 < slower.low <= slower.ratio <= slower.high


def test_finds_what_got_faster() -> None:
    (change,) = compare(trials(noisy(1, 1)), trials(noisy(0.8, 2)))
    assert change.verdict == "faster"
    assert not change.is_regression


def test_noise_is_no_regression() -> None:
    """Five times by chance half a longer median, of values that differ by a factor of three."""
    before, after = [1.0, 3.0, 1.2, 2.8, 1.1], [1.3, 2.0, 3.1, 1.0, 2.9]
    (change,) = compare(trials(before), trials(after))
    assert change.verdict in ("unsure", "same")
    for seed in range(20):
        (change,) = compare(trials(noisy(1, seed)), trials(noisy(1, seed + 50)))
        assert change.verdict == "same"


def test_of_other_sources_medians_count() -> None:
    before = trials([1.0] * 9)
    after = [Trial("s", t.graph, t.configuration, source=None, seconds=2.0) for t in before]
    (change,) = compare(before, after)
    assert change.ratio == 2
    assert change.verdict == "slower"


def test_a_wrong_answer_is_a_regression() -> None:
    (change,) = compare(trials([1.0, 1.0]), trials([1.0, 1.0], status="wrong"))
    assert change.verdict == "broken"
    assert change.is_regression
    (change,) = compare(trials([1.0], status="failed"), trials([1.0]))
    assert change.verdict == "mended"


def test_what_is_gone_or_new_is_said() -> None:
    before = trials([1.0]) + trials([1.0], "old")
    after = trials([1.0]) + trials([1.0], "new")
    assert {one.key[3]: one.verdict for one in compare(before, after)} == {
        "bfs": "same", "old": "gone", "new": "new",
    }  # fmt: skip


def test_what_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="no configuration on a graph in common"):
        compare(trials([1.0]), trials([1.0], "other"))
    with pytest.raises(ValueError, match="threshold must be more than 1"):
        compare(trials([1.0]), trials([1.0]), 1.0)
