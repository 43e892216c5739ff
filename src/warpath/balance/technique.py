"""What all load-balancing techniques have in common: names, knobs, printing and parsing."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import product
from typing import Any, ClassVar, NamedTuple, Self, get_args, get_type_hints

import numpy as np

WARP_LANES = 32  # of `core/types.cuh`
COUNTER_BYTES = 64  # of a workspace, before all else: `workspace_counters` of balance.cuh


AUTO = "auto"
"""The value of a knob that comes from the degrees of a graph (`warpath.planning.knobs`)."""


class TempStorage(NamedTuple):
    """Device memory that a technique's kernel uses in addition to the frontier.

    Attributes
    ----------
    prepared : tuple of int and array
        What it reads of a graph: made once.
    workspace : int
        Bytes that a run writes, beyond its counters; at least 1 if it has any.
    """

    prepared: tuple[Any, ...] = ()
    workspace: int = 0


@dataclass(frozen=True)
class Technique:
    """How the arcs of a frontier reach threads.

    A subclass is one published technique, its fields are the knobs. It prints as it is
    parsed: ``virtual-warp:width=8``; knobs that have their default are left out.

    Attributes
    ----------
    name : str
        How a user asks for it.
    paper : str
        Where it was published.
    cost : str
        What it costs, and where it is fast.
    """

    name: ClassVar[str]
    paper: ClassVar[str]
    cost: ClassVar[str]

    @classmethod
    def choices(cls) -> dict[str, tuple[Any, ...]]:
        """The values that each knob may have."""
        hints = get_type_hints(cls)
        return {field.name: get_args(hints[field.name]) for field in fields(cls)}

    @classmethod
    def variants(cls) -> Iterator[Self]:
        """The technique with every setting of its knobs."""
        choices = cls.choices()
        for values in product(*choices.values()):
            yield cls(**dict(zip(choices, values, strict=True)))

    @property
    def kernel(self) -> str:
        """The C++ type that does it, as in ``cuda/kernels/balance``: ``VirtualWarp<8>``.

        A word is a member of the enumeration that is named as its knob. Not while a knob is `AUTO`.
        """
        knobs = ", ".join(
            f"warpath::{field.name.capitalize()}::{value.replace('-', '_')}"
            if isinstance(value := getattr(self, field.name), str)
            else str(value)
            for field in fields(self)
        )
        return type(self).__name__ + (f"<{knobs}>" if knobs else "")

    @property
    def taken(self) -> tuple[str, ...]:
        """The names that an iteration's trace may show: its own, if it does all the work."""
        return (self.name,)

    @property
    def lists(self) -> bool:
        """Whether it lists vertices or arcs of a frontier in its workspace, which has room for each once.

        Then a frontier in which a vertex may be several times is refused.
        """
        return False

    @property
    def launches_children(self) -> bool:
        """Whether it launches child grids: then each iteration is a launch, ``loop=host``."""
        return False

    @property
    def needs_grid(self) -> bool:
        """Whether its warps need others than those of their block: memory that all share, or a barrier."""
        return False

    @property
    def adapts(self) -> bool:
        """Whether it, or a knob of it, is chosen by the degrees of a graph before it has a kernel."""
        return any(getattr(self, field.name) == AUTO for field in fields(self))

    def temp_storage(self, xp: Any, graph: Any) -> TempStorage:
        """Device memory that it needs for a graph.

        Parameters
        ----------
        xp : module
            CuPy, or NumPy in tests: of the graph's arrays.
        graph : DeviceGraph
            ``row_offsets``, ``sources``, ``num_vertices`` and ``num_arcs`` of it.
        """
        return TempStorage()

    def __post_init__(self) -> None:
        for knob, values in self.choices().items():
            value = getattr(self, knob)
            if isinstance(value, np.generic):
                value = value.item()
                object.__setattr__(self, knob, value)
            # 16.0 and True are equal to values that a knob may have, and print otherwise in C++.
            if not any(type(value) is type(one) and value == one for one in values):
                listed = ", ".join(str(v) for v in values)
                raise ValueError(f"{self.name}: {knob} must be one of {listed}, not {value!r}")

    @classmethod
    def parse(cls, knobs: str) -> Self:
        """This technique with ``knobs`` as ``knob=value,knob=value``.

        Raises
        ------
        ValueError
            An unknown knob, or a value that it may not have.
        """
        choices, values = cls.choices(), {}
        for item in filter(None, knobs.split(",")):
            knob, _, text = item.partition("=")
            if knob not in choices:
                known = ", ".join(choices) or "none"
                raise ValueError(f"{cls.name} has no knob {knob!r}; its knobs: {known}")
            values[knob] = next((v for v in choices[knob] if str(v) == text), text)
        return cls(**values)

    def __str__(self) -> str:
        set_knobs = [
            f"{field.name}={getattr(self, field.name)}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        ]
        return ":".join(filter(None, (self.name, ",".join(set_knobs))))
