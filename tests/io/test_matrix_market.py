"""Matrix Market: what it means as a graph, and what is refused at which line."""

import re

import numpy as np
import pytest
import scipy.io

from warpath.errors import GraphFormatError
from warpath.io import read, write

BANNER = "%%MatrixMarket matrix coordinate"


def test_general_is_directed_and_symmetric_is_not(tmp_path):
    path = tmp_path / "a.mtx"
    path.write_text(f"{BANNER} pattern general\n3 3 2\n1 3\n2 2\n")
    graph = read(path)
    assert graph.directed
    assert graph.weights is None
    assert graph.coo()[0].tolist() == [0, 1]
    assert graph.coo()[1].tolist() == [2, 1]
    # In the upper triangle too, as some writers do.
    path.write_text(f"{BANNER} real symmetric\n3 3 3\n1 3 2\n2 2 .5\n3 2 -1e1\n")
    graph = read(path)
    assert not graph.directed
    assert graph.num_arcs == 5
    assert graph.to_scipy().toarray().tolist() == [[0, 0, 2], [0, 0.5, -10], [2, -10, 0]]


MALFORMED = [
    ("", 1, "expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY', not ''"),
    ("3 3 1\n1 2\n", 1, "not '3 3 1'"),
    ("%%MatrixMarket matrix array real general\n1 1\n1.0\n", 1, "'array' is not read, only coordinate"),
    (f"{BANNER} complex general\n1 1 1\n1 1 1 0\n", 1, "'complex' is not read, only pattern, integer"),
    (f"{BANNER} real skew-symmetric\n2 2 1\n2 1 1\n", 1, "'skew-symmetric' is not read, only general"),
    (f"{BANNER} complex hermitian\n2 2 1\n2 1 1 0\n", 1, "is not read"),
    (f"{BANNER} real\n2 2 1\n2 1 1\n", 1, "expected '%%MatrixMarket"),
    (f"{BANNER} real general\n", 1, "expected the size line 'ROWS COLUMNS ENTRIES', but the file ends"),
    (f"{BANNER} real general\n% c\n\n2 2\n1 1 1\n", 4, "expected the size line 'ROWS COLUMNS ENTRIES', not '2 2'"),
    (f"{BANNER} real general\n2 -2 1\n", 2, "expected the size line"),
    (f"{BANNER} real general\n27 51 1\n1 1 1\n", 2, "an adjacency matrix is square, not 27 × 51"),
    (f"{BANNER} real general\n4294967296 4294967296 0\n", 2, "4294967296 vertices: at most 2147483647"),
    (f"{BANNER} pattern general\n2 2 2\n1 2\n2 1 7\n", 4, "expected 2 fields (row, column), not 3: '2 1 7'"),
    (f"{BANNER} real general\n2 2 2\n1 2 1\n2 1\n", 4, "expected 3 fields (row, column, value), not 2"),
    (f"{BANNER} integer general\n2 2 1\n1 2 1.5\n", 3, "expected value, an integer, not '1.5'"),
    (f"{BANNER} real general\n2 2 1\n1 2 inf\n", 3, "value 'inf': only finite numbers are legal"),
    (f"{BANNER} integer general\n2 2 1\n1 2 18446744073709551615\n", 3, "does not fit in a 64-bit integer"),
    (f"{BANNER} pattern general\n2 2 1\n0 1\n", 3, "row id 0: ids begin at 1 here"),
    (f"{BANNER} pattern general\n2 2 1\n1 -1\n", 3, "column id -1: ids begin at 1 here"),
    (f"{BANNER} pattern general\n2 2 1\n% c\n1 3\n", 4, "column id 3 is out of range: the file declares 2 vertices"),
    (f"{BANNER} pattern general\n0 0 1\n1 1\n", 3, "out of range: the file declares 0 vertices"),
    (f"{BANNER} pattern general\n2 2 3\n1 1\n1 2\n", 4, "expected 3 rows, as declared, but the file ends after 2"),
    (f"{BANNER} pattern general\n2 2 1\n1 1\n\n1 2\n", 5, "expected 1 rows, as declared, but there are more"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "line", "fragment"), MALFORMED)
def test_malformed(content, line, fragment, refused):
    refused(content, line, fragment, "a.mtx")


@pytest.mark.parametrize("symmetric", [False, True])
def test_scipy_reads_what_we_write(symmetric, tmp_path):
    lower = "3 1 2.5\n" + ("" if symmetric else "1 2 -1\n")
    (tmp_path / "a.mtx").write_text(
        f"{BANNER} real {'symmetric' if symmetric else 'general'}\n3 3 {2 - symmetric}\n{lower}"
    )
    graph = read(tmp_path / "a.mtx")
    write(graph, tmp_path / "b.mtx")
    matrix = scipy.io.mmread(tmp_path / "b.mtx")
    assert np.array_equal(matrix.toarray(), graph.to_scipy().toarray())


REFUSED = {
    "array": "comments_full complex full full_symmetric mangled15 mangled16 mangled_format",
    "expected '%%Matrix": "full_noheader mangled1 west0067_noheader",
    "is not read": "mangled2 mangled3 mangled4 mangled5 mangled6",
    "skew": "mangled_skew skew_fp32 skew_fp64 skew_int16 skew_int32 skew_int64 skew_int8",
    "square": "empty lp_afiro lp_afiro_structure mangled10 mangled11 mangled12 mangled13 mangled14 "
    "mangled9 sources_7",
    "expected the size line": "mangled8",
    "expected 3 fields": "mangled7",
    "only finite numbers": "comments_west0067 matrix_fp32 matrix_fp64",
    "does not fit in a 64-bit integer": "matrix_uint64",
}


def test_lagraph_files(data):
    """Legal square matrices of numbers are read as SciPy reads them; no other is."""
    folder = data / "lagraph-data"
    refused = {name: reason for reason, names in REFUSED.items() for name in names.split()}
    paths = {path.stem: path for path in folder.glob("*.mtx")}
    assert refused.keys() < paths.keys()
    for name, reason in refused.items():
        with pytest.raises(GraphFormatError, match=re.escape(reason)):
            read(paths[name])
    for name in paths.keys() - refused.keys():
        # SciPy takes no blank lines; the entries are those of the other file.
        oracle = paths["west0067" if name == "west0067_jumbled" else name]
        assert (read(paths[name]).to_scipy() != scipy.io.mmread(oracle).tocsr()).nnz == 0
