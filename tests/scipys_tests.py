"""SciPy's own tests of csgraph, with `warpath.csgraph` in its place.

Their import statements are rewritten and nothing else: what they import from
``scipy.sparse.csgraph`` comes from ``warpath.csgraph``. SciPy's private modules stay SciPy's.
"""

import ast
import types
from importlib.util import find_spec
from pathlib import Path

SCIPYS, OURS = "scipy.sparse.csgraph", "warpath.csgraph"


class _ChangeImports(ast.NodeTransformer):
    def visit_ImportFrom(self, node):
        if node.module == SCIPYS:
            node.module = OURS
        if node.module == "scipy.sparse" and any(name.name == "csgraph" for name in node.names):
            there = [name for name in node.names if name.name != "csgraph"]
            ours = [name for name in node.names if name.name == "csgraph"]
            return [
                ast.ImportFrom("warpath", ours, 0),
                *([ast.ImportFrom(node.module, there, 0)] if there else []),
            ]
        return node

    def visit_Import(self, node):
        for name in node.names:
            if name.name == SCIPYS:
                name.name = OURS
        return node


def load(name: str) -> types.ModuleType:
    """SciPy's test module ``name``, which now tests warpath."""
    package = f"{SCIPYS}.tests"
    spec = find_spec(f"{package}.{name}")
    assert spec is not None
    assert spec.origin is not None
    tree = _ChangeImports().visit(ast.parse(Path(spec.origin).read_text()))
    module = types.ModuleType(f"{package}.{name}")
    module.__package__ = package
    exec(compile(ast.fix_missing_locations(tree), spec.origin, "exec"), module.__dict__)
    return module
