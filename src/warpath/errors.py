"""What warpath raises beyond Python's own exceptions."""

from collections.abc import Sequence
from typing import Any


class GraphFormatError(ValueError):
    """A graph file that does not say what its format promises.

    Parameters
    ----------
    file : str
        The file's name; ``<stdin>`` for standard input.
    line : int or None
        1-based line (None where the format has none, or the fault is the whole file's).
    message : str
        What was expected and what stood there.

    See Also
    --------
    read : Raises it.

    Examples
    --------
    >>> import warpath as wp
    >>> with open("broken.mtx", "w") as file:
    ...     _ = file.write("3 3 1\\n")
    >>> wp.read("broken.mtx")
    Traceback (most recent call last):
        ...
    warpath.errors.GraphFormatError: broken.mtx, line 1: expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY', not '3 3 1'
    """

    def __init__(self, file: str, line: int | None, message: str) -> None:
        self.file, self.line, self.message = str(file), line, message
        super().__init__(str(file), line, message)

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        return f"{place}: {self.message}"


class OperatorError(ValueError):
    """An operator that cannot be translated; the message names its line and says what to write.

    See Also
    --------
    operator : What an operator may have.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.operator(len)
    Traceback (most recent call last):
        ...
    warpath.errors.OperatorError: an operator is a Python function, not <built-in function len>
    """


class DeviceUnavailableError(RuntimeError):
    """The device that was asked for cannot be used; the message says what to do about it.

    See Also
    --------
    plan : Plans for a GPU that is not there.

    Examples
    --------
    >>> import warpath as wp
    >>> try:
    ...     r = wp.bfs(wp.generate.grid(3), 0, device="cuda")
    ... except wp.DeviceUnavailableError:
    ...     r = wp.bfs(wp.generate.grid(3), 0, device="cpu")
    """


class RankFailedError(RuntimeError):
    """A rank of a distributed call has ended, or cannot be reached any more.

    See Also
    --------
    RanksDisagreeError : Ranks go on, but do different things.

    Examples
    --------
    >>> import warpath as wp
    >>> issubclass(wp.RankFailedError, RuntimeError)
    True
    """


class RanksDisagreeError(ValueError):
    """Ranks call different functions, or the same one with different arguments.

    See Also
    --------
    RankFailedError : A rank has ended.

    Examples
    --------
    >>> import warpath as wp
    >>> issubclass(wp.RanksDisagreeError, ValueError)
    True
    """


class NoPathError(ValueError):
    """No path leads from one vertex to the other.

    Attributes
    ----------
    source, target : int, or labels of the graph's vertices
    limit : number or None
        How long a path might be, if that was limited.

    See Also
    --------
    shortest_path : Raises it.
    st_connected : Says whether there is a path.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0], [1])
    >>> wp.shortest_path(g, 1, 0)
    Traceback (most recent call last):
        ...
    warpath.errors.NoPathError: no path leads from 1 to 0
    """

    def __init__(self, source: Any, target: Any, limit: Any = None) -> None:
        self.source, self.target, self.limit = source, target, limit
        super().__init__(source, target, limit)

    def __str__(self) -> str:
        limit = "" if self.limit is None else f" within {self.limit}"
        return f"no path leads from {self.source} to {self.target}{limit}"


class NegativeCycleError(ValueError):
    """The source reaches a cycle of negative weight: no shortest path exists.

    Weights of floats add up as the distances' dtype rounds them, so a cycle of weight 0 may count as negative.

    Attributes
    ----------
    cycle : tuple of int, or of labels of the graph's vertices
        The cycle's vertices in order; an arc leads from the last back to the first.

    See Also
    --------
    sssp : Raises it.
    warpath.verify.negative_cycle : Checks a cycle.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0, 1, 2], [1, 2, 1], [4, 1, -3])
    >>> try:
    ...     wp.sssp(g, 0)
    ... except wp.NegativeCycleError as error:
    ...     print(sorted(error.cycle))
    [1, 2]
    """

    def __init__(self, cycle: Sequence[Any]) -> None:
        self.cycle = tuple(v.item() if hasattr(v, "item") else v for v in cycle)
        super().__init__(self.cycle)

    def __str__(self) -> str:
        shown = [str(v) for v in self.cycle[:10]]
        if len(self.cycle) > 10:
            shown.append(f"… ({len(self.cycle)} vertices)")
        shown.append(str(self.cycle[0]))
        return f"negative cycle reachable from the source: {' → '.join(shown)}"


class VerificationError(AssertionError):
    """An answer that breaks a property which every right answer has.

    Attributes
    ----------
    broken : str
        The name of the property (see `warpath.verify`).

    See Also
    --------
    warpath.verify : The properties.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.grid(3)
    >>> distance = wp.bfs(g, 0).distance.copy()
    >>> distance[8] = 3
    >>> try:
    ...     wp.verify.bfs(g, 0, distance)
    ... except wp.VerificationError as error:
    ...     print(error.broken)
    tight
    """

    def __init__(self, broken: str, message: str) -> None:
        self.broken, self.message = broken, message
        super().__init__(broken, message)

    def __str__(self) -> str:
        return f"{self.broken}: {self.message}"
