import numpy as np
import pytest

from warpath.algorithms.common.sources import distinct


@pytest.mark.parametrize(("k", "n"), [(1, 10**6), (300, 10**6), (50_000, 10**6), (40, 20)])
def test_each_source_once(k: int, n: int) -> None:
    sources = np.random.default_rng(k).integers(0, n, k).astype(np.int32)
    found = distinct(np.concatenate([sources, sources[::-1]]), n)
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, sorted(set(sources.tolist())))
