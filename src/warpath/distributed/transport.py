"""How ranks exchange arrays, how they agree, and how the error of one becomes the error of all.

A `Transport` moves arrays between all ranks. MPI and threads of one process each implement its two
abstract methods. All algorithms use `exchange`, and what is made of it.

Every exchange begins with a header: what each rank is about to do, how many elements it has for
each other one, and the size of its largest block. Blocks that are small on all ranks travel inside the
header, so a small exchange is one message. A rank that has failed takes part in the next exchange with
a header that says so. So no rank waits for one that has given up, all raise the same error, and ranks
that do different things are found before any array is moved.
"""

import pickle
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.gpu_exchange import GpuExchange, GpuOptions
from warpath.distributed.peers import Process, Watch
from warpath.errors import RankFailedError, RanksDisagreeError

Array = NDArray[Any]

# What a header says.
_EXCHANGE, _END_OF_CALL, _FAILED = 0, 1, 2
_STEP, _COUNT, _LARGEST = 0, 1, 2  # its words
_WORDS = 24  # their bytes
_INLINE = 232  # bytes of a block that fit behind them: a guess, four cache lines with the words
_LEAVES = "leaves"
_FEW = 64  # numbers, up to which one exchange is faster than two: a guess
_REDUCTIONS: dict[str, np.ufunc] = {"sum": np.add, "min": np.minimum, "max": np.maximum}


class Transport(ABC):
    """One rank's connection to all ranks.

    Attributes
    ----------
    rank, size : int
        Number of this rank, from 0, and how many there are.
    processes : sequence of Process
        Where ranks run; empty if they are threads of one process.
    graphs : int
        Distributed graphs made so far: all ranks give them the same numbers.
    broken : Exception or None
        Why nothing can be exchanged any more.
    has_lost : bool
        Whether that is a rank that others cannot reach.
    gpu_options : GpuOptions
        What `init` was told of GPUs.
    gpu : GpuExchange or None
        This rank's GPU, and the way of arrays that lie on it; None as long as it has none.
    """

    def __init__(
        self,
        rank: int,
        size: int,
        processes: Sequence[Process] = (),
        timeout: float | None = None,
    ) -> None:
        self.rank, self.size, self.graphs = rank, size, 0
        self.processes = processes
        self._watch = Watch(rank, processes, timeout)
        self.broken: Exception | None = None
        self.has_lost = False
        self.gpu_options = GpuOptions()
        self.gpu: GpuExchange | None = None
        self._raised_by_all: Exception | None = None
        self._depth = 0
        self._lock = threading.RLock()  # threads of a rank make their calls one after the other

    @abstractmethod
    def _swap_headers(self, header: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Row q goes to rank q; row q of the answer is from rank q. Shape (size, bytes)."""

    @abstractmethod
    def _swap_blocks(self, blocks: Sequence[Array], counts: Sequence[int]) -> list[Array]:
        """Block q goes to rank q; ``counts[q]`` elements of the same dtype come from rank q."""

    def exchange(self, blocks: Sequence[Array]) -> list[Array]:
        """Send block q to rank q.

        Parameters
        ----------
        blocks : sequence of arrays, one for each rank
            All of one dtype, which is the same on all ranks.

        Returns
        -------
        list of arrays
            What rank q sent here, for each q. It lies where the blocks do: in the host's memory, or on the GPU.
        """
        if self.gpu is not None and self.gpu.holds(blocks[0]):
            return self.gpu.exchange(blocks)
        dtype = blocks[0].dtype
        headers = self._begin(_EXCHANGE, blocks)
        counts, largest = headers[:, :_WORDS].view(np.int64).T[[_COUNT, _LARGEST]]
        if largest.max() > _INLINE:
            return self._swap_blocks(blocks, counts.tolist())
        ends = _WORDS + counts * dtype.itemsize
        return [row[_WORDS:end].view(dtype) for row, end in zip(headers, ends, strict=True)]

    def announce(self, blocks: Sequence[Array]) -> list[int]:
        """Begin an exchange of blocks that go another way; how many elements each rank has for this one."""
        headers = self._begin(_EXCHANGE, blocks, inline=False)
        return headers[:, :_WORDS].view(np.int64)[:, _COUNT].tolist()  # type: ignore[no-any-return]

    def gather(self, block: Array) -> list[Array]:
        """The blocks of all ranks, on all ranks."""
        return self.exchange([block] * self.size)

    def gather_objects(self, value: Any) -> list[Any]:
        """Likewise of objects that can be pickled."""
        blocks = self.gather(np.frombuffer(pickle.dumps(value), np.uint8))
        return [pickle.loads(block.tobytes()) for block in blocks]

    def reduce(self, values: Any, how: str = "sum") -> Array:
        """The sum, minimum or maximum over all ranks of each of some numbers.

        If there are many, each rank reduces a part: they travel twice, and not to all ranks.
        """
        values, reduction = np.atleast_1d(values), _REDUCTIONS[how]
        if len(values) <= _FEW:
            return reduction.reduce(np.stack(self.gather(values)), axis=0)  # type: ignore[no-any-return]
        rows = self.exchange(np.array_split(values, self.size))
        return np.concatenate(self.gather(reduction.reduce(np.stack(rows), axis=0)))

    @contextmanager
    def together(self, call: str, **arguments: Any) -> Iterator[None]:
        """A call that all ranks make: with the same arguments, and with one outcome.

        Calls of several threads of a rank are made one after the other; all ranks make them in the same order.

        Raises
        ------
        RanksDisagreeError
            If ranks make different calls.
        RankFailedError
            If a rank has ended.
        Exception
            What any rank raises inside, the first one's on all.
        """
        with self._lock:
            if self.gpu is not None:
                self.gpu.use()
            if self._depth:  # a call inside a call
                yield
                return
            if self.broken is not None:
                raise self.broken
            self._depth += 1
            try:
                self._compare(_written(call, arguments))
                try:
                    yield
                except Exception as error:
                    if self.broken is None and error is not self._raised_by_all:
                        self._begin(_FAILED, error=error)
                    raise
                self._begin(_END_OF_CALL)
            except Exception:
                raise
            except BaseException:  # a signal's, at different places on different ranks
                self.broken = RankFailedError(f"rank {self.rank} was interrupted")
                self.has_lost = self.size > 1
                raise
            finally:
                self._depth -= 1
                self._raised_by_all = None

    def leave(self) -> None:
        """Tell the other ranks, if they make another call, that this one has ended."""
        if self.broken is None and not self._depth:
            self.broken = RankFailedError(f"rank {self.rank} has left")
            with suppress(RankFailedError):  # others had left before
                self._compare(_LEAVES)

    def wait(self, is_done: Callable[[], bool]) -> None:
        """Until ``is_done()``, or a rank is lost (`Watch.wait`)."""
        try:
            self._watch.wait(is_done)
        except RankFailedError as error:
            self.lose(str(error))

    def lose(self, why: str) -> NoReturn:
        """Exchange nothing any more.

        Raises
        ------
        RankFailedError
            With the reason.
        """
        self.broken, self.has_lost = RankFailedError(why), True
        raise self.broken from None

    def _compare(self, call: str) -> None:
        """Compare what all ranks are about to do."""
        calls = self.gather_objects(call)
        left = [q for q, other in enumerate(calls) if other == _LEAVES]
        if left and len(left) < self.size:
            others = next(other for other in calls if other != _LEAVES)
            self.broken = RankFailedError(f"rank {left[0]} has ended, others call {others}")
            raise self.broken
        for q, other in enumerate(calls):
            if other != calls[0]:
                raise RanksDisagreeError(
                    f"rank 0 calls {calls[0]}, rank {q} {other}: all ranks make the same calls with the same arguments"
                )

    def _begin(
        self,
        step: int,
        blocks: Sequence[Array] = (),
        error: Exception | None = None,
        *,
        inline: bool = True,
    ) -> NDArray[np.uint8]:
        """Swap headers, with the blocks if all of them are small; those of all ranks.

        Parameters
        ----------
        inline : bool
            False: without the blocks, however small they are.
        """
        header = np.zeros((self.size, _WORDS + _INLINE), np.uint8)
        words = header[:, :_WORDS].view(np.int64)
        words[:, _STEP] = step
        if blocks:
            words[:, _COUNT] = [len(block) for block in blocks]
            largest = max(block.nbytes for block in blocks)
            is_inline = inline and largest <= _INLINE
            words[:, _LARGEST] = largest if is_inline else max(largest, _INLINE + 1)
            if is_inline:
                for row, block in zip(header, blocks, strict=True):
                    row[_WORDS : _WORDS + block.nbytes] = np.ascontiguousarray(block).view(np.uint8)
        headers = self._swap_headers(header)
        steps = headers[:, :_WORDS].view(np.int64)[:, _STEP]
        if (steps == step).all() and step != _FAILED:
            return headers
        self._raised_by_all = self._first_error(steps, error)
        raise self._raised_by_all

    def _first_error(self, steps: NDArray[np.int64], error: Exception | None) -> Exception:
        """The error of the first rank that has failed, for all to raise."""
        failed = np.flatnonzero(steps == _FAILED)
        if not len(failed):
            return RanksDisagreeError("ranks have come to different steps of a call")
        first = int(failed[0])
        mine = _bytes(_pickled(error, self.rank)) if first == self.rank else _bytes(b"")
        size = np.full((self.size, 1), len(mine), np.int64).view(np.uint8)
        counts = self._swap_headers(size).view(np.int64)[:, 0]
        blocks = self._swap_blocks([mine] * self.size, counts.tolist())
        if first == self.rank and error is not None:
            return error
        raised: Exception = pickle.loads(blocks[first].tobytes())
        raised.add_note(f"raised by rank {first} of {self.size}")
        return raised


def _pickled(error: Exception | None, rank: int) -> bytes:
    try:
        data = pickle.dumps(error)
        pickle.loads(data)
    except Exception:  # an error that takes other arguments than it keeps
        said = f"rank {rank} failed: {type(error).__name__}: {error}"
        data = pickle.dumps(RankFailedError(said))
    return data


def _written(call: str, arguments: dict[str, Any]) -> str:
    given = (item for item in arguments.items() if item[1] is not None and item[1] is not False)
    return f"{call}({', '.join(f'{name}={value!r}' for name, value in given)})"


def _bytes(data: bytes) -> Array:
    return np.frombuffer(data, np.uint8)
