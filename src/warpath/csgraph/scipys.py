"""SciPy's own functions, which take CuPy's matrices as well: they run on the host."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from scipy.sparse import csgraph, issparse

from warpath.csgraph.matrices import is_cupys, to_host


def there_and_back(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with CuPy's arrays for who came with CuPy's."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not any(map(is_cupys, (*args, *kwargs.values()))):
            return function(*args, **kwargs)
        here = {name: _host(value) for name, value in kwargs.items()}
        return _as_cupys(function(*map(_host, args), **here))

    return call


def _host(value: Any) -> Any:
    return to_host(value) if is_cupys(value) else value


def _as_cupys(answer: Any) -> Any:
    import cupy
    from cupyx.scipy.sparse import csr_matrix

    return csr_matrix(answer) if issparse(answer) else cupy.asarray(answer)


construct_dist_matrix = there_and_back(csgraph.construct_dist_matrix)
csgraph_from_dense = there_and_back(csgraph.csgraph_from_dense)
csgraph_to_dense = there_and_back(csgraph.csgraph_to_dense)
reconstruct_path = there_and_back(csgraph.reconstruct_path)
