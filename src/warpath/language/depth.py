"""How deep a function may be nested: Python parses no text of 100 blocks or 200 brackets, and so no such translation."""

import ast

from warpath.language.refused import refuse
from warpath.language.source import Source

DEEPEST = 90
"""Each block of a function is one of its translation, and each operation two brackets."""


def check_depth(source: Source) -> None:
    """Refuse a function that is nested deeper.

    Raises
    ------
    OperatorError
        Naming the line, and what to write.
    """
    left: list[tuple[ast.AST, int]] = [(one, 1) for one in source.body]
    while left:  # its own recursion would have an end, too
        node, depth = left.pop()
        is_value = isinstance(node, ast.expr)
        if depth > DEEPEST:
            remedy = (
                "this is nested more than {} deep: assign parts of it to variables first"
                if is_value
                else "more than {} blocks are nested here, and each elif is one: write ifs that return, or read an array"
            )
            refuse(source, node, remedy.format(DEEPEST))
        steps = len(node.args) - 1 if isinstance(node, ast.Call) else 1  # min(a, b, c): two calls
        for inner in ast.iter_child_nodes(node):
            is_in_it = isinstance(inner, ast.expr) == is_value
            left.append((inner, depth + max(steps, 1) if is_in_it else 1))
