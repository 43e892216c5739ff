"""Whether the distances that are measured are right, at the price of one certificate a source."""

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from warpath import verify
from warpath.errors import VerificationError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from warpath.graph.graph import Graph

_DIGEST_BYTES = 16  # two different arrays agree by chance once in 2¹²⁸
# Of graphs with more arcs a certificate takes longer (some 0.1 s a million) than the CPU's answer.
_CHEAP_ARCS = 4_000_000
_CERTIFIED = 3  # sources of those that have one nevertheless


class Answers:
    """What is known to be right of one graph.

    Distances are unique, so only the first ones of a source are proved by their certificate; later
    ones, by other methods, must be the same bytes. Of large graphs three sources are proved so;
    from others the first distances must be those of the CPU's default method.
    """

    def __init__(self, graph: "Graph") -> None:
        self.graph = graph
        self._known: dict[tuple[str, int, str], bytes] = {}
        self._dtype: dict[str, np.dtype[Any]] = {}
        self._arcs: dict[int, int] = {}

    def wrong(self, algorithm: str, source: int, distance: "NDArray[Any]") -> str | None:
        """What is wrong with the distances of ``algorithm`` ("bfs" or "sssp"); None: nothing."""
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
        self._dtype.setdefault(algorithm, distance.dtype)
        if source not in self._arcs:
            reached = distance != (-1 if algorithm == "bfs" else _none(distance.dtype))
            self._arcs[source] = int(self.graph.degree[reached].sum(dtype=np.int64))
        return None

    def _disproof(self, algorithm: str, source: int, distance: "NDArray[Any]") -> str | None:
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
        import warpath

        options = {"dtype": dtype} if algorithm == "sssp" else {}
        run = getattr(warpath, algorithm)
        return run(self.graph, source, predecessors=False, device="cpu", **options).distance

    def wrong_values(self, algorithm: str, source: int, distance: "NDArray[Any]") -> str | None:
        """The same for distances of any dtype, in which "no path" is infinite or as in warpath."""
        if algorithm not in self._dtype or source not in self._arcs:
            problem = self.wrong(algorithm, source, self._of_cpu(algorithm, source, None))
            if problem is not None:
                return f"warpath's own answer: {problem}"
        dtype = self._dtype[algorithm]
        return self.wrong(algorithm, source, _cast(distance, dtype, algorithm))

    def arcs(self, source: int) -> int | None:
        """Arcs of what a source reaches, once an answer was verified."""
        return self._arcs.get(source)


def _none(dtype: np.dtype[Any]) -> Any:
    """The distance that stands for "no path" in shortest paths."""
    return np.inf if dtype.kind == "f" else np.iinfo(dtype).max


def _cast(distance: "NDArray[Any]", dtype: np.dtype[Any], algorithm: str) -> "NDArray[Any]":
    if distance.dtype == dtype:
        return distance
    none = -1 if algorithm == "bfs" else _none(dtype)
    if distance.dtype.kind == "f":
        missing = ~np.isfinite(distance)
    else:
        missing = distance == (-1 if algorithm == "bfs" else _none(distance.dtype))
    cast = np.where(missing, 0, distance).astype(dtype)
    cast[missing] = none
    return cast
