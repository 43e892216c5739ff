"""Results as frames: names of vertices as columns, and Polars' frames as pandas'."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import polars


def as_column(values: Any, labels: Any = None) -> "polars.Series":
    """An array as a Polars column; of objects that no column holds, their text.

    Parameters
    ----------
    values : array
    labels : array, optional
        The graph's, if the values are some of them: all columns of names are of one kind then.
    """
    import polars as pl

    if values.dtype != object:
        return pl.Series(values)
    given, known = values.tolist(), (values if labels is None else labels).tolist()
    if known and all(type(one) is int for one in known):
        return pl.Series(given, dtype=None if given else pl.Int64)
    return pl.Series([str(one) for one in given], dtype=pl.String)


def named(names: "polars.Series | None", numbers: Any) -> "polars.Series":
    """The names of vertices, or their numbers where they have none; null for -1."""
    import polars as pl

    places = pl.Series(numbers)
    places = places.set(places < 0, None)
    return places if names is None else names.gather(places)


def frame_of_paths(
    names: "polars.Series | None",
    vertices: Any,
    distance: Any,
    reached: Any,
    predecessor: Any,
    source: "polars.Series | None",
) -> "polars.DataFrame":
    """Columns source, vertex, distance and predecessor of an answer; no path and no predecessor are null.

    Parameters
    ----------
    names : Series, or None
        What vertices are called, by their numbers; None: by these.
    vertices : int32 array, shape (j,)
    distance, reached, predecessor : arrays, shape (j,), or (k, j) with one row per source
        Those of the vertices; the predecessor may be None.
    source : Series, or None
        That of each row.
    """
    import polars as pl

    rows = 1 if distance.ndim == 1 else len(distance)
    columns = {} if source is None else {"source": source}
    columns["vertex"] = named(names, np.tile(vertices, rows))
    columns["distance"] = pl.Series(np.ravel(distance))
    columns["reached"] = pl.Series(np.ravel(reached))
    if predecessor is not None:
        columns["predecessor"] = named(names, np.ravel(predecessor))
    found = pl.when("reached").then("distance").alias("distance")
    return pl.DataFrame(columns).with_columns(found).drop("reached")


def names_of_matrix(frame: Any) -> list[Any] | None:
    """The names of the rows of a pandas frame, if its columns have the same ones in this order; else None.

    Numbers 0, 1, … in this order are no names: rows and columns have them where none were given.
    """
    rows: Any = getattr(frame, "index", None)
    if not hasattr(frame, "columns") or not hasattr(rows, "equals"):
        return None
    names = list(rows) if rows.equals(frame.columns) else None
    return None if names == [*range(len(rows))] else names


def to_pandas(frame: "polars.DataFrame") -> Any:
    """The frame as pandas': integers and truth values with nulls in nullable columns."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for series in frame:
        missing = series.is_null().to_numpy()
        kind = np.dtype(bool) if str(series.dtype) == "Boolean" else None
        if series.dtype.is_integer() or kind is not None:
            values = series.fill_null(False if kind is not None else 0).to_numpy()
            make = pd.arrays.IntegerArray if kind is None else pd.arrays.BooleanArray
            columns[series.name] = make(values.copy(), missing.copy()) if missing.any() else values
        elif series.dtype.is_float():
            columns[series.name] = series.to_numpy()
        else:
            columns[series.name] = series.to_list()
    return pd.DataFrame(columns)
