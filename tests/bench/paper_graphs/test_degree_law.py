import numpy as np
import pytest

from published_figures import most_deviation
from warpath.bench.paper_graphs.degree_law import fit

TABLES = {
    "wiki-talk": (2_400_000, 2.1, 99.9, 100_022),
    "flickr": (820_000, 12.0, 87.7, 10_272),
    "as-Skitter": (1_700_000, 13.1, 136.9, 35_455),
    "circuit5M_dc": (3_500_000, 5.4, 2.1, 27),
    "few": (2_000, 5.0, 3.0, 20),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_degrees_are_the_tables(name):
    n, mean, deviation, largest = TABLES[name]
    degree = fit(n, mean, deviation, largest).degrees(n)
    assert len(degree) == n
    assert degree.max() == largest
    assert degree.min() >= 0
    assert degree.mean() == pytest.approx(mean, rel=0.002)
    assert degree.std() == pytest.approx(deviation, rel=0.03)


@pytest.mark.parametrize("name", TABLES)
def test_a_sample_has_the_mean_and_loses_the_largest(name):
    n, mean, deviation, largest = TABLES[name]
    degree = fit(n, mean, deviation, largest).degrees(n // 50)
    assert degree.mean() == pytest.approx(mean, rel=0.03)
    assert degree.max() <= min(largest, n // 50 - 1)
    assert degree.std() <= 1.05 * deviation


def test_what_no_law_has():
    with pytest.raises(ValueError, match=r"1,048,576 degrees with mean 8 .* not by 177.4"):
        fit(2**20, 8.0, 177.4, 1_181)


@pytest.mark.parametrize(("mean", "largest"), [(1.0, 4), (2.5, 10), (7, 8)])
def test_no_numbers_deviate_more_than_the_bound(mean, largest):
    n = 1000
    rng = np.random.default_rng(1)
    extreme = np.zeros(n)
    extreme[: round(n * mean / largest)] = largest
    assert extreme.std() == pytest.approx(most_deviation(extreme.mean(), largest))
    for _ in range(100):
        some = rng.integers(0, largest + 1, n)
        assert some.std() <= most_deviation(some.mean(), largest)
