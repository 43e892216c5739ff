"""Kernels for operators: a module of this package, with an operator's text in the place of its own.

The module is written to a folder of its own under ``~/.cache/warpath/operators``, named by what its text is, so
that compiled kernels are kept there; or where nothing can be kept, to a temporary one.
"""

import hashlib
import importlib.util
import re
import sys
import tempfile
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from warpath import kernel_cache
from warpath.cpu import arithmetic
from warpath.files import replacing

_PLACE = re.compile(r"# OPERATOR {\n.*?# } OPERATOR\n", re.DOTALL)


@lru_cache(maxsize=1024)
def kernel_for(template: str, operator: str) -> Callable[..., Any]:
    """``kernel`` of a module, for an operator.

    Parameters
    ----------
    template : str
        The module's name, "warpath.cpu.edge_operator" or "warpath.cpu.vertex_operator".
    operator : str
        The text that `warpath.language.python.source` writes.
    """
    names = ", ".join(arithmetic.__all__)
    own = f"from warpath.cpu.arithmetic import {names}\n\n\n@inlined\n{operator}\n"
    text = _PLACE.sub(lambda _: own, _text(template))
    name = f"operator_{hashlib.sha256(text.encode()).hexdigest()[:32]}"
    path = _folder(name) / f"{name}.py"
    if not path.exists() or path.read_text() != text:
        with replacing(path, mode=0o644) as file:
            file.write(text.encode())
    spec = importlib.util.spec_from_file_location(f"warpath.cpu.{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.kernel  # type: ignore[no-any-return]


@cache
def _text(template: str) -> str:
    file = sys.modules[template].__file__
    assert file is not None
    return Path(file).read_text()


@cache
def _temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="warpath-")


def _folder(name: str) -> Path:
    """A folder for one module."""
    kept = kernel_cache.private_folder("operators")
    folder = (kept or Path(_temporary().name)) / name
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder
