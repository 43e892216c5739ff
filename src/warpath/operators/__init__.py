"""What happens on an arc, said once for all algorithms and engines: the path algebras, by name."""

from warpath.operators.algebra import Algebra
from warpath.operators.algebras import ALGEBRAS, lookup

__all__ = ["ALGEBRAS", "Algebra", "lookup"]
