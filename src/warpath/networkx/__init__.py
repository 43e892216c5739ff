"""NetworkX's backend ``warpath``: NetworkX's functions, at warpath's speed.

>>> import networkx as nx
>>> G = nx.path_graph(4)
>>> nx.single_source_shortest_path_length(G, 0, backend="warpath")
{0: 0, 1: 1, 2: 2, 3: 3}

Programs need not import this package: NetworkX finds it by its entry points. Its files stand
where NetworkX's own stand, and each function has the name and the arguments of NetworkX's,
and on top of them, where they mean something, ``device=``, ``method=`` and ``schedule=``.
"""

from warpath.networkx.convert import from_networkx
from warpath.networkx.graph import BackendGraph

__all__ = ["BackendGraph", "from_networkx"]
