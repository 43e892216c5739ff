"""Graphs from frames of pandas and Polars with one edge per row, and to Polars'."""

from typing import TYPE_CHECKING, Any, Self

from warpath.graph.check import wrong_kind
from warpath.graph.edge_columns import END_NAMES, edge_columns
from warpath.graph.frames import as_column, names_of_matrix, to_pandas
from warpath.graph.from_arrays import FromArrays
from warpath.typing import BuildDeviceName, MergeName

if TYPE_CHECKING:
    import polars


class EdgeFrames(FromArrays):
    """What a `warpath.Graph` has to do with frames of edges."""

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        source: str | None = None,
        target: str | None = None,
        weight: str | None = None,
        *,
        n: int | None = None,
        directed: bool = True,
        symmetrize: bool = False,
        drop_self_loops: bool = False,
        merge: MergeName = "keep",
        compact: bool | None = None,
        labels: Any = None,
        edge_ids: bool = False,
        device: BuildDeviceName = "cpu",
    ) -> Self:
        """A graph of a pandas or Polars frame with one edge per row.

        Parameters
        ----------
        frame : pandas.DataFrame or polars.DataFrame
        source, target : str, optional
            Columns of the ends, both or neither. By default the two that are called source and
            target, src and dst, from and to, tail and head, or u and v; else the first two of two or
            three columns.
        weight : str, optional
            Column of the weights. By default, if the ends are not named here, the one that is called
            weight, w, cost, length or distance, else the third of exactly three.
        n : int, optional
        directed, symmetrize, drop_self_loops : bool
        merge : str, optional
        compact : bool, optional
        labels : sequence, optional
        edge_ids : bool
        device : {"cpu", "cuda"}
            See `Graph.from_edges`.

        Raises
        ------
        ValueError
            If a column is missing, only one end is named, or the names of more than three columns do
            not say which are the ends or the weight. If none is named, and the index equals the columns,
            as in an adjacency matrix. If an id is missing (null, NA, NaN), or is
            neither an integer nor text. And see `Graph.from_edges`.
        OverflowError, DeviceUnavailableError, MemoryError
            See `Graph.from_edges`.

        Examples
        --------
        >>> import pandas as pd
        >>> import warpath as wp
        >>> roads = pd.DataFrame({"a": ["Ulm", "Bonn"], "b": ["Bonn", "Kiel"], "lanes": 2, "km": [12, 5]})
        >>> g = wp.Graph.from_frame(roads, "a", "b", "km", directed=False)
        >>> wp.sssp(g, "Kiel")["Ulm"]
        17
        """
        if not hasattr(frame, "columns"):
            raise wrong_kind("a frame of pandas or Polars", frame)
        indexed = getattr(getattr(frame, "index", None), "names", ())
        if source is None and any(set(pair) <= {*indexed} for pair in END_NAMES):
            raise ValueError(
                f"the ends of the edges stand in the index {[*indexed]}: call reset_index(), or, of the "
                "frames of OSMnx, Graph.from_osmnx(nodes, edges)"
            )
        if source is None and names_of_matrix(frame) is not None:
            raise ValueError(
                "rows and columns of the frame are called the same: for an adjacency matrix call "
                "Graph.from_matrix(frame), which keeps them as labels; for one edge per row name the "
                "columns, Graph.from_frame(frame, source, target)"
            )
        source, target, weight = edge_columns(list(frame.columns), source, target, weight)
        values = [None if name is None else frame[name] for name in (source, target, weight)]
        return cls.from_edges(
            *values,
            n=n,
            directed=directed,
            symmetrize=symmetrize,
            drop_self_loops=drop_self_loops,
            merge=merge,
            compact=compact,
            labels=labels,
            edge_ids=edge_ids,
            device=device,
        )

    def to_frame(self) -> "polars.DataFrame":
        """A Polars frame with one edge per row: columns source, target and, if any, weight.

        An undirected edge is one row, the end of the smaller number first. Vertices are their
        `labels`, where there are any.

        Returns
        -------
        polars.DataFrame
            One row for each edge.

        Examples
        --------
        >>> import warpath as wp
        >>> wp.Graph.from_edges([0, 1], [1, 2], [7, 2]).to_frame().rows()
        [(0, 1, 7), (1, 2, 2)]
        """
        import polars as pl

        source, target, weight = self.edges()
        columns: dict[str, Any] = {"source": source, "target": target}
        if self.labels is not None:
            names = as_column(self.labels)
            columns = {end: names.gather(places) for end, places in columns.items()}
        return pl.DataFrame(columns if weight is None else columns | {"weight": weight})

    def to_pandas(self) -> Any:
        """`to_frame` for pandas.

        Returns
        -------
        pandas.DataFrame
            One row for each edge.
        """
        return to_pandas(self.to_frame())
