"""A measure that runs on the CPU or on a GPU: its input checked, its plan, and its run."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from warpath import devices
from warpath.algorithms.common.out_of_core import planned
from warpath.algorithms.common.problem import Measure
from warpath.algorithms.common.sources import check_call
from warpath.graph.arrays import is_on_gpu
from warpath.graph.graph import Graph
from warpath.planning.fitted_balance import fitted
from warpath.planning.placement import Placement, choose_place, only_on_gpus, run_on
from warpath.planning.plan import Plan
from warpath.planning.threads import threads_for
from warpath.schedule import Schedule, ScheduleLike, schedule_for
from warpath.typing import DEVICES, DeviceName

T = TypeVar("T")


@dataclass(eq=False, kw_only=True)
class DeviceMeasure(Measure):
    """A measure on either device.

    Attributes
    ----------
    device : {"auto", "cpu", "cuda"}
        As the caller gave it.
    schedule : Schedule
        What was asked about how: a balance, or nothing.
    """

    device: DeviceName
    schedule: Schedule

    def plan(self, place: Placement) -> Plan:
        """How it runs there."""
        plan = planned(self.graph, place, super().plan)
        if place.device == "cpu":
            return plan
        balance = fitted(self.schedule.technique, self.graph, out_of_core=plan.out_of_core)
        return replace(plan, schedule=Schedule(balance=balance))

    def run(self, compute: Callable[[Any], T]) -> T:
        """Compute it where it runs.

        Parameters
        ----------
        compute : callable
            Takes NumPy or CuPy; returns an array of that module, or a tuple of arrays and numbers.

        Returns
        -------
        array or tuple
            For ``device="cuda"`` CuPy's arrays, else NumPy's.

        Raises
        ------
        DeviceUnavailableError, MemoryError
        """

        def there(place: Placement) -> T:
            if place.device == "cpu":
                return compute(np)
            devices.require()
            import cupy

            from warpath.cuda.device_graph import on_device

            n, m = self.graph.num_vertices, self.graph.num_arcs
            with devices.memory_for(f"{self.search} of {n:,} vertices and {m:,} edges"):
                if self.plan(place).out_of_core:
                    on_device(self.graph, out_of_core=True)
                found = compute(cupy)
                return found if self.device == "cuda" else _fetched(found)

        cpu_is_able = not self.schedule.only_on_gpus
        return run_on(self.device, self.place, there, cpu_is_able=cpu_is_able)


def device_measure(
    graph: Graph,
    search: str,
    method: str,
    why: str,
    dtype: "np.dtype[Any]",
    *,
    device: DeviceName,
    schedule: ScheduleLike = None,
    answer_per_vertex: int,
    answer_per_arc: int = 0,
    per_vertex: int,
    per_arc: int = 0,
    threads: Callable[[Graph], int] = threads_for,
    reads_weights: bool = True,
) -> DeviceMeasure:
    """Check a call; other parameters as of `Measure`.

    Parameters
    ----------
    device : {"auto", "cpu", "cuda"}
    schedule : Schedule, str or Technique, optional
        As the caller gave it.
    answer_per_vertex, answer_per_arc, per_vertex, per_arc : int
        Bytes of the answer, and of the workspace.
    threads : callable
        How many the CPU takes for a graph, at most.

    Raises
    ------
    TypeError, ValueError, DeviceUnavailableError
    """
    check_call(graph, device, DEVICES)
    how = schedule_for(search, schedule)
    if how.technique is not None and how.technique.launches_children:
        raise ValueError(f"balance={how.balance!r} launches child grids, which {search} has not")
    n, m = graph.num_vertices, graph.num_arcs
    return DeviceMeasure(
        graph=graph, search=search, method=method, why=why, dtype=dtype,
        answer=answer_per_vertex * n + answer_per_arc * m, workspace=per_vertex * n + per_arc * m,
        threads=threads(graph), reads_weights=reads_weights,
        device=device, schedule=how,
        place=choose_place(graph, device, only_on_gpus(device, how)),
    )  # fmt: skip


def measure_of(*what: Any, **sizes: Any) -> Callable[..., DeviceMeasure]:
    """What checks a call that has no options of its own; parameters as of `device_measure`."""

    def problem(
        graph: Graph, *, device: DeviceName = "auto", schedule: ScheduleLike = None
    ) -> DeviceMeasure:
        return device_measure(graph, *what, device=device, schedule=schedule, **sizes)

    return problem


def _fetched(found: Any) -> Any:
    """NumPy's arrays of CuPy's."""
    if isinstance(found, tuple):
        return tuple(map(_fetched, found))
    return found.get() if is_on_gpu(found) else found
