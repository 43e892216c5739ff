"""What searches by one launch on each GPU ask of the GPUs, whichever processes these belong to."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from warpath.cuda.multi_gpu import Companion

Array = Any  # of the runtime's module
T = TypeVar("T")


class Together(Protocol):
    """GPUs whose kernels reach each other's memory, and those of this process among them.

    All processes make the same calls, whose arguments have an element for each GPU of this process.

    Attributes
    ----------
    devices : sequence of int
        CUDA's numbers of this process's GPUs.
    """

    @property
    def devices(self) -> Sequence[int]:
        """See above."""

    def peer_memory(self) -> AbstractContextManager[Any]:
        """Where this thread allocates what the kernels of other GPUs read."""

    def launch(self, companions: "Sequence[Companion]") -> None:
        """Run programs together; returns when those of this process have ended."""

    def all_gather(self, values: list[T]) -> list[T]:
        """The values of all processes, as many as each has; in the order of the GPUs."""

    def share(self, arrays: Sequence[Array], bounds: Sequence[int]) -> None:
        """Give each GPU the elements of all vertices, of which it has those between two of ``bounds``."""
