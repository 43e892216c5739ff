"""All pairs' shortest paths of a matrix whose rows are spread over several CUDA devices."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cuda import runtime
from warpath.cuda.block_cyclic import BUFFERS, BlockCyclic, distribute, execute
from warpath.cuda.dense import fill_rows
from warpath.cuda.elimination import Elimination, factor_bytes, max_packed
from warpath.cuda.minplus import BASE, Relax, Rows, closing_group, words_of
from warpath.cuda.product import Matrix, packed_words, paths_nbytes
from warpath.cuda.representation import Representation, represent, span
from warpath.cuda.runtime import Runtime
from warpath.cuda.staging import Staging
from warpath.cuda.transport import recorded, transport_of
from warpath.graph.arrays import Csr
from warpath.graph.graph import Graph
from warpath.operators import lookup

# Vertices whose rows are closed by their owner and sent. Half of what one device takes: while the
# next owner closes its group, the others have half as much work at least. A guess.
BLOCK = 1024
_FIRST = -1  # a priority above the usual 0


def share_nbytes(
    n: int,
    dtype: np.dtype[Any],
    predecessors: bool,
    devices: int,
    block: int = BLOCK,
    lazy: bool = False,
) -> int:
    """What `Shares` take of the device that has most."""
    words = words_of(dtype.name, "shortest", True)
    layout = _layout(n, dtype, devices, block)
    rows = layout.rows(0) + (BUFFERS * layout.size if devices > 1 else 0)
    element = dtype.itemsize + 4 * predecessors
    extra = _packed(layout, 0) * words.bytes + factor_bytes(words)
    if lazy:
        extra += paths_nbytes(layout.rows(0), layout.n, layout.size)
    return rows * layout.n * element + extra


def arcs_nbytes(graph: Graph, dtype: np.dtype[Any], devices: int, block: int = BLOCK) -> int:
    """What the arcs of a group take, at most, while `Shares.fill` makes its rows."""
    layout, offsets = _layout(graph.num_vertices, dtype, devices, block), graph.row_offsets
    ends = offsets[np.minimum(np.arange(layout.groups + 1) * layout.size, graph.num_vertices)]
    return int(np.diff(ends).max()) * (4 + dtype.itemsize) + 8 * (layout.size + 1)


def _layout(n: int, dtype: np.dtype[Any], devices: int, block: int) -> BlockCyclic:
    unit = BASE * words_of(dtype.name, "shortest", True).distances
    return distribute(max(-(-n // unit), 1) * unit, unit, devices, block)


def _packed(layout: BlockCyclic, device: int) -> int:
    """Words that a device's left operands take at most."""
    all_rows = packed_words(Relax(Rows(0, layout.rows(device)), 0, layout.size))
    return max(all_rows, max_packed(closing_group(0, layout.size)))


class Shares:
    """A matrix of n rows, in groups of rows that are distributed cyclically to devices.

    Parameters
    ----------
    n : int
    dtype : dtype
        int16, int32, int64, float32 or float64.
    predecessors : bool
    devices : sequence of int
        CUDA's numbers; one that is named twice has two shares.
    block : int
        About how many vertices' rows are closed and sent at once.
    """

    def __init__(
        self, n: int, dtype: np.dtype[Any], predecessors: bool, devices: Sequence[int],
        *, block: int = BLOCK,
    ):  # fmt: skip
        if block < 1:
            raise ValueError(f"block={block}: at least 1 vertex")
        if len(devices) == 0:
            raise ValueError("devices=(): at least one")
        self.n, self.devices = n, tuple(devices)
        self.layout = _layout(n, dtype, len(self.devices), block)
        self.shares = [
            _Share(index, device, self.layout, dtype, predecessors)
            for index, device in enumerate(self.devices)
        ]

    def load(self, distance: Any, predecessor: Any, none: Any) -> None:
        """Copy a matrix of CuPy's or NumPy's, shape (n, n), to the devices; none pads it."""
        for share in self.shares:
            with share.working():
                share.distance.fill(none)
                if share.predecessor is not None:
                    share.predecessor.fill(-1)
        self._copy((distance, predecessor), inward=True)

    def fill(self, graph: Graph, source: Any, none: Any, larger: bool) -> None:
        """Fill the matrix with a graph's arcs: see `warpath.cuda.dense.fill`."""
        offsets, asarray = graph.row_offsets, runtime.current().xp.asarray
        for share in self.shares:
            for group in self.layout.owned(share.index):
                first, size, *_ = self.layout.vertices(group)
                size = min(size, self.n - first)
                arcs = slice(int(offsets[first]), int(offsets[first + size]))
                with share.working():
                    mine = Csr(
                        asarray(offsets[first : first + size + 1].astype(np.uint64)),
                        asarray(graph.column_indices[arcs]),
                        _weights(graph, arcs, share.distance.dtype),
                    )
                    distance, predecessor = share.group(group)
                    distance.fill(none)
                    if predecessor is not None:
                        predecessor.fill(-1)
                        predecessor = predecessor[:size]
                    fill_rows(mine, first, source, none, larger, distance[:size], predecessor)

    def close(
        self, algebra: str = "shortest", *, transport: str | None = None,
        progress: Callable[[int, int], None] | None = None,
        lazy: bool = False,
    ) -> None:  # fmt: skip
        """Make distances of the arcs; returns when all devices are done.

        Parameters
        ----------
        algebra : {"shortest", "minimax", "widest", "most-reliable"}
        transport : {"nccl", "peer"}, optional
            How rows are sent; None: NCCL where it is installed.
        progress : callable, optional
            Called with (groups done, groups); may raise to stop.
        lazy : bool
            See `warpath.cuda.apsp.floyd_warshall`.

        Raises
        ------
        OverflowError
            See `warpath.cuda.representation.represent`.
        """
        dtype = self.shares[0].distance.dtype
        none = lookup(algebra).none(dtype)
        how = represent(self.n, dtype, algebra, lambda: self._span(none))
        run = _Run(self, how, transport, lazy)
        try:
            execute(self.layout, run, progress or (lambda done, groups: None))
        finally:
            for share in self.shares:
                share.synchronize()
        for share in self.shares:
            with share.working():
                how.restore(*share.arrays)
        if progress is not None:
            progress(self.layout.groups, self.layout.groups)

    def store(self, distance: Any, predecessor: Any = None) -> None:
        """Copy the rows to a matrix of CuPy's or NumPy's, shape (n, n); returns when it is there."""
        self._copy((distance, predecessor), inward=False)

    def _span(self, none: Any) -> tuple[int, int]:
        spans = []
        for share in self.shares:
            if len(share.distance):
                with share.working():
                    spans.append(span(share.distance, none))
        return min(low for low, _ in spans), max(high for _, high in spans)

    def _copy(self, whole: Sequence[Any], *, inward: bool) -> None:
        """Between the shares and matrices that may lie anywhere."""
        xp = runtime.current().xp
        for array in whole:
            if isinstance(array, xp.ndarray):  # what is queued there may make it
                with array.device:
                    xp.cuda.get_current_stream().synchronize()

        def copy(share: _Share) -> None:
            with share.working():
                for array, mine in zip(whole, share.arrays, strict=False):
                    if isinstance(array, xp.ndarray):
                        self._between_devices(array, mine, share, inward)
                    else:
                        self._with_host(array, mine, share, inward)
                share.work.synchronize()

        with ThreadPoolExecutor(len(self.shares)) as threads:
            list(threads.map(copy, self.shares))

    def _parts(self, share: "_Share") -> Iterator[tuple[slice, slice]]:
        """(rows of the matrix, rows of the share)."""
        for group in self.layout.owned(share.index):
            (first, size, *_), place = self.layout.vertices(group), self.layout.place(group)
            size = min(size, self.n - first)
            yield slice(first, first + size), slice(place.first, place.first + size)

    def _between_devices(self, whole: Any, mine: Any, share: "_Share", inward: bool) -> None:
        here, other = runtime.current(), whole.device.id
        copy = here.xp.cuda.runtime.memcpyPeerAsync
        for there, place in self._parts(share):
            part, rows = whole[there], mine[place, : self.n]
            # Whole rows side by side, which those of a padded matrix are not.
            whole_rows = rows if rows.flags.c_contiguous else here.xp.empty(rows.shape, rows.dtype)
            near, far = (here.address(whole_rows), share.device), (here.address(part), other)
            if not inward and whole_rows is not rows:
                whole_rows[...] = rows
            copy(*(near + far if inward else far + near), part.nbytes, share.work.ptr)
            if inward and whole_rows is not rows:
                rows[...] = whole_rows

    def _with_host(self, whole: NDArray[Any], mine: Any, share: "_Share", inward: bool) -> None:
        with Staging(self.n * mine.itemsize) as staging:
            worked = recorded(share.device, share.work)
            staging.stream.wait_event(worked)
            for there, here in self._parts(share):
                if inward:
                    staging.to_device(whole[there], mine[here])
                else:
                    staging.to_host(mine[here], whole[there], worked)


class _Share:
    """A device's rows, and its two queues."""

    def __init__(
        self, index: int, device: int, layout: BlockCyclic, dtype: np.dtype[Any], predecessors: bool
    ):
        self.index, self.device, self.layout = index, device, layout
        self.cuda = runtime.current().xp.cuda
        self.work, self.copies = streams(runtime.current(), index, device)
        with self.working():
            shape = layout.rows(index), layout.n
            empty = runtime.current().xp.empty
            self.distance = empty(shape, dtype)
            self.predecessor = empty(shape, np.int32) if predecessors else None

    @property
    def arrays(self) -> list[Any]:
        """The distances, and the predecessors where there are any."""
        return [array for array in (self.distance, self.predecessor) if array is not None]

    def group(self, group: int) -> tuple[Any, Any]:
        """Distances and predecessors (or None) of a group's rows."""
        place = self.layout.place(group)
        part = slice(place.first, place.first + place.size)
        return self.distance[part], None if self.predecessor is None else self.predecessor[part]

    @contextmanager
    def working(self) -> Iterator[None]:
        """The device and the queue for work are the current ones."""
        with self.cuda.Device(self.device), self.work:
            yield

    def synchronize(self) -> None:
        """Wait for both queues."""
        with self.cuda.Device(self.device):
            self.work.synchronize()
            self.copies.synchronize()


class _Run:
    """What `warpath.cuda.block_cyclic.execute` calls."""

    def __init__(
        self,
        whole: Shares,
        how: Representation,
        transport: str | None,
        lazy: bool,
    ):
        self.layout, self.shares, self.words = whole.layout, whole.shares, how.words
        self.eliminations, self.buffers = [], []
        several = len(self.shares) > 1
        for share in self.shares:
            with share.working():
                how.replace_no_path(share.distance)
                packed, predecessors = _packed(self.layout, share.index), len(share.arrays) == 2
                none = how.none if lazy else None
                self.eliminations.append(
                    Elimination(how.words, predecessors, packed, lazy_none=none)
                )
                shape = BUFFERS if several else 0, self.layout.size, self.layout.n
                empty = runtime.current().xp.empty
                self.buffers.append([empty(shape, one.dtype) for one in share.arrays])
            share.synchronize()  # copies go to the buffers on another queue
        if several:
            streams = [share.copies for share in self.shares]
            self.transport = transport_of(transport, whole.devices, streams)

    def wait(self, device: int, copies: bool, event: Any) -> None:
        """See `warpath.cuda.block_cyclic.Devices`, also of what follows."""
        share = self.shares[device]
        with share.working():
            (share.copies if copies else share.work).wait_event(event)

    def close(self, device: int, group: int) -> Any:
        """Its owner's rows."""
        rows, share = self.layout.vertices(group), self.shares[device]
        with share.working():
            steps = closing_group(rows.first, rows.first + rows.size)
            self.eliminations[device].close(self._panel(device, group), steps)
        return recorded(share.device, share.work)

    def relax(self, device: int, group: int, rows: Rows) -> Any:
        """A device's rows, through a group's that are its own or were sent."""
        (low, size, *_), share = self.layout.vertices(group), self.shares[device]
        mine = Matrix(share.distance, share.predecessor, self.words)
        with share.working():
            self.eliminations[device].products.relax(
                mine, Relax(rows, low, low + size), self._panel(device, group)
            )
        return recorded(share.device, share.work)

    def broadcast(self, group: int) -> dict[int, Any]:
        """A group's rows, to the others' buffers."""
        panels = [self._panel(device, group) for device in range(self.layout.devices)]
        arrays = [
            [one for one in (panel.distance, panel.predecessor) if one is not None]
            for panel in panels
        ]
        return self.transport.broadcast(self.layout.owner(group), arrays)

    def finish(self, event: Any) -> None:
        """On the host."""
        event.synchronize()

    def _panel(self, device: int, group: int) -> Matrix:
        """A group's rows where a device has them."""
        low, size, *_ = self.layout.vertices(group)
        if self.layout.owner(group) == device:
            return Matrix(*self.shares[device].group(group), self.words, low)
        distance, *predecessor = (one[group % BUFFERS, :size] for one in self.buffers[device])
        return Matrix(distance, predecessor[0] if predecessor else None, self.words, low)


def _weights(graph: Graph, arcs: slice, dtype: np.dtype[Any]) -> Any:
    xp = runtime.current().xp
    if graph.weights is None:
        return xp.ones(arcs.stop - arcs.start, dtype)
    return xp.asarray(graph.weights[arcs].astype(dtype, copy=False))


@cache
def streams(here: Runtime, index: int, device: int) -> tuple[Any, Any]:
    """For work and for copies, never given back: launches remember them by their handles.

    Kernels of copies start before blocks of work that wait.
    """
    cuda = here.xp.cuda
    with cuda.Device(device):
        return (
            cuda.Stream(non_blocking=True),
            cuda.Stream(non_blocking=True, priority=_FIRST),
        )
