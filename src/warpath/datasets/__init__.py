"""Real graphs, downloaded once: the papers' own, of SuiteSparse, SNAP and DIMACS.

>>> import warpath as wp
>>> wp.datasets.names()[:3]
('asia_osm', 'germany_osm', 'great-britain_osm')

``wp.datasets.fetch("asia_osm")`` is the path of the file, downloaded if it is not there yet;
``wp.datasets.load("asia_osm")`` is the graph. Downloads take Pooch: ``pip install
'warpath[datasets]'``; what lies in the cache is read without it. See docs/topics/datasets.md.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from warpath.datasets import cache, registry

if TYPE_CHECKING:
    from warpath.graph.graph import Graph

__all__ = ["cached", "fetch", "folder", "forget", "load", "names"]

folder = cache.folder


def names() -> tuple[str, ...]:
    """The graphs that `fetch` knows.

    Returns
    -------
    tuple of str
        In the order of the registry.

    See Also
    --------
    load : The graph of a name.

    Examples
    --------
    >>> import warpath as wp
    >>> "asia_osm" in wp.datasets.names()
    True
    """
    return tuple(registry.datasets())


def fetch(name: str) -> Path:
    """Download a graph's file, unless it is in the cache, and check it.

    A file has to have the SHA-256 that warpath's registry says. Where the registry has none,
    that of the first download is recorded in the cache, and has to be met from then on: trust
    on first use. That one must at least be of the format that its name says. A file in the cache
    that is not what was once downloaded is downloaded again.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    Path
        A file that `warpath.read` reads.

    Raises
    ------
    ValueError
        An unknown name, which the message answers with the choices; a download that is not
        what it should be: nothing of it is kept. A record that is damaged.
    ConnectionError
        The server does not answer, has no such file, or broke off. Nothing is kept.
    ModuleNotFoundError
        If Pooch is missing and the file is not in the cache.

    See Also
    --------
    load : The graph.
    cached : The file, if it is there already.

    Notes
    -----
    On a terminal a progress bar appears once the download has taken a second.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.datasets.fetch("asia_osm").name  # doctest: +SKIP
    'asia_osm.tar.gz'
    """
    dataset = registry.lookup(name)
    found = cache.checked(dataset)
    if found is not None:
        return found
    from warpath.datasets import download

    return download.into_cache(dataset)


def load(name: str) -> "Graph":
    """Read the graph of a dataset, downloaded if it is not in the cache.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    Graph
        As the registry says: directed or not, with ids of the file or without gaps.

    Raises
    ------
    ValueError, ConnectionError, ModuleNotFoundError
        See `fetch`.

    See Also
    --------
    fetch : The file alone.
    warpath.read : Reads a file of your own.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.datasets.load("asia_osm")  # doctest: +SKIP
    """
    from warpath.io import read

    dataset = registry.lookup(name)
    return read(fetch(name), directed=dataset.directed, compact=dataset.compact)


def cached(name: str) -> Path | None:
    """The file of a dataset if it is in the cache, whole by its size; None if it is not.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    Path or None
        The file.

    Raises
    ------
    ValueError
        An unknown name.

    See Also
    --------
    fetch : Downloads it.
    forget : Removes it.

    Examples
    --------
    >>> import warpath as wp
    >>> missing = [name for name in wp.datasets.names() if wp.datasets.cached(name) is None]
    """
    return cache.present(registry.lookup(name))


def forget(name: str) -> None:
    """Take a dataset out of the cache, and with it the checksum that was recorded of it.

    Parameters
    ----------
    name : str
        One of `names`.

    Raises
    ------
    ValueError
        An unknown name.

    See Also
    --------
    cached : Whether it is there.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.datasets.forget("asia_osm")  # doctest: +SKIP
    """
    cache.forget(registry.lookup(name))
