"""How warpath's CPU kernels are compiled: `compiled`, `inlined` into their callers, or `outlined`.

All are Numba's ``njit`` without the GIL. Two things are different: what is compiled, and the cache.

Numba compiles each function that a kernel calls to machine code of its own, with wrappers for calls
from Python and from C, before it is optimized once more as a part of the kernel. Here such a function is a
`_Part`: LLVM's intermediate representation, which each kernel that calls it takes over and
optimizes. Python may call it as well: then it is compiled as a kernel. All literals are passed as
integers; Numba would compile a function for each pair of constants that it is called with.

The cache on disk never fails:
where nothing can be kept it warns once, and kernels are compiled in each process; a damaged
entry is compiled and written again. A kernel inlines functions of other files, so its entry depends
on the contents of all files in its own folder and in `SHARED_ROOMS`.

An entry lies in ``NUMBA_CACHE_DIR`` or else ``WARPATH_CACHE``, if they are set. Else it lies in
``__pycache__`` next to its source, or in ``~/.cache/warpath`` where that cannot be written. What lies
in ``__pycache__`` is read in any case, so that an image can be built with its kernels.
"""

import gc
import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

import numba
from numba.core import config
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps
from numba.core.types.misc import unliteral

from warpath import kernel_cache

_PACKAGE = Path(__file__).parents[1]
SHARED_ROOMS = "cpu", "generate", "graph", "parallel"
"""Whose functions and constants kernels of other rooms use, too."""
# Installations may share a cache.
_INSTALLATION = f"warpath-{hashlib.sha256(bytes(_PACKAGE)).hexdigest()[:16]}"
_PYTHON = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"


def compiled(function: Callable[..., Any]) -> Any:
    """A kernel, or a function that kernels call."""
    return _Dispatcher(function)


def inlined(function: Callable[..., Any]) -> Any:
    """A function that becomes part of each kernel that calls it.

    It neither makes nor returns an array, so that no references need to be counted: that would be much
    to compile where tuples of arrays are passed.
    """
    return _Dispatcher(function, forceinline=True, _nrt=False)


def outlined(function: Callable[..., Any]) -> Any:
    """A function that kernels call, and that becomes part of none: LLVM optimizes it once in each.

    For what takes longer than a call, stands at many places and is not at the centre of a loop. Like
    `inlined` it has no array of its own.
    """
    _outlined.add(function)
    return _Dispatcher(function, forceinline=False, _nrt=False)  # else it is as in its first caller


_outlined: set[Callable[..., Any]] = set()


class _Dispatcher(CPUDispatcher):  # type: ignore[misc]
    """Compiles a function for each signature that it is called with."""

    # How many of this class's functions are being compiled: a kernel, a part of it, a part of that.
    # Changed only by the thread that holds Numba's lock.
    depth = 0

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        options = {"nopython": True, "nogil": True, "boundscheck": None, "_nrt": True} | options
        super().__init__(function, {}, options, _Compiler)
        self._cache = _Cache(function)

    def compile(self, signature: Any) -> Any:
        """Compile a kernel, or if one is being compiled a part of it; or find it."""
        with global_compiler_lock, _compiling():
            if not _compiles_part():
                types_of_arguments = tuple(getattr(signature, "args", signature))
                known = self.overloads.get(types_of_arguments)
                if known is not None and isinstance(known.library, _Part):
                    del self.overloads[types_of_arguments]
            try:
                return super().compile(signature)
            finally:
                self._cache.end_turn()

    def add_overload(self, result: Any) -> None:
        """Make a result of compiling known, to Python as well unless it is a part."""
        if not isinstance(result.library, _Part):
            _set_environments(result.library)
            super().add_overload(result)
            return
        result = result._replace(entry_point=object())  # by which Numba finds it
        self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        self.overloads[tuple(result.signature.args)] = result

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The types of a call, in a kernel."""
        args = tuple(unliteral(arg) for arg in args)
        kws = {name: unliteral(arg) for name, arg in kws.items()}
        return super().get_call_template(args, kws)


def _compiles_part() -> bool:
    return _Dispatcher.depth > 1


@contextmanager
def _compiling() -> Iterator[None]:
    """Note that one more function is being compiled."""
    before, collects = _Dispatcher.depth, gc.isenabled()
    with kernel_cache.compiling():
        try:
            gc.disable()  # it looks at all of Numba's objects again and again: a tenth of the time
            _Dispatcher.depth = before + 1
            yield
        finally:  # wherever a signal handler raised
            _Dispatcher.depth = before
            if collects:
                gc.enable()
                gc.collect(0)  # now, while the clock runs: it takes 0.1 s after a large kernel


def _set_environments(library: Any) -> None:
    """Parts have no code of their own in which their environments could have been set."""
    for variable in library._final_module.global_variables:
        environment = lookup_environment(variable.name)
        if environment is not None:
            library.codegen.set_env(variable.name, environment)


class _Flags(Flags):  # type: ignore[misc]
    """Numba's flags of a function, hashed and compared at each operation in it: here without a copy."""

    _HASH = hash(Flags())

    def __hash__(self) -> int:
        return self._HASH

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Flags):
            return NotImplemented
        if self._values == other._values:
            return True
        # A value that was set to its default is equal to one that was not set.
        names = self._values.keys() | other._values.keys()
        return all(getattr(self, name) == getattr(other, name) for name in names)


# For closures, `with` blocks, literal arguments and arithmetic on whole arrays, which kernels
# do without: they took a twentieth of the time of compiling `wp.bfs` (2026-11).
_NOT_NEEDED = {
    "FindLiterallyCalls",
    "InlineClosureLikes",
    "InlineInlinables",
    "InlineOverloads",
    "LiteralPropagationSubPipelinePass",
    "LiteralUnroll",
    "MakeFunctionToJitFunction",
    "NopythonRewrites",
    "WithLift",
}


class _Compiler(Compiler):  # type: ignore[misc]
    """Numba's steps, of which those are left out that make code which is not called."""

    def __init__(
        self,
        typing: Any,
        target: Any,
        library: Any,
        args: Any,
        returns: Any,
        flags: Any,
        locals: Any,
    ) -> None:
        flags = _Flags(flags)
        flags.no_cfunc_wrapper = True
        if _compiles_part():
            flags.no_compile = flags.no_cpython_wrapper = True
        super().__init__(typing, target, library, args, returns, flags, locals)

    def define_pipelines(self) -> Any:
        """Numba's passes, but for those that no kernel needs."""
        pipelines = super().define_pipelines()
        for passes in pipelines:
            passes.passes = [one for one in passes.passes if one[0].__name__ not in _NOT_NEEDED]
        return pipelines

    def _compile_core(self) -> Any:
        make = _Part if _compiles_part() else _Kernel
        self.state.library = make(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        self.state.library.outlined = self.state.func_id.func in _outlined
        return super()._compile_core()


class _Kernel(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel and of all that it calls."""

    outlined = False

    def add_ir_module(self, module: Any) -> None:
        """Take over the function that was lowered."""
        if self.outlined:
            for function in module.functions:
                if not function.is_declaration:
                    function.attributes.add("noinline")
        super().add_ir_module(module)

    def _optimize_functions(self, module: Any) -> None:
        """Do as Numba does, which makes a manager for each function, also for those only declared."""
        module.data_layout = self._codegen._data_layout
        manager, builder = self._codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:
                manager.run(function, builder)

    def _optimize_final_module(self) -> None:
        """Optimize once. Numba does so twice, to count fewer references, of which kernels have few."""
        manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)


class _Part(_Kernel):
    """The intermediate representation of a function that kernels call."""

    def _optimize_final_module(self) -> None:
        pass  # as a part of each kernel

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _Cache(NullCache):  # type: ignore[misc]
    """What a dispatcher asks for machine code before it compiles, and gives it to afterwards.

    Numba 0.62 to 0.68 use it in the same way.
    """

    def __init__(self, function: Any) -> None:
        self._folder = Path(function.__code__.co_filename).parent
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._turn = ExitStack()

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Compiled code for a signature; None if it is to be compiled."""
        if _compiles_part():
            kernel_cache.notice()
            return None
        target_context.refresh()
        name, made_of = self._entry(signature, target_context.codegen())
        found = self._read(signature, target_context, name, made_of)
        places = _places(self._folder)
        if found is None and places:
            self._turn.enter_context(kernel_cache.turn(places[0].folder / name))
            found = self._read(signature, target_context, name, made_of)
        return found

    def end_turn(self) -> None:
        """Let other processes read what this one has made, or make it."""
        self._turn.close()

    def _read(self, signature: Any, target_context: Any, name: str, made_of: bytes) -> Any:
        for place in _places(self._folder):
            content = kernel_cache.read(place.folder / name, made_of, private=place.private)
            if content is not None:
                found = CompileResult._rebuild(target_context, *pickle.loads(content))
                if found.signature.args == tuple(signature):  # two types may have one name
                    return found
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep compiled code, if there is a place for it."""
        if isinstance(result.library, _Part) or result.library.has_dynamic_globals:
            return  # it is in kernels' entries; it holds addresses of this process
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
        return f"{self._name}-{digest}.nbc", target + _sources(self._folder)


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


def _sources(folder: Path) -> bytes:
    """Digests of what a folder's kernels are made of: they inline functions of other files."""
    rooms = dict.fromkeys([*(_PACKAGE / room for room in SHARED_ROOMS), folder])
    return str(numba.__version__).encode() + b"".join(map(_digest, rooms))


@cache
def _digest(folder: Path) -> bytes:
    """A digest of the sources in a folder."""
    digest = hashlib.sha256()
    for file in sorted(entry.path for entry in os.scandir(folder) if entry.name.endswith(".py")):
        with open(file, "rb") as source:
            content = source.read()
        digest.update(f"{os.path.basename(file)}\0{len(content)}\0".encode() + content)
    return digest.digest()
