"""What happens on an arc, said once for all algorithms and engines: path algebras, named ones and users' own."""

from warpath.operators.algebra import PathAlgebra
from warpath.operators.algebras import ALGEBRAS, lookup
from warpath.operators.rule import Algebra

__all__ = ["ALGEBRAS", "Algebra", "PathAlgebra", "lookup"]
