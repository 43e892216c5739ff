"""Sparse matrices whose arrays do not fit together are refused before anything reads them."""

import numpy as np
import pytest
from scipy.sparse import (
    bsr_array,
    coo_array,
    csc_array,
    csr_array,
    dia_array,
    dok_array,
    lil_array,
)

import warpath as wp
from warpath.graph.sparse import check_sparse

DENSE = np.array([[0, 2, 0, 1], [0, 0, 3, 0], [1, 0, 0, 0], [0, 0, 4, 0]], float)
FORMATS = (csr_array, csc_array, bsr_array, coo_array, lil_array, dok_array, dia_array)


def compressed(**arrays):
    """What makes a compressed matrix wrong: arrays that replace its own."""

    def spoil(matrix):
        for name, array in arrays.items():
            setattr(matrix, name, array(getattr(matrix, name)))

    return spoil


def put(place, value):
    """The array with another value at a place."""

    def changed(array):
        array = array.copy()
        array[place] = value
        return array

    return changed


COMPRESSED = {
    "offsets beyond": (compressed(indptr=put(1, 10**8)), "indptr descends at 1"),
    "offsets decrease": (compressed(indptr=put(2, 0)), "indptr descends at 1"),
    "an offset is negative": (compressed(indptr=put(1, -5)), "indptr descends at 0: 0 to -5"),
    "the first offset": (compressed(indptr=put(0, 1)), "run from 0 to 5.* not from 1"),
    "the last offset": (compressed(indptr=put(-1, 10**6)), "run from 0 to 5.* to 1000000"),
    "too few offsets": (compressed(indptr=lambda array: array[:-1]), "indptr has 4 offsets"),
    "float offsets": (compressed(indptr=lambda array: array.astype(float)), "integer"),
    "an index too large": (compressed(indices=put(2, 4)), r"indices\[2\] is 4"),
    "a negative index": (compressed(indices=put(2, -1)), r"indices\[2\] is -1"),
    "an index beyond int32": (
        compressed(indices=lambda array: put(2, 2**40)(array.astype(np.int64))),
        r"indices\[2\] is 1099511627776",
    ),
    "float indices": (compressed(indices=lambda array: array.astype(float)), "integer"),
    "too few data": (compressed(data=lambda array: array[:1]), "length 5, but data has 1"),
}


@pytest.mark.parametrize("kind", [csr_array, csc_array])
@pytest.mark.parametrize("fault", COMPRESSED)
def test_compressed(kind, fault):
    spoil, words = COMPRESSED[fault]
    matrix = kind(DENSE)
    matrix.indptr, matrix.indices = matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32)
    check_sparse(matrix)
    spoil(matrix)
    with pytest.raises(ValueError, match=words):
        check_sparse(matrix)
    with pytest.raises(ValueError, match=r"indptr|indices|row.offsets|weights|data"):
        wp.Graph(matrix)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("dtype", [float, np.int8])
def test_what_is_right(kind, dtype):
    for dense in (DENSE, DENSE[:, :2], np.zeros((2, 3))):
        check_sparse(kind(dense.astype(dtype)))
    check_sparse(kind((0, 0)))


def test_read_only_and_strided_arrays():
    matrix = csr_array(DENSE)
    matrix.indices.flags.writeable = False
    matrix.indptr = np.repeat(matrix.indptr, 2)[::2]
    check_sparse(matrix)
    matrix.indptr[1] = 4
    with pytest.raises(ValueError, match="indptr descends at 1"):
        check_sparse(matrix)


def test_lists_as_arrays():
    matrix = csr_array(DENSE)
    matrix.indptr = matrix.indptr.tolist()
    check_sparse(matrix)
    matrix.indptr[1] = 4
    with pytest.raises(ValueError, match="indptr descends at 1"):
        check_sparse(matrix)


def test_rows_and_columns_have_their_own_sizes():
    wide = csr_array(np.eye(2, 5, k=3))
    check_sparse(wide)
    wide.indices[0] = 5
    with pytest.raises(ValueError, match=r"indices\[0\] is 5: out of range for size 5"):
        check_sparse(wide)
    tall = csc_array(np.eye(5, 2, k=-3))
    check_sparse(tall)
    tall.indices[0] = 5
    with pytest.raises(ValueError, match=r"indices\[0\] is 5"):
        check_sparse(tall)
    blocks = bsr_array(np.ones((4, 6)), blocksize=(2, 3))
    check_sparse(blocks)
    blocks.indices[0] = 2
    with pytest.raises(ValueError, match=r"indices\[0\] is 2"):
        check_sparse(blocks)


def test_coordinates():
    for axis, name in enumerate(("row", "col")):
        for value in (4, -1):
            matrix = coo_array(DENSE)
            getattr(matrix, name)[1] = value
            with pytest.raises(ValueError, match=rf"coords\[{axis}\]\[1\] is {value}"):
                check_sparse(matrix)
            with pytest.raises(ValueError, match=f"{value}"):
                wp.Graph(matrix)
    matrix = coo_array(DENSE)
    matrix.data = matrix.data[:2]
    with pytest.raises(ValueError, match="data has 2"):
        check_sparse(matrix)


def test_lists_keys_and_diagonals():
    lists = lil_array(DENSE)
    lists.rows[1][0] = 7
    with pytest.raises(ValueError, match=r"rows\[2\] is 7"):
        wp.Graph(lists)
    lists = lil_array(DENSE)
    lists.data[0].pop()
    with pytest.raises(ValueError, match="rows has length 2, but data has 1"):
        wp.Graph(lists)
    keys = dok_array(DENSE)
    keys._dict[0, 9] = 1.0
    with pytest.raises(ValueError, match="is 9"):
        wp.Graph(keys)
    diagonals = dia_array(DENSE)
    diagonals.offsets = diagonals.offsets[:1]
    with pytest.raises(ValueError, match="offsets has length 1"):
        wp.Graph(diagonals)


def test_fewer_rows_than_the_shape_says():
    matrix = csr_array(DENSE)
    matrix.indptr = np.array([0, 5], np.int32)
    matrix.indices[:] = 0
    with pytest.raises(ValueError, match="2 row offsets for 4 rows"):
        wp.Graph(matrix)
