"""The language that operators are written in: a part of Python, translated for CPUs and GPUs.

An operator says what an edge, or a vertex, does. It is a Python function of numbers and of arrays with an
element for each vertex. `translate` makes a typed tree of its source; `cpp` and `python` write that tree down
as CUDA C++ and as Python for Numba. Both do the same arithmetic: types are promoted as NumPy does, integers
wrap, and nothing is contracted.
"""

from warpath.language.atomics import atomic_add, atomic_cas, atomic_max, atomic_min, atomic_or
from warpath.language.operator import Operator, operator

__all__ = [
    "Operator",
    "atomic_add",
    "atomic_cas",
    "atomic_max",
    "atomic_min",
    "atomic_or",
    "operator",
]
