"""SciPy's gate: the same matrices and arrays out of everything that goes in."""

import itertools

import numpy as np
import pytest
from scipy.sparse import coo_array, csc_array, csr_array, csr_matrix, issparse, lil_array
from scipy.sparse.csgraph import _validation

from warpath import csgraph

DENSE = np.array([[0, 2.0, np.inf], [np.nan, 0, 3], [1, -1, 0]])
MATRICES = {
    "dense": DENSE,
    "int": np.array([[0, 2], [3, 0]]),
    "list": [[0, 2], [3, 0]],
    "masked": np.ma.masked_invalid(DENSE),
    "csr": csr_array(DENSE),
    "csr_matrix": csr_matrix(np.eye(3, dtype=int)),
    "csc": csc_array(np.triu(DENSE)),
    "lil": lil_array(np.eye(3)),
}


@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize("directed", [True, False])
def test_as_scipys(name, directed):
    for csr, dense, null in itertools.product((True, False), (True, False), (0, -1)):
        if not (csr or dense):
            continue
        how = {"csr_output": csr, "dense_output": dense, "null_value_out": null}
        given = MATRICES[name]
        theirs = np.array(given) if isinstance(given, list) else given  # it wants to copy lists
        expected = _validation.validate_graph(theirs, directed, **how)
        found = csgraph.validate_graph(given, directed, **how)
        assert type(found) is type(expected)
        assert found.dtype == expected.dtype
        if issparse(found):
            found, expected = found.toarray(), expected.toarray()
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("copy", [True, False])
def test_copies(copy):
    given = np.array([[0, 2.0], [3, 0]])
    found = csgraph.validate_graph(given, True, copy_if_dense=copy)
    theirs = _validation.validate_graph(given.copy(), True, copy_if_dense=copy)
    np.testing.assert_array_equal(found, theirs)
    assert np.shares_memory(found, given) != copy
    masked = np.ma.masked_array(np.ones((2, 2)), [[1, 0], [0, 1]])
    found = csgraph.validate_graph(masked, True, copy_if_dense=copy)
    assert np.shares_memory(found, masked.data) != copy
    sparse = csr_array(np.eye(2))
    found = csgraph.validate_graph(sparse, True, copy_if_sparse=copy)
    assert np.shares_memory(found.data, sparse.data) != copy


def test_refusals():
    with pytest.raises(ValueError, match="dense or csr output"):
        csgraph.validate_graph(DENSE, True, csr_output=False, dense_output=False)
    with pytest.raises(ValueError, match=r"N, N"):
        csgraph.validate_graph(csr_array((2, 3)), True)
    with pytest.raises(ValueError, match=r"N, N"):
        csgraph.validate_graph(np.ma.zeros((2, 3)), True)
    with pytest.raises(ValueError, match="2-D"):
        csgraph.validate_graph(np.ma.zeros(3), True)
    with pytest.raises(ValueError, match="format"):
        csgraph.validate_graph(coo_array((2, 2)), True, csr_output=False)
