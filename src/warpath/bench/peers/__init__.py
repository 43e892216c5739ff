"""Other people's libraries and programs, measured beside warpath by their own rules.

>>> from warpath.bench import peers
>>> [peer.name for peer in peers.available("cpu")][:1]
['scipy']

A new library is a subclass of `warpath.bench.peers.peer.Peer`, a new program one of
`warpath.bench.peers.program.Program`, and a line of the list here.
"""

from warpath.bench.peers.cugraph import CuGraph
from warpath.bench.peers.gapbs import Gapbs
from warpath.bench.peers.graphblas import GraphBLAS
from warpath.bench.peers.gunrock import Gunrock
from warpath.bench.peers.igraph import IGraph
from warpath.bench.peers.networkit import NetworKit
from warpath.bench.peers.networkx import NetworkX
from warpath.bench.peers.peer import Peer
from warpath.bench.peers.scipy import SciPy
from warpath.typing import BuildDeviceName

__all__ = ["NAMES", "Peer", "available", "device", "missing"]

_PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (
        SciPy(),
        NetworkX(),
        IGraph(),
        NetworKit(),
        GraphBLAS(),
        Gapbs(),
        CuGraph(),
        Gunrock(),
    )
}
NAMES: tuple[str, ...] = tuple(_PEERS)


def available(device: str) -> list[Peer]:
    """The peers that can run here on "cpu" or "cuda"."""
    return [peer for peer in _PEERS.values() if peer.device == device and peer.missing() is None]


def missing(device: str) -> dict[str, str]:
    """The peers of that device that cannot run here, and why."""
    every = ((peer.name, peer.missing()) for peer in _PEERS.values() if peer.device == device)
    return {name: why for name, why in every if why is not None}


def device(name: str) -> BuildDeviceName:
    """On which device a peer runs.

    Raises
    ------
    ValueError
        An unknown name; the message lists the choices.
    """
    if name not in _PEERS:
        raise ValueError(f"unknown peer {name!r}: choose one of {', '.join(NAMES)}")
    return _PEERS[name].device
