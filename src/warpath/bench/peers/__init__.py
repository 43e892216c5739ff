"""Other people's libraries and programs, measured next to warpath by their own rules.

>>> from warpath.bench.peers import PEERS
>>> [name for name, peer in PEERS.items() if peer.missing() is None][:1]
['scipy']

A new library is a subclass of `warpath.bench.peers.peer.Peer`, a new program one
of `warpath.bench.peers.external_program.Program`, and a line of the list here.
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

__all__ = ["PEERS"]

PEERS: dict[str, Peer] = {
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
"""Every peer, by its name; `Peer.missing` says whether it can run here."""
