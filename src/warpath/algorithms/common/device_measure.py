"""A measure that runs on the CPU or on a GPU: its input checked, its plan, and its run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from warpath import devices
from warpath.algorithms.common.problem import Measure
from warpath.algorithms.common.residency import planned, refused_on_several
from warpath.algorithms.common.sources import check_call
from warpath.balance import DEFAULT, lookup
from warpath.graph.arrays import is_on_gpu, to_module
from warpath.graph.graph import Graph
from warpath.planning.fitted_balance import fitted
from warpath.planning.parts import SEARCHES, plan_in_parts
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
    workspace_of_arcs : int
        Bytes of the workspace that lie where the arcs do.
    gathers : bool
        Whether it follows edges by `warpath.aggregate` alone.
    balanced : bool
        Whether a balance hands out edges where none was asked for.
    """

    device: DeviceName
    schedule: Schedule
    workspace_of_arcs: int
    gathers: bool = False
    balanced: bool = True

    def one_gpu(self) -> str:
        """Why several GPUs cannot answer it, as `refused_on_several` says it."""
        if self.search not in SEARCHES:
            return f"there is no {self.search}"
        return refused_on_several(self.search, {"schedule": self.schedule != Schedule()})

    def plan(self, place: Placement) -> Plan:
        """How it runs there."""
        plan = planned(self.graph, place, self._plan, self.one_gpu)
        if (
            place.device == "cpu"
            or plan.parts
            or (not self.balanced and self.schedule.technique is None)
        ):
            return plan
        balance = fitted(
            self.schedule.technique, self.graph, gathers=self.gathers, out_of_core=plan.out_of_core
        )
        return replace(plan, schedule=Schedule(balance=balance))

    def _plan(self, place: Placement) -> Plan:
        if not place.devices:
            plan = super().plan(place)
            if place.out_of_core:
                memory, moved = plan.memory, self.workspace_of_arcs
                memory["workspace"] -= moved
                memory["pinned"] += moved
            return plan
        each = self.answer // max(self.graph.num_vertices, 1)
        return plan_in_parts(
            self.graph, self.search, place, self.method, self.why, self.dtype,
            rows=None, answer_per_vertex=each, schedule=Schedule(balance=lookup(DEFAULT)),
        )  # fmt: skip

    def run(
        self, compute: Callable[[Any], T], in_parts: Callable[[tuple[int, ...]], T] | None = None
    ) -> T:
        """Compute it where it runs.

        Parameters
        ----------
        compute : callable
            Takes NumPy or CuPy; returns an array of that module, or a tuple of arrays and numbers.
        in_parts : callable, optional
            Takes the numbers of several GPUs; returns NumPy's arrays. None: `one_gpu` says why not.

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
                plan = self.plan(place)
                if plan.parts and in_parts is not None:
                    found = in_parts(tuple(one.device for one in plan.parts))
                    return _in_module(found, cupy) if self.device == "cuda" else found
                if plan.out_of_core:
                    on_device(self.graph, out_of_core=True)
                found = compute(cupy)
                return found if self.device == "cuda" else _in_module(found, np)

        cpu_is_able = not self.schedule.only_on_gpus and not self.place.devices
        return run_on(self.device, self.place, there, cpu_is_able=cpu_is_able)


def device_measure(
    graph: Graph,
    search: str,
    method: str,
    why: str,
    dtype: "np.dtype[Any]",
    *,
    device: DeviceName,
    devices: int | Sequence[int] | None = None,
    schedule: ScheduleLike = None,
    answer_per_vertex: int,
    answer_per_arc: int = 0,
    per_vertex: int,
    per_arc: int = 0,
    threads: Callable[[Graph], int] = threads_for,
    reads_weights: bool = True,
    gathers: bool = False,
    balanced: bool = True,
) -> DeviceMeasure:
    """Check a call; other parameters as of `Measure`.

    Parameters
    ----------
    device : {"auto", "cpu", "cuda"}
    schedule : Schedule, str or Technique, optional
        As the caller gave it.
    devices : int or sequence of int, optional
        Likewise.
    answer_per_vertex, answer_per_arc, per_vertex, per_arc : int
        Bytes of the answer, and of the workspace.
    threads : callable
        How many the CPU takes for a graph, at most.
    gathers, balanced : bool
        As of `DeviceMeasure`.

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
        device=device, schedule=how, workspace_of_arcs=per_arc * m, gathers=gathers,
        balanced=balanced,
        place=choose_place(graph, device, only_on_gpus(device, how), devices),
    )  # fmt: skip


def measure_of(*what: Any, **sizes: Any) -> Callable[..., DeviceMeasure]:
    """What checks a call that has no options of its own; parameters as of `device_measure`."""

    def problem(
        graph: Graph, *, device: DeviceName = "auto", schedule: ScheduleLike = None
    ) -> DeviceMeasure:
        return device_measure(graph, *what, device=device, schedule=schedule, **sizes)

    return problem


def _in_module(found: Any, xp: Any) -> Any:
    """An answer's arrays, one or those of a tuple, as arrays of ``xp``; a number as it is."""
    if isinstance(found, tuple):
        return tuple(_in_module(one, xp) for one in found)
    is_array = isinstance(found, np.ndarray) or is_on_gpu(found)
    return to_module(found, xp) if is_array else found
