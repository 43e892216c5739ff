"""How warpath's CPU kernels are compiled: `compiled`, and `inlined` into their callers.

Both are Numba's ``njit`` without the GIL, with a cache on disk of their own in place of Numba's. It never fails:
where nothing can be kept it warns once, and kernels are compiled in each process; a damaged
entry is compiled and written again. Its entries depend on all of warpath's sources, since a kernel
inlines functions of other files.

An entry lies in ``NUMBA_CACHE_DIR`` or else ``WARPATH_CACHE``, if they are set. Else it lies in
``__pycache__`` beside its source, and where that cannot be written in ``~/.cache/warpath``; what lies
in ``__pycache__`` is read in any case, so that an image can be built with its kernels.
"""

import hashlib
import os
import pickle
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

import numba
from numba.core import config
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from warpath import kernel_cache

_PACKAGE = Path(__file__).parents[1]
# Installations may share a cache.
_INSTALLATION = f"warpath-{hashlib.sha256(bytes(_PACKAGE)).hexdigest()[:16]}"
_PYTHON = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"


def compiled(function: Callable[..., Any]) -> Any:
    """A kernel, or a function that kernels call."""
    return _cached(numba.njit(nogil=True)(function))


def inlined(function: Callable[..., Any]) -> Any:
    """A function that becomes part of each kernel that calls it."""
    return _cached(numba.njit(nogil=True, forceinline=True)(function))


def _cached(dispatcher: Any) -> Any:
    dispatcher._cache = _Cache(dispatcher.py_func)
    return dispatcher


class _Cache(NullCache):  # type: ignore[misc]
    """What a dispatcher asks for machine code before it compiles, and gives it to afterwards.

    Numba 0.61 to 0.68 use it in the same way.
    """

    def __init__(self, function: Any) -> None:
        self._folder = Path(function.__code__.co_filename).parent
        self._name = f"{function.__module__}.{function.__qualname__}"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Compiled code for a signature; None if it is to be compiled."""
        target_context.refresh()
        name, made_of = self._entry(signature, target_context.codegen())
        for place in _places(self._folder):
            content = kernel_cache.read(place.folder / name, made_of, private=place.private)
            if content is not None:
                found = CompileResult._rebuild(target_context, *pickle.loads(content))
                if found.signature.args == tuple(signature):  # two types may have one name
                    return found
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep compiled code, if there is a place for it."""
        if result.lifted or result.library.has_dynamic_globals:
            return  # it holds addresses of this process
        name, made_of = self._entry(signature, result.library.codegen)
        content = dumps(result._reduce())
        failed = None
        for place in _places(self._folder):
            try:
                place.folder.mkdir(parents=True, exist_ok=True)
                kernel_cache.write(place.folder / name, made_of, content)
                return
            except OSError as error:
                failed = failed or error
        kernel_cache.warn_once(f"compiled kernels cannot be kept: {failed}")

    def _entry(self, signature: Any, codegen: Any) -> tuple[str, bytes]:
        """The name of an entry, and all that it is made of."""
        target = repr((self._name, str(signature), codegen.magic_tuple(), _PYTHON)).encode()
        digest = hashlib.sha256(target).hexdigest()[:16]
        return f"{self._name}-{digest}.nbc", target + _sources()


class _Place(NamedTuple):
    folder: Path
    private: bool


def _places(beside: Path) -> tuple[_Place, ...]:
    """Where entries of the kernels of a folder may lie, the best first."""
    return _find_places(beside, config.CACHE_DIR, os.environ.get("WARPATH_CACHE", ""))


@cache
def _find_places(beside: Path, numba_cache: str, warpath_cache: str) -> tuple[_Place, ...]:
    if numba_cache:
        return (_Place(Path(numba_cache) / _INSTALLATION, False),)
    in_tree = _Place(beside / "__pycache__", False)
    if not warpath_cache and _is_writable(in_tree.folder):
        return (in_tree,)
    private = kernel_cache.private_folder("cpu")
    places = () if private is None else (_Place(private / _INSTALLATION, True),)
    return places if warpath_cache else (*places, in_tree)


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(exist_ok=True)
        TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


@cache
def _sources() -> bytes:
    """A digest of the folders that have kernels: a kernel inlines functions of other files."""
    digest = hashlib.sha256(numba.__version__.encode())
    for folder, _, names in sorted(os.walk(_PACKAGE)):
        files = [Path(folder, name) for name in sorted(names) if name.endswith(".py")]
        sources = [file.read_bytes() for file in files]
        if any(b"warpath.parallel" in source for source in sources):
            for file, source in zip(files, sources, strict=True):
                digest.update(f"{file.relative_to(_PACKAGE)}\0{len(source)}\0".encode() + source)
    return digest.digest()
