import pytest

from warpath.bench import axes


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (0.4, 12, 9, [0.5, 1, 2, 5, 10]),
        (0.9, 120, 9, [1, 2, 5, 10, 20, 50, 100]),
        (0.9, 120, 3, [1, 10, 100]),
        (0.9, 1.2e6, 9, [1, 10, 100, 1e3, 1e4, 1e5, 1e6]),
        (0.9, 1.2e6, 4, [1, 100, 1e4, 1e6]),
        (3e5, 9e5, 1, [5e5]),
    ],
)
def test_numbers_of_an_axis(low: float, high: float, most: int, expected: list[float]) -> None:
    assert axes.ticks(low, high, most) == pytest.approx(expected)
