"""Many trials to one a configuration and graph: what a repository keeps of a run."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from warpath.bench.summary import Cell, Summary
from warpath.bench.trial import Trial


def condense(summaries: Iterable[Summary]) -> Iterator[Trial]:
    """One trial for each cell: the medians.

    ``extra`` says how many trials it stands for (``trials``) and has the quartiles of their seconds
    (``quartiles``); lists, such as histograms of degrees, stay behind. A cell without a trial that counts keeps its last one, which says why.
    """
    for found in summaries:
        for cell in found.cells.values():
            yield _median(cell)


def _median(cell: Cell) -> Trial:
    if cell.status != "ok":
        return cell.trials[-1]
    last = cell.good[-1]
    names = dict.fromkeys(name for one in cell.good for name in one.extra)
    extra: dict[str, Any] = {
        name: value for name in names if not isinstance(value := cell.count(name), (list, dict))
    }
    if cell.quartiles is not None:
        extra["quartiles"] = list(cell.quartiles)
    return replace(
        last,
        source=None,
        seconds=cell.seconds,
        cold_seconds=cell.cold,
        arcs=round(cell.teps * cell.seconds) if cell.teps and cell.seconds else None,
        iterations=cell.count("iterations"),
        relaxations=cell.count("relaxations"),
        verified=all(one.verified for one in cell.good) if last.verified is not None else None,
        extra=extra | {"trials": cell.repeats},
    )
