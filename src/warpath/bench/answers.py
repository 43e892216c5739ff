"""Whether the distances that are measured are right, at the price of one certificate a source."""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import warpath
from warpath import devices, verify
from warpath.bench.certificate import proves
from warpath.errors import VerificationError
from warpath.graph.arrays import Csr, to_host
from warpath.graph.graph import Graph

_DIGEST_BYTES = 16  # two different arrays agree by chance once in 2¹²⁸
# Of graphs with more arcs a certificate takes longer (some 0.1 s a million) than the CPU's answer.
_CHEAP_ARCS = 4_000_000
_CERTIFIED = 3  # sources of those that have one nevertheless
# The part of a GPU's memory for distances that were proved there. A guess: 20 sources on the largest graph of
# the papers, road-USA, are 2 GB.
_SHARE_KEPT = 1 / 16


class Answers:
    """What is known to be right of one graph.

    Distances are unique: the first ones of a source are proved, later ones, by other methods, must
    be the same. Where there is a GPU, it proves them by their certificate and compares them, as far as its
    memory allows to keep them (else it proves them again). `warpath.bench.certificate.proves` leaves rare
    ones open. Without a GPU, three sources of a large graph are proved; from others the first distances
    must be those of the CPU's default method.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._known: dict[tuple[str, int, str], bytes] = {}
        self._kept: dict[tuple[str, int, str], Any] = {}  # on the GPU
        self._dtype: dict[str, np.dtype[Any]] = {}
        self._arcs: dict[int, int] = {}
        self._hops: dict[tuple[int, int], int | None] = {}
        self._others: dict[Any, Any] = {}

    def kept(self, what: Any, make: Callable[[], Any]) -> Any:
        """What is known to be right under a name; made by the first call."""
        if what not in self._others:
            self._others[what] = make()
        return self._others[what]

    def wrong(self, algorithm: str, source: int, distance: Any) -> str | None:
        """What is wrong with the distances of ``algorithm`` ("bfs" or "sssp"); None: nothing.

        They may be NumPy's or CuPy's.
        """
        if devices.missing() is None and self._proved_on_gpu(algorithm, source, distance):
            return None
        distance = to_host(distance)
        key = algorithm, source, distance.dtype.str
        digest = hashlib.blake2b(
            np.ascontiguousarray(distance).data, digest_size=_DIGEST_BYTES
        ).digest()
        if key in self._known:
            return None if self._known[key] == digest else "not the distances that were verified"
        problem = self._disproof(algorithm, source, distance)
        if problem is not None:
            return problem
        self._known[key] = digest
        self._note(np, algorithm, source, distance, self.graph.row_offsets)
        return None

    def _proved_on_gpu(self, algorithm: str, source: int, distance: Any) -> bool:
        """Whether the certificate that a GPU makes is enough."""
        import cupy

        from warpath.cuda.device_graph import on_device

        distance = cupy.asarray(distance)
        key, kind = (algorithm, source, distance.dtype.str), distance.dtype.kind
        if key in self._kept and bool(cupy.array_equal(self._kept[key], distance)):
            return True  # else it is proved, or `verify` says what is wrong
        graph = on_device(self.graph)
        weights = None if algorithm == "bfs" else graph.weights
        csr = Csr(graph.row_offsets, graph.column_indices, weights)
        try:
            if kind != "i" or not proves(
                cupy, csr, source, distance, _none(algorithm, distance.dtype)
            ):
                return False
        except MemoryError:
            return False
        self._note(cupy, algorithm, source, distance, graph.row_offsets)
        room = _SHARE_KEPT * devices.require().memory - sum(a.nbytes for a in self._kept.values())
        if distance.nbytes <= room:
            self._kept[key] = distance.copy()  # the search may use its own again
        return True

    def _note(self, xp: Any, algorithm: str, source: int, distance: Any, offsets: Any) -> None:
        """Keep what later questions need of distances that are right."""
        self._dtype.setdefault(algorithm, distance.dtype)
        if source not in self._arcs:
            reached = distance != _none(algorithm, distance.dtype)
            self._arcs[source] = int((xp.diff(offsets) * reached).sum(dtype=np.int64))

    def _disproof(self, algorithm: str, source: int, distance: NDArray[Any]) -> str | None:
        """What is wrong with the first distances from a source; None: nothing."""
        proved = sum(known == algorithm for known, _, _ in self._known)
        cheap = self.graph.num_arcs <= _CHEAP_ARCS or self.graph.weight_range[0] < 0
        if proved < _CERTIFIED or cheap:
            try:
                getattr(verify, algorithm)(self.graph, source, distance)
            except VerificationError as error:
                return str(error)
            return None
        same = np.array_equal(self._of_cpu(algorithm, source, distance.dtype), distance)
        return None if same else "not the distances of the CPU"

    def _of_cpu(self, algorithm: str, source: int, dtype: np.dtype[Any] | None) -> Any:
        options = {"dtype": dtype} if algorithm == "sssp" else {}
        run = getattr(warpath, algorithm)
        return run(self.graph, source, predecessors=False, device="cpu", **options).distance

    def wrong_values(self, algorithm: str, source: int, distance: NDArray[Any]) -> str | None:
        """The same for distances of any dtype, in which "no path" is infinite or as in warpath."""
        if algorithm not in self._dtype or source not in self._arcs:
            problem = self.wrong(algorithm, source, self._of_cpu(algorithm, source, None))
            if problem is not None:
                return f"warpath's own answer: {problem}"
        dtype = self._dtype[algorithm]
        return self.wrong(algorithm, source, _cast(distance, dtype, algorithm))

    def hops(self, source: int, target: int) -> int | str | None:
        """Arcs of a shortest path; None: there is no path. A string: what is wrong."""
        if (source, target) not in self._hops:
            found = warpath.bfs(self.graph, source, predecessors=False)
            problem = self.wrong("bfs", source, found.distance)
            if problem is not None:
                return problem
            arcs = int(found.distance[target])
            self._hops[source, target] = None if arcs < 0 else arcs
        return self._hops[source, target]

    def arcs(self, source: int) -> int | None:
        """Arcs of what a source reaches, once an answer was verified."""
        return self._arcs.get(source)


def _none(algorithm: str, dtype: np.dtype[Any]) -> Any:
    """The distance that stands for "no path"."""
    if algorithm == "bfs":
        return -1
    return np.inf if dtype.kind == "f" else np.iinfo(dtype).max


def _cast(distance: NDArray[Any], dtype: np.dtype[Any], algorithm: str) -> NDArray[Any]:
    if distance.dtype == dtype:
        return distance
    none = _none(algorithm, dtype)
    if distance.dtype.kind == "f":
        missing = ~np.isfinite(distance)
    else:
        missing = distance == _none(algorithm, distance.dtype)
    cast = np.where(missing, 0, distance).astype(dtype)
    cast[missing] = none
    return cast
