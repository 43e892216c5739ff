"""What differs between NetworkX's versions."""

import warnings

import networkx as nx

VERSION = tuple(int(part) for part in nx.__version__.split(".")[:2])


def announce(text: str) -> None:
    """NetworkX 3.4's announcement that a function will return something else."""
    warnings.warn(text, FutureWarning, stacklevel=4)
