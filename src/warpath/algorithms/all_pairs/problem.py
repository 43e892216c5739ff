"""Calls whose answer is a matrix of distances, their input checked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from warpath.algorithms.all_pairs.rows import Rows, rows_of
from warpath.graph.graph import Graph
from warpath.operators import PathAlgebra
from warpath.planning.all_pairs import ApspRun, apsp_run, plan_all_pairs
from warpath.planning.placement import Placement
from warpath.planning.plan import Plan
from warpath.typing import BuildDeviceName


@dataclass(eq=False)
class ApspProblem:
    """A call of `warpath.apsp`.

    Attributes
    ----------
    graph : Graph
    algebra : PathAlgebra
    method : str
        As it was asked for.
    dtype : dtype
        That of the distances that were asked for.
    predecessors, exact, lazy : bool
    target : Path or None
        The file of the distances.
    gpus : int, sequence of int, or None
        The ``devices=`` of `warpath.apsp`.
    hybrid : bool
        Whether the CPU does a part of what the GPU does.
    progress : callable
    place : Placement
        Where it runs.
    """

    graph: Graph
    algebra: PathAlgebra
    method: str
    dtype: np.dtype[Any]
    predecessors: bool
    exact: bool
    lazy: bool
    target: Path | None
    gpus: int | Sequence[int] | None
    hybrid: bool
    progress: Callable[[int, int], None]
    place: Placement

    def run(self, device: BuildDeviceName) -> ApspRun:
        """The method with everything that it needs."""
        return apsp_run(
            self.graph, self.algebra, self.method, device, self.dtype,
            predecessors=self.predecessors, exact=self.exact, lazy=self.lazy,
            in_file=self.target is not None, gpus=self.gpus, hybrid=self.hybrid,
        )  # fmt: skip

    def plan(self, place: Placement) -> Plan:
        """How it runs there."""
        how = self.run(place.device)
        return plan_of(how, place, rows_for(how))


def rows_for(how: ApspRun) -> Rows | None:
    """What makes the rows; None of a dense method."""
    if how.dense:
        return None
    return rows_of(how.method, how.graph, how.algebra, how.dtype, how.device, prepared=False)


def plan_of(how: ApspRun, place: Placement, rows: Rows | None) -> Plan:
    """The plan of a run."""
    made = (
        None
        if rows is None
        else (rows.nbytes(how.predecessors, how.graph.num_vertices), rows.about)
    )
    return plan_all_pairs(how, place, made)
