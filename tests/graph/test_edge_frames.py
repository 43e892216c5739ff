import numpy as np
import pandas as pd
import polars as pl
import pytest

import warpath as wp
from small_graphs import assert_same_graph, random_graph
from warpath.graph.compact import warn_of_gaps


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

    def test_an_end_that_may_be_two_columns(self, kind):
        """Their names differ by case: neither is a weight."""
        frame = kind({"source": [0], "Source": [3], "target": [1]})
        with pytest.raises(
            ValueError, match=r"which of the columns \['source', 'Source'\] is the source"
        ):
            wp.Graph(frame)
        assert wp.Graph(frame, source="source", target="target").num_vertices == 2

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


def test_a_frame_that_may_be_an_adjacency_matrix():
    names = list("abc")
    matrix = pd.DataFrame([[0, 1, 0], [2, 0, 0], [0, 1, 0]], index=names, columns=names)
    for call in (wp.Graph, wp.Graph.from_frame):
        with pytest.raises(ValueError, match=r"Graph\.from_matrix\(frame\).*Graph\.from_frame\("):
            call(matrix)
    rows = pd.DataFrame([[0, 1], [1, 2]])  # its columns are called 0 and 1, as its rows are
    assert wp.Graph(rows).num_edges == wp.Graph.from_frame(rows, 0, 1).num_edges == 2
    assert wp.Graph(matrix.reset_index(), source="a", target="b").num_edges == 3


def test_to_pandas():
    graph = wp.Graph.from_edges(["a", "b"], ["b", "c"], [1, 2], directed=False)
    frame = graph.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert frame.to_dict("list") == {"source": ["a", "b"], "target": ["b", "c"], "weight": [1, 2]}
    assert_same_graph(wp.Graph(frame, directed=False), graph)


def test_sparse_ids_are_warned_of_where_n_is_made_of_them():
    large = 10_000_001
    frame = pd.DataFrame({"u": [large - 1], "v": [large]})
    with pytest.warns(UserWarning, match=r"10,000,002 vertices for 1 edge.*compact=True") as caught:
        assert wp.Graph(frame).num_vertices == large + 1
    with pytest.warns(UserWarning, match="the largest id is 10000001") as caught:
        wp.Graph.from_edges([large], [0])
    assert caught[0].filename == __file__
    # None of these warns, and warnings are errors here.
    assert wp.Graph(frame, compact=True).labels.tolist() == [large - 1, large]
    assert wp.Graph(frame, compact=False).num_vertices == large + 1
    assert wp.Graph(frame, n=large + 1).num_vertices == large + 1
    warn_of_gaps(large, large // 128 + 1)
    warn_of_gaps(10_000_000, 1)
