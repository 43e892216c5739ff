"""How much code a balance needs beyond the baseline, a thread for each vertex: lines without comments."""

import ast
import inspect
import re
import sys
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from warpath.balance import Technique
from warpath.balance.thread_mapped import ThreadMapped

_INCLUDE = re.compile(r'^#include "(.+)"', re.MULTILINE)


def lines(technique: type[Technique]) -> int:
    """Lines of its kernel header, of those that it includes and the baseline does not, and of its Python.

    Parameters
    ----------
    technique : type
        A subclass of `warpath.balance.Technique`.
    """
    own = _header(technique)
    headers = {own} | (_needed(own) - _needed(_header(ThreadMapped)))
    every = {one.__module__ for one in technique.__mro__ if issubclass(one, Technique)}
    modules = every - {Technique.__module__}
    return sum(map(_lines_of_header, headers)) + sum(map(_lines_of_module, modules))


def _header(technique: type[Technique]) -> str:
    return f"balance/{technique.name.replace('-', '_')}.cuh"


def _kernels() -> Traversable:
    return files("warpath.cuda").joinpath("kernels")


@cache
def _needed(header: str) -> frozenset[str]:
    """A header and all that it includes, theirs among them."""
    own = _INCLUDE.findall(_kernels().joinpath(header).read_text())
    return frozenset({header}).union(*map(_needed, own))


def _lines_of_header(header: str) -> int:
    text = _kernels().joinpath(header).read_text()
    return sum(bool(re.sub(r"//.*", "", line).strip()) for line in text.splitlines())


def _lines_of_module(module: str) -> int:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(
            node
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return len(ast.unparse(tree).splitlines())
