import inspect
import re

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph

import warpath as wp


def random_graph(seed, directed=True, merge="keep", weights=True):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 15))
    source, target = rng.integers(0, n, (2, 3 * n))
    weight = rng.integers(0, 5, 3 * n) if weights else None
    return wp.Graph.from_edges(source, target, weight, n=n, directed=directed, merge=merge)


def assert_same_graph(a, b):
    assert (a.num_vertices, a.directed) == (b.num_vertices, b.directed)
    for x, y in zip(a.coo(), b.coo(), strict=True):
        if x is None:
            assert y is None
        else:
            np.testing.assert_array_equal(x, y)


seeds = st.integers(0, 2**32 - 1)


# -- SciPy ---------------------------------------------------------------------------------


@given(seeds, st.booleans())
def test_scipy_there_and_back(seed, directed):
    graph = random_graph(seed, directed)
    assert_same_graph(wp.Graph.from_matrix(graph.to_scipy(), directed=directed), graph)


def test_scipy_shares_memory_and_keeps_zeros_and_duplicates():
    graph = wp.Graph.from_edges([0, 0, 1], [1, 1, 0], [0, 2, 3])
    matrix = graph.to_scipy()
    assert matrix.nnz == 3
    assert np.shares_memory(matrix.data, graph.weights)
    assert graph.without_weights().to_scipy().toarray().tolist() == [[0, 2], [1, 0]]


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
@pytest.mark.parametrize("kind", [sp.coo_array, sp.coo_matrix])
def test_scipy_formats(form, kind):
    dense = np.array([[0, 2.5, 0], [0, 0, 1], [4, 0, 0]])
    matrix = kind(dense).asformat(form)
    if form in ("dia", "bsr"):
        matrix.eliminate_zeros() if form == "bsr" else None
    graph = wp.Graph(matrix)
    wanted = wp.Graph(dense)
    assert_same_graph(graph.with_weights(graph.weights), wanted)
    assert graph.weights.dtype == np.float64


def test_boolean_matrices_have_no_weights():
    dense = np.array([[False, True], [True, False]])
    for matrix in (dense, sp.csr_array(dense), sp.coo_array(dense)):
        graph = wp.Graph(matrix)
        assert graph.weights is None
        assert graph.num_arcs == 2


# -- dense ---------------------------------------------------------------------------------


def test_a_dense_matrix():
    graph = wp.Graph(np.array([[0, 3.5, np.inf], [-1, 2, 0], [0, 0, -np.inf]]))
    assert [c.tolist() for c in graph.coo()] == [[0, 1, 1], [1, 0, 1], [3.5, -1, 2]]
    assert wp.Graph.from_matrix([[0, 1], [1, 0]]).weights.dtype == np.int64


@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_of_a_masked_matrix_what_is_masked_is_no_edge_as_in_csgraph(dtype):
    matrix = np.array([[0, 1, 7], [2, 0, 0], [5, 6, 0]], dtype)
    mask = np.array([[1, 1, 0], [0, 1, 0], [1, 0, 1]], bool)
    g = wp.Graph(np.ma.array(matrix, mask=mask))
    expected = csgraph.csgraph_from_masked(np.ma.array(matrix, mask=mask)).tocoo()
    source, target, weight = g.coo()
    assert list(zip(source, target, strict=True)) == list(zip(*expected.coords, strict=True))
    assert weight.tolist() == expected.data.tolist() == [7, 2, 0, 6]
    assert weight.dtype == dtype
    assert g.num_vertices == 3


def test_masked_matrices_of_other_kinds():
    every = wp.Graph(np.ma.array([[0, 1], [2, 0]]))  # nothing is masked
    assert every.weights.tolist() == [0, 1, 2, 0]
    yes = wp.Graph(np.ma.array([[True, True], [True, False]], mask=[[0, 1], [0, 0]]))
    assert [part.tolist() for part in yes.coo()[:2]] == [[0, 1], [0, 0]]
    assert yes.weights is None
    far = wp.Graph(np.ma.array([[np.inf, 1.5], [np.nan, 2.0]], mask=[[0, 0], [1, 0]]))
    assert far.weights.tolist() == [1.5, 2.0]
    both = np.ma.array([[0, 3], [3, 9]], mask=[[1, 0], [0, 1]])
    assert wp.Graph(both, directed=False).num_edges == 1
    nothing = wp.Graph(np.ma.masked_all((2, 2), int))
    assert (nothing.num_vertices, nothing.num_arcs) == (2, 0)


def test_a_symmetric_matrix():
    graph = wp.Graph(np.array([[1, 3], [3, 0]]), directed=False)
    assert not graph.directed
    assert graph.num_edges == 2
    with pytest.raises(ValueError, match="reverse is missing or has another weight"):
        wp.Graph(np.array([[1, 3], [2, 0]]), directed=False)


@pytest.mark.parametrize("shape", [(2, 3), (0, 1)])
def test_matrices_that_are_not_square(shape):
    for matrix in (np.zeros(shape), sp.csr_array(shape)):
        with pytest.raises(ValueError, match=rf"square, not of shape \({shape[0]}, {shape[1]}\)"):
            wp.Graph(matrix)


def test_a_matrix_with_nan():
    with pytest.raises(ValueError, match=r"weight\[0\] is nan"):
        wp.Graph(np.array([[0, np.nan], [0, 0]]))
    with pytest.raises(ValueError, match=r"weights\[0\] is nan"):
        wp.Graph(sp.csr_array(np.array([[0, np.nan], [0, 0]])))


# -- NetworkX ------------------------------------------------------------------------------


@given(seeds, st.booleans(), st.sampled_from(["keep", "min"]), st.booleans())
def test_networkx_there_and_back(seed, directed, merge, weights):
    graph = random_graph(seed, directed, merge, weights)
    other = graph.to_networkx()
    assert other.is_directed() == directed
    assert other.number_of_nodes() == graph.num_vertices
    assert other.number_of_edges() == graph.num_edges
    assert_same_graph(wp.Graph(other), graph)


def test_networkx_multigraphs_only_for_parallel_edges():
    assert type(wp.Graph.from_edges([0], [1]).to_networkx()) is nx.DiGraph
    assert type(wp.Graph.from_edges([0, 0], [1, 1]).to_networkx()) is nx.MultiDiGraph
    assert type(wp.Graph.from_edges([0], [1], directed=False).to_networkx()) is nx.Graph
    both_ways = wp.Graph.from_edges([0, 1], [1, 0], directed=False)
    assert type(both_ways.to_networkx()) is nx.MultiGraph


def test_networkx_labels():
    G = nx.DiGraph()
    G.add_edge("b", "a", weight=2)
    G.add_edge("a", ("c", 1), weight=3)
    graph = wp.Graph(G)
    assert graph.labels.tolist() == ["b", "a", ("c", 1)]
    assert [c.tolist() for c in graph.coo()] == [[0, 1], [1, 2], [2, 3]]
    assert nx.utils.graphs_equal(graph.to_networkx(), G)
    assert wp.Graph(nx.path_graph(3)).labels is None


def test_networkx_weights():
    G = nx.Graph()
    G.add_edge(0, 1, weight=5, length=0.5)
    G.add_edge(1, 2)
    assert wp.Graph(G).weights.tolist() == [5, 5, 1, 1]  # an edge without one weighs 1
    assert wp.Graph(G, weight="length").weights.tolist() == [0.5, 0.5, 1, 1]
    assert wp.Graph(G, weight=None).weights is None
    with pytest.raises(
        ValueError, match="no edge has the attribute 'lenght'; there are 'length', 'weight'"
    ):
        wp.Graph(G, weight="lenght")
    assert wp.Graph(nx.path_graph(3)).weights is None
    assert wp.Graph(nx.empty_graph(3), weight="length").num_vertices == 3
    G.add_edge(0, 2, weight="far")
    with pytest.raises(ValueError, match="weight must hold integers or floats"):
        wp.Graph(G)


def test_networkx_numbers_agree():
    G = nx.karate_club_graph()
    graph = wp.Graph(G)
    assert (graph.num_vertices, graph.num_edges) == (34, 78)
    assert graph.degree.tolist() == [d for _, d in G.degree]


# -- igraph ----------------------------------------------------------------------------------


@pytest.mark.parametrize("directed", [True, False])
def test_igraph(directed):
    igraph = pytest.importorskip("igraph", reason="igraph's graphs: pip install igraph")
    edges = [(0, 1), (2, 1), (0, 1), (3, 3)]
    other = igraph.Graph(n=5, edges=edges, directed=directed)
    graph = wp.Graph(other)
    assert_same_graph(graph, wp.Graph.from_edges(*zip(*edges, strict=True), n=5, directed=directed))
    assert graph.weights is graph.labels is None
    other.es["weight"], other.es["km"] = [4, 3, 2, 1], [0.5, 1.5, 2.5, 3.5]
    other.vs["name"] = list("abcde")
    assert sorted(wp.Graph(other).edges()[2].tolist()) == [1, 2, 3, 4]
    graph = wp.Graph(other, weight="km")
    assert graph.weights.dtype == np.float64
    assert graph.labels.tolist() == list("abcde")
    assert wp.Graph.from_igraph(other, weight=None).weights is None
    with pytest.raises(
        ValueError, match="no edge has the attribute 'kmm'; there are 'km', 'weight'"
    ):
        wp.Graph(other, weight="kmm")
    paths = wp.sssp(graph, "a", dtype=np.float64)
    theirs = other.distances(source=0, weights="km", mode="out")[0]
    assert paths.distance.tolist() == theirs
    assert wp.Graph(igraph.Graph()).num_vertices == 0


# -- python-graphblas ------------------------------------------------------------------------


def test_graphblas():
    graphblas = pytest.importorskip("graphblas", reason="pip install python-graphblas")
    ends, weights = ([0, 0, 2], [1, 2, 0]), [5, 0, 7]
    matrix = graphblas.Matrix.from_coo(*ends, weights, nrows=4, ncols=4)
    graph = wp.Graph(matrix)
    assert_same_graph(graph, wp.Graph.from_edges(*ends, weights, n=4))
    assert wp.Graph.from_graphblas(matrix.dup("FP32")).weights.dtype == np.float32
    assert wp.Graph(matrix.dup("BOOL")).weights is None
    with pytest.raises(ValueError, match="reverse is missing"):
        wp.Graph(matrix, directed=False)
    with pytest.raises(ValueError, match="is square, not of shape"):
        wp.Graph(graphblas.Matrix(int, 2, 3))


# -- PyTorch Geometric's tensors, whoever holds them -------------------------------------------


class Data:
    """As `torch_geometric.data.Data` is looked at."""

    def __init__(self, edge_index, num_nodes=None, **attributes):
        self.edge_index, self.num_nodes = edge_index, num_nodes
        vars(self).update(attributes)


def test_edge_index():
    ends, weights = np.array([[0, 0, 2], [1, 2, 0]]), np.array([5.0, 1.0, 7.0])
    wanted = wp.Graph.from_edges(*ends, weights, n=4)
    assert_same_graph(wp.Graph.from_edge_index(ends, weights, n=4), wanted)
    for data in (
        Data(ends, 4, edge_weight=weights),
        Data(ends, 4, edge_attr=weights),
        Data(ends, 4, edge_weight=weights, edge_attr=weights + 1),
    ):
        assert_same_graph(wp.Graph(data), wanted)
    for data in (Data(ends, 4), Data(ends, 4, edge_attr=np.zeros((3, 16)), edge_weight=None)):
        assert_same_graph(wp.Graph(data), wanted.without_weights())
    both = np.hstack([ends, ends[::-1]])
    graph = wp.Graph.from_edge_index(both, directed=False)
    assert (graph.directed, graph.num_edges) == (False, 3)
    with pytest.raises(ValueError, match="reverse is missing"):
        wp.Graph.from_edge_index(ends[:, :1], directed=False)
    with pytest.raises(ValueError, match=r"two rows, sources and targets, not shape \(3, 2\)"):
        wp.Graph.from_edge_index(ends.T)


# -- frames --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
class TestFrames:
    @pytest.mark.parametrize(("first", "second"), [("from", "to"), ("a", "b")])
    def test_three_columns(self, kind, first, second):
        graph = wp.Graph(kind({first: [0, 2], second: [1, 0], "km": [1.5, 2.5]}))
        assert [c.tolist() for c in graph.coo()] == [[0, 2], [1, 0], [1.5, 2.5]]

    @pytest.mark.parametrize("name", ["weight", "Length", "cost", "distance"])
    def test_columns_that_are_called_what_they_are(self, kind, name):
        frame = kind({"key": [0, 0], "v": [1, 0], name: [1.5, 2.5], "u": [0, 2], "lanes": [2, 3]})
        graph = wp.Graph(frame)
        assert [c.tolist() for c in graph.coo()] == [[0, 2], [1, 0], [1.5, 2.5]]

    def test_a_weight_that_may_be_several_columns(self, kind):
        frame = kind({"u": [0], "v": [1], "key": [0], "lanes": [2]})
        with pytest.raises(
            ValueError, match=r"which of the columns \['key', 'lanes'\] is the weight"
        ):
            wp.Graph(frame)
        assert wp.Graph(frame, source="u", target="v").weights is None
        frame = kind({"u": [0], "v": [1], "length": [7.5], "cost": [2]})
        with pytest.raises(
            ValueError, match=r"which of the columns \['length', 'cost'\] is the weight"
        ):
            wp.Graph(frame)
        assert wp.Graph(frame, weight="cost").weights.tolist() == [2]

    def test_ends_that_may_be_several_columns(self, kind):
        frame = kind({"id": [5], "a": [0], "b": [1], "length": [7.5]})
        with pytest.raises(ValueError, match="are the ends of an edge"):
            wp.Graph(frame)

    def test_two_columns(self, kind):
        assert wp.Graph(kind({"from": [0, 2], "to": [1, 0]})).weights is None

    def test_named_columns(self, kind):
        frame = kind({"w": [3, 4], "to": [1, 0], "from": [0, 2]})
        graph = wp.Graph.from_frame(frame, "from", "to", "w", directed=False)
        assert not graph.directed
        assert [c.tolist() for c in graph.edges()] == [[0, 0], [1, 2], [3, 4]]
        assert wp.Graph.from_frame(frame, "from", "to").weights is None

    def test_a_named_weight(self, kind):
        frame = kind({"from": [0], "to": [1], "a": [1], "b": [7]})
        assert wp.Graph.from_frame(frame, weight="b").weights.tolist() == [7]

    def test_ids_that_are_sparse_or_text(self, kind):
        km = [1.5, 2.5, 0.5]
        cases = ([7, 10**12, -3], True), (["b", "c", "a"], None), ([2**40, 2**50, 7], None)
        for ids, compact in cases:
            first, second, third = ids
            frame = kind({"from": [first, first, third], "to": [second, third, second], "km": km})
            graph = wp.Graph(frame, compact=compact)
            assert graph.labels.tolist() == sorted(ids)
            assert [c.tolist() for c in graph.coo()] == [[0, 1, 1], [2, 0, 2], [0.5, 2.5, 1.5]]
        assert not wp.Graph(frame, compact=True, directed=False).directed

    @pytest.mark.parametrize("ids", [[0.5, 1], ["a", None], [0, None], [True, False], ["a", 7]])
    @pytest.mark.parametrize("compact", [True, None])
    def test_ids_that_are_none(self, kind, ids, compact):
        if kind is pl.DataFrame and ids == ["a", 7]:
            return  # no column of Polars'
        with pytest.raises(ValueError, match=r"vertex ids|missing values|source must hold integer"):
            wp.Graph(kind({"from": ids, "to": ids}), compact=compact)

    def test_wrong_columns(self, kind):
        frame = kind({"from": [0], "to": [1]})
        with pytest.raises(ValueError, match=r"no column 'km': there are \['from', 'to'\]"):
            wp.Graph.from_frame(frame, weight="km")
        with pytest.raises(ValueError, match="both source and target, or neither, not only 'to'"):
            wp.Graph.from_frame(frame, target="to")
        with pytest.raises(ValueError, match="at least two columns"):
            wp.Graph.from_frame(kind({"from": [0]}))

    def test_there_and_back(self, kind):
        graph = random_graph(3)
        frame = graph.to_frame()
        assert frame.columns == ["source", "target", "weight"]
        other = kind({name: frame[name].to_numpy() for name in frame.columns})
        assert_same_graph(wp.Graph.from_frame(other, n=graph.num_vertices), graph)

    def test_columns_of_a_frame_are_edges(self, kind):
        frame = kind({"u": [0, 1], "v": [1, 2]})
        assert wp.Graph.from_edges(frame["u"], frame["v"]).num_arcs == 2


def test_ends_in_the_index():
    index = pd.MultiIndex.from_tuples([(0, 1, 0), (1, 2, 0)], names=["u", "v", "key"])
    frame = pd.DataFrame({"osmid": [7, 8], "name": ["x", "y"], "length": [1.5, 2.5]}, index)
    with pytest.raises(ValueError, match=r"stand in the index.*reset_index"):
        wp.Graph(frame)
    graph = wp.Graph(frame.reset_index())
    assert [c.tolist() for c in graph.coo()] == [[0, 1], [1, 2], [1.5, 2.5]]


def test_pandas_columns_may_be_numbers():
    frame = pd.DataFrame([[1, 0, 5], [2, 0, 6]])
    graph = wp.Graph.from_frame(frame, source=1, target=0)
    assert [c.tolist() for c in graph.edges()[:2]] == [[0, 0], [1, 2]]


def test_an_undirected_frame_has_each_edge_once():
    graph = wp.Graph.from_edges([2, 1], [0, 1], directed=False)
    assert graph.to_frame().rows() == [(0, 2), (1, 1)]


NULLABLE = {
    "pandas": lambda values, dtype: pd.Series(values, dtype=dtype),
    "Polars": lambda values, dtype: pl.Series(values),
}


@pytest.mark.parametrize("library", NULLABLE)
def test_missing_ids_and_weights_are_named(library):
    column = NULLABLE[library]
    frame = {"pandas": pd.DataFrame, "Polars": pl.DataFrame}[library]
    whole, gap = column([0, 1, 2], "Int64"), column([0, None, 2], "Int64")
    flags, words = column([True, False, None], "boolean"), column(["a", "b", None], "string")
    for ends, name in (((gap, whole), "source"), ((whole, gap), "target")):
        with pytest.raises(ValueError, match=rf"missing values \({name}\[1\]\)"):
            wp.Graph.from_edges(*ends)
        table = frame(dict(zip("st", ends, strict=True)))
        for compact in (False, True):
            with pytest.raises(ValueError, match=rf"missing values \({name}\[1\]\)"):
                wp.Graph.from_frame(table, compact=compact)
    with pytest.raises(ValueError, match=r"missing values \(target\[2\]\)"):
        wp.Graph.from_frame(
            frame({"s": column(["a", "b", "c"], "string"), "t": words}), compact=True
        )
    with pytest.raises(ValueError, match=r"weight\[1\] is nan"):
        wp.Graph.from_edges(whole, whole, gap)
    with pytest.raises(ValueError, match=r"missing values \(weight\[2\]\)"):
        wp.Graph.from_edges(whole, whole, flags)
    assert wp.Graph.from_edges(whole, whole, whole).weights.tolist() == [0, 1, 2]


@pytest.mark.parametrize("wrap", [pd.array, pd.Series, pd.Index])
def test_pandas_arrays_with_na(wrap):
    with pytest.raises(ValueError, match=r"missing values \(source\[1\]\)"):
        wp.Graph.from_edges(wrap([0, None], dtype="Int64"), [1, 2])


def test_a_missing_id_among_objects_is_no_vertex():
    frame = pd.DataFrame({"s": pd.Series([1, np.nan], dtype=object), "t": [2, 3]})
    with pytest.raises(ValueError, match=r"missing values \(source\[1\]\)"):
        wp.Graph.from_frame(frame, compact=True)


def test_missing_values_in_a_frame():
    frame = pl.DataFrame({"u": [0, None], "v": [1, 2]})
    with pytest.raises(ValueError, match="source must hold integer vertex ids"):
        wp.Graph(frame)


# -- the constructor -----------------------------------------------------------------------


def test_a_graph_of_a_graph():
    graph = random_graph(1)
    assert_same_graph(wp.Graph(graph), graph)
    with pytest.raises(TypeError, match="takes no options, got directed"):
        wp.Graph(graph, directed=False)


@pytest.mark.parametrize("data", [None, 5, "graph.mtx", np.zeros(3), [[0, 1]]])
def test_what_is_no_graph(data):
    with pytest.raises(TypeError, match=f"cannot make a Graph of {type(data).__name__}"):
        wp.Graph(data)


@pytest.mark.parametrize("name", [name for name in dir(wp.Graph) if name.startswith("from_")])
def test_constructors_say_what_they_take(name):
    constructor = getattr(wp.Graph, name)
    text = inspect.getdoc(constructor).partition("Raises\n")[0].partition("Parameters\n")[2]
    for parameter in inspect.signature(constructor).parameters.values():
        assert parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        assert re.search(rf"^[\w, ]*\b{parameter.name}\b[\w, ]*( :|$)", text, re.MULTILINE)
