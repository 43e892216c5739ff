"""SciPy's own functions: matrices are checked first, and may be CuPy's, for they run on the host."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from scipy.sparse import csgraph, issparse

from warpath.csgraph.matrices import is_cupys, like
from warpath.graph.sparse import check_sparse


def _there_and_back(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with CuPy's arrays in the answer if the call has any."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = next(filter(is_cupys, (*args, *kwargs.values())), None)
        if given is None:
            return function(*args, **kwargs)
        here = {name: _host(value) for name, value in kwargs.items()}
        return like(given, function(*map(_host, args), **here))

    return call


def _checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, for sparse matrices whose arrays fit together."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            if issparse(value):
                check_sparse(value)
        return function(*args, **kwargs)

    return call


def _host(value: Any) -> Any:
    return value.get() if is_cupys(value) else value


construct_dist_matrix = _there_and_back(_checked(csgraph.construct_dist_matrix))
csgraph_from_dense = _there_and_back(csgraph.csgraph_from_dense)
csgraph_to_dense = _there_and_back(_checked(csgraph.csgraph_to_dense))
reconstruct_path = _there_and_back(_checked(csgraph.reconstruct_path))

csgraph_to_masked = _checked(csgraph.csgraph_to_masked)
depth_first_order = _checked(csgraph.depth_first_order)
depth_first_tree = _checked(csgraph.depth_first_tree)
laplacian = _checked(csgraph.laplacian)
maximum_bipartite_matching = _checked(csgraph.maximum_bipartite_matching)
maximum_flow = _checked(csgraph.maximum_flow)
min_weight_full_bipartite_matching = _checked(csgraph.min_weight_full_bipartite_matching)
reverse_cuthill_mckee = _checked(csgraph.reverse_cuthill_mckee)
structural_rank = _checked(csgraph.structural_rank)
