"""What `warpath.csgraph` raises and warns of beyond Python's own."""

from collections.abc import Iterator
from contextlib import contextmanager

from scipy.sparse import csgraph as scipys

from warpath import errors


class NegativeCycleError(errors.NegativeCycleError, scipys.NegativeCycleError):  # type: ignore[misc]
    """A cycle of negative weight: SciPy's error and warpath's at once.

    Attributes
    ----------
    cycle : tuple of int
        The cycle's vertices in order; an arc leads from the last back to the first.

    See Also
    --------
    warpath.NegativeCycleError : Warpath's own.

    Examples
    --------
    >>> from warpath import csgraph
    >>> try:
    ...     csgraph.johnson([[0, -1], [-1, 0]])
    ... except csgraph.NegativeCycleError as error:
    ...     print(sorted(error.cycle))
    [0, 1]
    """


@contextmanager
def raised_as_scipys() -> Iterator[None]:
    """Raise warpath's error as a subclass of SciPy's."""
    try:
        yield
    except errors.NegativeCycleError as error:
        raise NegativeCycleError(error.cycle) from None
