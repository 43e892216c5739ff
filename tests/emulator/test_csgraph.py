"""SciPy's functions with ``device="cuda"``, on the emulator: SciPy's own answers."""

import numpy as np
import pytest
from scipy.sparse import csgraph as scipys
from scipy.sparse import random_array

from emulated_device import emulated_device
from exhaustive import slow
from warpath import csgraph


def matrix(n, entries, seed):
    """With values that repeat."""
    rng = np.random.default_rng(seed)
    made = random_array((n, n), density=entries / n**2, rng=rng, format="csr")
    made.data = rng.integers(1, 9, len(made.data)).astype(np.float64)
    return made


@pytest.mark.parametrize("connection", ["weak", *slow(["strong"])])
def test_components(runtime, connection):
    given = matrix(80, 90, 3)
    count, labels = scipys.connected_components(given, connection=connection)
    with emulated_device(runtime):
        found, numbers = csgraph.connected_components(given, connection=connection, device="cuda")
    assert runtime.launches > 0
    assert found == count
    # SciPy numbers strong components in another order.
    assert (
        len(set(zip(labels.tolist(), numbers.tolist(), strict=True))) == count == numbers.max() + 1
    )


def test_minimum_spanning_tree(runtime):
    given = matrix(80, 300, 4)
    with emulated_device(runtime):
        found = csgraph.minimum_spanning_tree(given, device="cuda")
    assert runtime.launches > 0
    assert (found != scipys.minimum_spanning_tree(given)).nnz == 0
