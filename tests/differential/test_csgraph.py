"""`warpath.csgraph` against SciPy's functions: random matrices of every kind, random arguments.

Where docs/guides/scipy.md says that the answers differ, SciPy is asked in a way that it answers: by
another method, or for the matrix in another form. Predecessors may be those of another shortest
path: they are followed, arc by arc, and must add up to the distance.
"""

import warnings
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array, csc_matrix, csr_array, csr_matrix, issparse, lil_array
from scipy.sparse import csgraph as scipys

from warpath import csgraph
from warpath.csgraph import bounded_dijkstra, search

FORMS = ("csr_array", "csr_matrix", "csc", "coo", "lil", "dense", "fortran", "masked", "read-only")
DTYPES = ("f8", "f8", "f8", "f4", "f2", "i4", "i8", "u8", "i1", "?", ">f8")
WEIGHTS = ("small", "zeros", "fractions", "signed", "huge", "nulls")
NO_ARC = -9999


ENGINES = ("as shipped", "large")
"""That of each size; that of large matrices for all."""


def use(engine, patch):
    """Answer by an engine; ``patch`` takes it back."""
    if engine == "large":
        patch.setattr(search, "_SMALL", 0)
        patch.setattr(search, "_TINY", 0)
        patch.setattr(bounded_dijkstra, "_MIN", 0)


def compile_kernels():
    """Call what is called below, so that the time is spent on cases."""
    for dtype in (float, int):
        ring = csr_array((np.ones(3, dtype), ([0, 1, 2], [1, 2, 0])), shape=(3, 3))
        for predecessors in (False, True):
            for name in ("dijkstra", "bellman_ford", "johnson", "floyd_warshall"):
                getattr(csgraph, name)(ring, return_predecessors=predecessors)
        csgraph.dijkstra(ring, indices=0, limit=1.0)
        csgraph.dijkstra(ring, indices=[0, 1], limit=1.0, min_only=True)
        csgraph.breadth_first_order(ring, 0, directed=False)
        csgraph.connected_components(ring)
        csgraph.minimum_spanning_tree(ring)
        csgraph.yen(ring, 0, 2, 2)


class Drawn:
    """A random matrix.

    Attributes
    ----------
    given : matrix
        For both libraries: of a random form and dtype.
    plain : csr_array of float64
        The arcs as SciPy's sparse methods see them: duplicates stand apart only where they do.
    dense : csr_array of float64
        As its dense methods see them: without infinity and NaN, duplicates apart.
    exact : bool
        Whether sums are exact in any order.
    """

    def __init__(self, random):
        n = int(random.choice([0, 1, 2, 3, 5, 8, 13, 40]))
        m = int(random.integers(0, 3 * n + 1))
        self.n, self.form = n, str(random.choice(FORMS))
        self.weights, dtype = str(random.choice(WEIGHTS)), str(random.choice(DTYPES))
        sparse = self.form not in ("dense", "fortran", "masked")
        if sparse and dtype in ("f2", ">f8"):  # SciPy makes no such matrices
            dtype = dtype.replace("f2", "f4").replace(">", "")
        if self.weights in ("huge", "nulls", "fractions") and dtype not in ("f8", ">f8"):
            self.weights = "small"
        if self.weights == "signed" and dtype in ("?", "u8"):
            self.weights = "zeros"
        values = self._values(random, m).astype(dtype)
        self.exact = self.weights not in ("fractions", "huge")
        row, column = random.integers(0, max(n, 1), (2, m)).astype(np.int32)
        order = np.argsort(row, kind="stable")  # columns in any order
        offsets = np.searchsorted(row[order], np.arange(n + 1)).astype(np.int32)
        csr = csr_array((values[order], column[order], offsets), shape=(n, n))
        if random.random() < 0.5:
            csr = self._without_duplicates(csr)
        self.canonical = self._without_duplicates(csr).nnz == csr.nnz
        self._give(random, csr)

    def _values(self, random, m):
        if self.weights == "fractions":
            return random.random(m)
        if self.weights == "huge":
            return random.random(m) * 1.7e308
        if self.weights == "signed":
            return random.integers(-2, 20, m)
        values = random.integers(self.weights == "small", 9, m).astype(float)
        if self.weights == "nulls":
            values[random.random(m) < 0.3] = random.choice([np.inf, np.nan])
        return values

    @staticmethod
    def _without_duplicates(csr):
        row = np.repeat(np.arange(csr.shape[0]), np.diff(csr.indptr))
        _, first = np.unique(row * csr.shape[0] + csr.indices, return_index=True)
        first.sort()
        offsets = np.searchsorted(row[first], np.arange(csr.shape[0] + 1)).astype(np.int32)
        return csr_array((csr.data[first], csr.indices[first], offsets), shape=csr.shape)

    def _give(self, random, csr):
        if self.form in ("dense", "fortran", "masked"):
            csr = self._without_duplicates(csr)
            self.canonical = True
            dense = np.zeros(csr.shape, csr.dtype)
            there = np.zeros(csr.shape, bool)
            row = np.repeat(np.arange(self.n), np.diff(csr.indptr))
            dense[row, csr.indices], there[row, csr.indices] = csr.data, True
            if self.form == "masked":
                self.given = np.ma.masked_array(dense, ~there)
                self.plain = scipys.csgraph_from_masked(self.given)
            else:
                self.given = np.asfortranarray(dense) if self.form == "fortran" else dense
                self.plain = scipys.csgraph_from_dense(dense)
            apart = self.plain
        else:
            make = {
                "csr_array": csr_array, "csr_matrix": csr_matrix, "csc": csc_matrix,
                "coo": coo_array, "lil": lil_array, "read-only": csr_array,
            }[self.form]  # fmt: skip
            self.given = make(csr)
            if self.form == "read-only":
                self.given = csr_array((csr.data, csr.indices, csr.indptr), shape=csr.shape)
                for name in ("data", "indices", "indptr"):
                    getattr(self.given, name).flags.writeable = False
            elif self.form.startswith("csr") and random.random() < 0.3:
                self.given.indices = self.given.indices.astype(np.int64)
                self.given.indptr = self.given.indptr.astype(np.int64)
            apart = self.given.tocsr()
            self.plain = apart.astype(np.float64)  # which adds duplicates up, of other dtypes
        arcs = apart.tocoo()
        data = arcs.data.astype(np.float64)
        kept = data < np.inf
        self.dense = coo_array(
            (data[kept], (arcs.row[kept], arcs.col[kept])), shape=(self.n, self.n)
        )

    @property
    def signed(self):
        return bool((self.plain.data < 0).any())

    def lightest(self, directed, unweighted, dense=False):
        """The lightest arc of each pair as a matrix; infinity where there is none."""
        arcs = self.dense if dense else self.plain.tocoo()
        data = np.ones(len(arcs.data)) if unweighted else arcs.data
        kept = data < np.inf
        table = np.full((self.n, self.n), np.inf)
        np.minimum.at(table, (arcs.row[kept], arcs.col[kept]), data[kept])
        return table if directed else np.minimum(table, table.T)

    def as_sparse(self, directed, unweighted, dense=False):
        """The same as a matrix for SciPy, each pair once, zeros stored."""
        table = self.lightest(directed, unweighted, dense)
        row, column = np.nonzero(table < np.inf)
        offsets = np.searchsorted(row, np.arange(self.n + 1)).astype(np.int32)
        columns = column.astype(np.int32)
        return csr_array((table[row, column], columns, offsets), shape=table.shape)


def outcome(call):
    """What a call returns, or the exception."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call()
    except Exception as error:
        return error


def agree(found, expected, *, exact=True):
    """Whether both refuse by the same exception; raise if the answers differ."""
    if isinstance(expected, Exception):
        assert isinstance(found, type(expected)), (found, expected)
        return True
    if isinstance(found, Exception):
        raise AssertionError(f"SciPy answers {expected}") from found
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    if exact:
        np.testing.assert_array_equal(found, expected)
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    return False


def follow(distance, predecessor, table, is_source, exact):
    """Each vertex's predecessors lead to a source, and the arcs add up to the distance."""
    n = len(distance)
    assert predecessor.dtype == np.int32
    has = predecessor != NO_ARC
    np.testing.assert_array_equal(has, np.isfinite(distance) & ~is_source)
    v = np.flatnonzero(has)
    u = predecessor[v]
    with np.errstate(over="ignore"):
        sums = distance[u] + table[u, v]
    if exact:
        np.testing.assert_array_equal(sums, distance[v])
    else:
        np.testing.assert_allclose(sums, distance[v], rtol=1e-12)
    for _ in range(n):
        u = np.where(is_source[u], u, predecessor[u])
        assert (u >= 0).all()
    assert is_source[u].all()


def draw_indices(random, n):
    """Sources in each form that SciPy takes, now and then one that is not there."""
    if n == 0 or random.random() < 0.2:
        return None
    size = [(), (1,), (3,), (2, 2), (0,)][random.integers(5)]
    indices = random.integers(-n, n, size)
    if random.random() < 0.05:
        indices = indices + n
    kind = random.integers(4)
    if kind == 0:
        return indices.tolist()
    return indices.astype([np.int64, np.int32, np.float64][kind - 1])


def draw_arguments(random):
    return {
        "directed": bool(random.random() < 0.6),
        "unweighted": bool(random.random() < 0.25),
        "return_predecessors": bool(random.random() < 0.6),
    }


def trusted(drawn, indices, how, *, everywhere=False, dense=False):
    """SciPy's distances, by a method that is right for the weights, in a form that it takes."""
    matrix = drawn.as_sparse(how["directed"], how["unweighted"], dense)
    if (matrix.data < 0).any():
        scipys.dijkstra(abs(matrix), indices=indices)  # of wrong sources the same error
        if everywhere:
            scipys.bellman_ford(matrix)
        return scipys.bellman_ford(matrix, indices=indices)
    return scipys.dijkstra(matrix, indices=indices)


def check_paths(random):
    drawn, how = Drawn(random), draw_arguments(random)
    name = str(
        random.choice(["dijkstra", "bellman_ford", "johnson", "floyd_warshall", "shortest_path"])
    )
    more, method = {}, name
    if name == "shortest_path":
        letter = str(random.choice(["auto", "FW", "D", "BF", "J"]))
        more["method"] = letter
        method = {"FW": "floyd_warshall", "D": "dijkstra", "BF": "bellman_ford"}.get(
            letter, "johnson"
        )
    indices = None if method == "floyd_warshall" else draw_indices(random, drawn.n)
    if indices is not None:
        more["indices"] = indices
    if name == "shortest_path" and letter == "auto" and indices is None:
        table = np.isfinite(drawn.lightest(True, False))
        entries = drawn.given.nnz if issparse(drawn.given) else np.count_nonzero(table)
        if drawn.form == "masked":
            entries = drawn.given.count()
        if not entries < drawn.n**2 / 4:
            method = "floyd_warshall"
    dense = method == "floyd_warshall"
    exact = drawn.exact or how["unweighted"] or method in ("dijkstra", "bellman_ford")
    expected = outcome(
        lambda: trusted(
            drawn, indices, how, everywhere=method in ("johnson", "floyd_warshall"), dense=dense
        )
    )
    found = outcome(lambda: getattr(csgraph, name)(drawn.given, **how, **more))
    if drawn.n == 0 and indices is None and not isinstance(expected, Exception):
        expected = np.empty((0, 0))
    predecessor = None
    if how["return_predecessors"] and not isinstance(found, Exception):
        found, predecessor = found
    if agree(found, expected, exact=exact) or predecessor is None:
        return
    sources = np.arange(drawn.n) if indices is None else np.asarray(indices, np.int64) % drawn.n
    table = drawn.lightest(how["directed"], how["unweighted"], dense)
    rows = found.reshape(-1, drawn.n) if drawn.n else np.empty((0, 0))
    for source, distances, parents in zip(
        sources.ravel(), rows, predecessor.reshape(rows.shape), strict=True
    ):
        follow(distances, parents, table, np.arange(drawn.n) == source, exact)


def check_limits(random):
    drawn, how = Drawn(random), draw_arguments(random)
    indices = draw_indices(random, drawn.n)
    limits = [0, 1, 3.5, np.float32(7), 20, np.inf, -1, 1.5e308, 2**70]
    limit = limits[random.integers(len(limits))]
    more = {"limit": limit, "min_only": bool(random.random() < 0.5)}
    if indices is not None:
        more["indices"] = indices
    n, matrix = drawn.n, drawn.as_sparse(how["directed"], how["unweighted"])
    negative = bool((matrix.data < 0).any())

    def ask():
        if not negative:
            return scipys.dijkstra(matrix, **more)
        scipys.dijkstra(abs(matrix), **more)  # of wrong arguments the same error
        rows = scipys.bellman_ford(matrix, indices=indices)
        if more["min_only"]:
            rows = rows.reshape(-1, n).min(axis=0, initial=np.inf)
        rows[rows > limit] = np.inf
        return rows

    expected = outcome(ask)
    found = outcome(lambda: csgraph.dijkstra(drawn.given, **how, **more))
    if isinstance(found, Exception) or not how["return_predecessors"]:
        agree(found, expected)
        return
    if agree(found[0], expected):
        return
    if negative:  # a path may lead through a vertex beyond the limit, or from a source to another
        return
    sources = np.arange(n) if indices is None else np.asarray(indices, np.int64) % n
    table = drawn.lightest(how["directed"], how["unweighted"])
    if not more["min_only"]:
        assert len(found) == 2
        rows = found[0].reshape(-1, n) if n else np.empty((0, 0))
        pairs = zip(sources.ravel(), rows, found[1].reshape(rows.shape), strict=True)
        for source, distances, parents in pairs:
            follow(distances, parents, table, np.arange(n) == source, True)
        return
    distances, parents, origins = found
    is_source = np.isin(np.arange(n), sources.ravel())
    follow(distances, parents, table, is_source, True)
    v = np.flatnonzero(parents != NO_ARC)
    np.testing.assert_array_equal(origins[v], origins[parents[v]])
    np.testing.assert_array_equal(origins == NO_ARC, np.isinf(distances))
    np.testing.assert_array_equal(origins[is_source], np.flatnonzero(is_source))


def check_traversal(random):
    drawn = Drawn(random)
    given, n = drawn.given, drawn.n
    directed = bool(random.random() < 0.6)
    theirs = given
    if drawn.form == "lil":
        theirs = given.tocsr()
    if n:
        start = int(random.integers(n))
        found = csgraph.breadth_first_order(given, start, directed)
        expected = scipys.breadth_first_order(theirs, start, directed)
        for one, other in zip(found, expected, strict=True):
            agree(one, other)
        alone = csgraph.breadth_first_order(given, start, directed, return_predecessors=False)
        agree(alone, expected[0])
        found = outcome(lambda: csgraph.breadth_first_tree(given, start, directed))
        expected = outcome(lambda: scipys.breadth_first_tree(theirs, start, directed))
        if not isinstance(found, Exception):
            found = found.toarray()
        agree(found, expected if isinstance(expected, Exception) else expected.toarray())
    for connection in ("weak", "strong"):
        matrix = drawn.as_sparse(True, True)
        expected = scipys.connected_components(matrix, directed, connection)
        found = csgraph.connected_components(given, directed, connection)
        assert found[0] == expected[0]
        assert found[0] == csgraph.connected_components(
            given, directed, connection, return_labels=False
        )
        agree(found[1], expected[1])
    found = outcome(lambda: csgraph.minimum_spanning_tree(given))
    expected = outcome(lambda: scipys.minimum_spanning_tree(given))
    if isinstance(expected, ValueError) and "does not support dtype" in str(expected):
        expected = scipys.minimum_spanning_tree(drawn.plain)
    for name in ("indptr", "indices", "data"):
        agree(getattr(found, name, found), getattr(expected, name, expected))


def check_yen(random):
    drawn, how = Drawn(random), draw_arguments(random)
    if drawn.weights in ("huge", "fractions"):  # SciPy's sums are rounded, or overflow
        return
    n, k = drawn.n, int(random.choice([1, 2, 5, -1]))
    source, sink = random.integers(-1 if random.random() < 0.1 else 0, max(n, 1), 2).tolist()
    matrix = drawn.as_sparse(how["directed"], how["unweighted"])
    if not matrix.nnz:
        return
    expected = outcome(lambda: scipys.yen(matrix, source, sink, k))
    found = outcome(lambda: csgraph.yen(drawn.given, source, sink, k, **how))
    if isinstance(found, Exception) or not how["return_predecessors"]:
        agree(found, expected)
        return
    found, parents = found
    if agree(found, expected):
        return
    assert (parents.shape, parents.dtype) == ((len(found), n), np.int32)
    table = drawn.lightest(how["directed"], how["unweighted"])
    walks = set()
    for length, row in zip(found, parents, strict=True):
        walk = [sink]
        while walk[-1] != source:
            walk.append(int(row[walk[-1]]))
            assert len(walk) <= n
        assert np.count_nonzero(row != NO_ARC) == len(walk) - 1
        assert sum(table[u, v] for v, u in pairwise(walk)) == length
        walks.add(tuple(walk))
    assert len(walks) == len(found)


def check_corrupt(random):
    """One entry of a compressed matrix changed: an error, unless the matrix is still a right one."""
    names = (
        "dijkstra", "bellman_ford", "johnson", "floyd_warshall", "connected_components",
        "minimum_spanning_tree",
    )  # fmt: skip
    n = int(random.integers(1, 9))
    dense = random.integers(0, 5, (n, n)) * (random.random((n, n)) < 0.4).astype(float)
    matrix = (csr_array if random.random() < 0.7 else csc_matrix)(dense)
    name = str(random.choice(["indptr", "indices"]))
    dtype = [np.int32, np.int64][random.integers(2)]
    matrix.indptr, matrix.indices = matrix.indptr.astype(dtype), matrix.indices.astype(dtype)
    array = getattr(matrix, name)
    if len(array) == 0:
        return
    values = [-1, n, n + 1, len(matrix.data), len(matrix.data) + 1, 2**31 - 1, -(2**31), 0]
    array[random.integers(len(array))] = values[random.integers(len(values))]
    if random.random() < 0.1:
        array = array[:-1]
    setattr(matrix, name, array)
    offsets, columns = matrix.indptr, matrix.indices
    right = (
        len(offsets) == n + 1
        and len(columns) == len(matrix.data)
        and offsets[0] == 0
        and offsets[-1] == len(columns)
        and (np.diff(offsets) >= 0).all()
        and (columns >= 0).all()
        and (columns < n).all()
    )
    calls = [lambda m, name=name: getattr(csgraph, name)(m) for name in names]
    calls += [
        lambda m: csgraph.breadth_first_order(m, 0),
        lambda m: csgraph.breadth_first_order(m, 0, directed=False),
        lambda m: csgraph.connected_components(m, connection="strong"),
        lambda m: csgraph.yen(m, 0, n - 1, 2),
        lambda m: csgraph.depth_first_order(m, 0),
    ]
    if name == "indptr":  # of columns it looks at those that it comes to
        calls.append(lambda m: csgraph.dijkstra(m, indices=0, limit=2.0))
    for call in calls:
        found = outcome(lambda call=call: call(matrix))
        assert isinstance(found, ValueError) == (not right), found


CHECKS = (check_paths, check_paths, check_limits, check_traversal, check_yen, check_corrupt)


def test_csgraph(each_case, monkeypatch):
    for engine in ENGINES:
        with monkeypatch.context() as patch:
            use(engine, patch)
            compile_kernels()

    def check(random):
        with monkeypatch.context() as patch:
            use(ENGINES[random.integers(len(ENGINES))], patch)
            CHECKS[random.integers(len(CHECKS))](random)

    each_case(check)
