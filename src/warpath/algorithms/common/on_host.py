"""Answers whose arrays may lie on a GPU."""

from dataclasses import replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from warpath.display import ReprMixin
from warpath.graph.arrays import to_host


class OnHostMixin(ReprMixin):
    """A dataclass with distances and perhaps predecessors."""

    distance: Any

    def __bool__(self) -> bool:
        """True: an answer is an answer, also where nothing is reached."""
        return True

    def to_numpy(self) -> Self:
        """The same with NumPy arrays, whatever device they were found on; copied once, which waits for it.

        Returns
        -------
        same type
            Itself, where its arrays are NumPy's already.
        """
        return self._on_host

    @property
    def _on_host(self) -> Self:
        # Not kept: an object that refers to itself is freed late.
        return self if isinstance(self.distance, np.ndarray) else self._copied

    @cached_property
    def _copied(self) -> Self:
        arrays = {name: getattr(self, name, None) for name in ("distance", "predecessor")}
        on_host = {name: to_host(one) for name, one in arrays.items() if one is not None}
        return replace(self, **on_host)  # type: ignore[type-var]
