"""Closing and products of separate matrices, as `warpath.algorithms.all_pairs.partitioned` asks for them."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NamedTuple

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.apsp import BLOCK
from warpath.cuda.elimination import Elimination, max_packed
from warpath.cuda.minplus import BASE, Relax, Rows, closing
from warpath.cuda.product import PACKED_STEPS, Matrix, packed_words
from warpath.cuda.representation import Representation
from warpath.cuda.several import streams
from warpath.cuda.transport import recorded
from warpath.planning.partition import multiple_of

MAX_UNIT = BASE * 2
"""Of what rows and columns are multiples, at the most: words have one distance or two."""


class Blocks:
    """The operations, on CuPy's arrays, queued on the current stream.

    Parameters
    ----------
    how : Representation
    predecessors : bool
    largest : int
        Rows of the largest matrix that is closed.
    rows, deepest : int
        Rows and columns of the largest left operand of a product.
    lazy : bool
        See `warpath.cuda.apsp.floyd_warshall`.
    queue : Queue, optional
        The device, if it is not the current one, and its stream.
    """

    depth = PACKED_STEPS

    def __init__(
        self,
        how: Representation,
        predecessors: bool,
        largest: int,
        rows: int,
        deepest: int,
        lazy: bool = False,
        queue: "Queue | None" = None,
    ):
        self.xp, self.queue = runtime.current().xp, queue
        self.how, self.unit = how, BASE * how.words.distances
        steps = closing(multiple_of(largest, self.unit), self._block(largest))
        product = Relax(Rows(0, rows), 0, multiple_of(deepest, self.depth))
        packed = max(max_packed(steps), packed_words(product))
        none = how.none if lazy else None
        with self.working():
            self.elimination = Elimination(how.words, predecessors, packed, lazy_none=none)

    def _block(self, rows: int) -> int:
        return int(min(multiple_of(rows, self.unit), BLOCK))

    def close(self, D: Any, P: Any) -> None:
        """See `warpath.cuda.apsp.floyd_warshall`; in the representation's numbers."""
        steps = closing(len(D), self._block(len(D)))
        self.elimination.close(Matrix(D, P, self.how.words), steps)

    def better(self, C: Any, CP: Any, A: Any, B: Any, BP: Any) -> None:
        """``C = best(C, A ⊗ B)``.

        Parameters
        ----------
        C : cupy array, shape (rows, columns)
        A : cupy array, shape (rows, k)
            Columns of a larger array, if need be; k a multiple of ``depth``.
        B : cupy array, shape (k, columns)
        CP, BP : cupy arrays of int32 of the shapes of C and B, or None
        """
        words = self.how.words
        self.elimination.products.better(Matrix(C, CP, words), A, Matrix(B, BP, words))

    def place(self, whole: Any, rows: Any, some: Any, order: Any) -> None:
        """``whole[rows, order] = some``; ``whole`` may be NumPy's, or another device's."""
        in_order = some[:, self.xp.asarray(np.argsort(order))]
        if isinstance(whole, np.ndarray):
            whole[rows] = in_order.get()
        elif self.queue is None or whole.device.id == self.queue.device:
            whole[self.xp.asarray(rows)] = in_order
        else:
            with whole.device:
                there = Queue(whole.device.id, self.xp.cuda.get_current_stream())
                whole[self.xp.asarray(rows)] = _copied(in_order, self.queue, there)

    def working(self) -> AbstractContextManager[Any]:
        """Its device and stream are the current ones."""
        return nullcontext() if self.queue is None else self.queue.working()

    def bring(self, array: Any, of: "Blocks") -> Any:
        """A copy on this device of an array of another's."""
        assert self.queue is not None
        assert of.queue is not None
        return _copied(array, of.queue, self.queue)

    def synchronize(self) -> None:
        """Wait for what was queued on a stream of its own."""
        if self.queue is not None:
            with self.working():
                self.queue.stream.synchronize()


class Queue(NamedTuple):
    """A device, and a stream of it."""

    device: int
    stream: Any

    @contextmanager
    def working(self) -> Iterator[None]:
        """Both are the current ones."""
        with runtime.current().xp.cuda.Device(self.device), self.stream:
            yield


def queues(devices: Sequence[int]) -> list[Queue]:
    """One for each device; what was queued on the current stream has happened."""
    here = runtime.current()
    here.xp.cuda.get_current_stream().synchronize()
    return [Queue(device, streams(here, index, device)[0]) for index, device in enumerate(devices)]


def _copied(array: Any, of: Queue, to: Queue) -> Any:
    """A copy on the device ``to``, which is the current one, of a C-contiguous array that ``of`` made."""
    with of.working():
        made = recorded(of.device, of.stream)
    xp = runtime.current().xp
    copy = xp.empty(array.shape, array.dtype)
    to.stream.wait_event(made)
    xp.cuda.runtime.memcpyPeerAsync(
        copy.data.ptr, to.device, array.data.ptr, of.device, array.nbytes, to.stream.ptr
    )
    # Its memory may be given away as soon as nothing refers to it.
    gone = recorded(to.device, to.stream)
    with of.working():
        of.stream.wait_event(gone)
    return copy
