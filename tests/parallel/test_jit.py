import ast
import errno
import gc
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core import config, types
from numba.core.errors import TypingError

import warpath
from exhaustive import slow
from warpath import kernel_cache
from warpath.parallel import jit
from warpath.parallel.jit import compiled, inlined, outlined


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache of this test alone, in ``NUMBA_CACHE_DIR``."""
    monkeypatch.setattr(kernel_cache, "_warned", False)
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("WARPATH_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    jit._find_places.cache_clear()
    yield tmp_path / "cache"
    jit._find_places.cache_clear()


@inlined
def twice(x):
    return x + x


def kernel(values, factor):
    total = 0
    for value in values:
        total += twice(value) * factor
    return total


def was_kept(values=(1, 2)):
    """Whether a process that starts now finds the kernel compiled."""
    dispatcher = compiled(kernel)
    assert dispatcher(np.array(values), 3) == 6 * sum(values)
    (hits,) = (dispatcher.stats.cache_hits | dispatcher.stats.cache_misses).values()
    assert hits == 1
    return bool(dispatcher.stats.cache_hits)


def entries(folder):
    return sorted(folder.rglob("*.kernel-*.nbc"))


def test_a_kernel_is_compiled_once(cache):
    assert not was_kept()
    (entry,) = entries(cache)
    assert was_kept()
    assert not was_kept((1.0, 2.0))  # of other types
    assert was_kept((1.0, 2.0))
    assert len(entries(cache)) == 2
    entry.unlink()
    assert not was_kept()
    assert was_kept()


def test_it_runs_without_the_gil():
    for decorator in (compiled, inlined):
        assert decorator(kernel).targetoptions["nogil"]
    assert inlined(kernel).targetoptions["forceinline"]


@outlined
def thrice(x):
    return 3 * x


@inlined
def six_times(x):
    return 2 * thrice(x)


@pytest.mark.parametrize("decorator", [inlined, outlined])
def test_a_part_that_returns_an_array_is_refused(decorator):
    """The reference would not be counted."""
    first = decorator(lambda rows: rows[0])

    @compiled
    def calls_it(rows):
        return first(rows)[0]

    with pytest.raises(TypingError, match="returning of array"):
        calls_it(np.eye(2))


def test_what_is_outlined_stays_a_function(cache):
    @compiled
    def calls_both(x):
        return twice(x) + six_times(x)

    assert calls_both(2) == 16
    assert thrice(2) == 6
    (code,) = calls_both.inspect_llvm().values()
    assert re.search(r"call .*thrice", code)
    assert not re.search(r"call .*twice", code)


def damaged(whole):
    yield b""
    yield whole[:50]
    yield whole[:5000]
    yield whole[:-1]
    yield random.Random(1).randbytes(400)
    for seed in range(5):
        flipped, draw = bytearray(whole), random.Random(seed)
        for _ in range(20):
            flipped[draw.randrange(len(flipped))] ^= 255
        yield bytes(flipped)


def test_a_damaged_entry_is_made_again(cache):
    was_kept()
    (entry,) = entries(cache)
    whole = entry.read_bytes()
    for content in damaged(whole):
        entry.write_bytes(content)
        assert not was_kept()
        assert was_kept()
        assert entries(cache) == [entry]


def test_an_entry_under_another_name_does_not_count(cache):
    was_kept()
    (entry,) = entries(cache)
    was_kept((1.0, 2.0))
    (other,) = set(entries(cache)) - {entry}
    shutil.copy(entry, other)
    assert not was_kept((1.0, 2.0))
    assert was_kept((1.0, 2.0))


def test_an_entry_of_other_sources_is_made_again(cache, monkeypatch):
    was_kept()
    monkeypatch.setattr(jit, "_sources", lambda folder: b"others")
    assert not was_kept()
    assert was_kept()
    assert len(entries(cache)) == 1


EDITED = """
from warpath.parallel.jit import compiled
from warpath.{room}.inlined_function import plus

@compiled
def kernel(x):
    return 10 * plus(x)

print(kernel(1), *kernel.stats.cache_hits.values())
"""
INLINED = """
from warpath.parallel.jit import inlined

@inlined
def plus(x):
    return x + {step}
"""


@pytest.mark.parametrize("room", ["cpu", *slow(["io"])])
def test_an_edit_of_what_a_kernel_inlines_compiles_it_again(tmp_path, room):
    package = tmp_path / "warpath"
    shutil.copytree(
        Path(warpath.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__")
    )
    for folder in (".", "cpu", "io"):  # what these import takes longer than all the rest
        (package / folder / "__init__.py").write_text("")
    (package / "io" / "edited_kernel.py").write_text(EDITED.format(room=room))

    def run_with(step):
        (package / room / "inlined_function.py").write_text(INLINED.format(step=step))
        program = [sys.executable, "-B", "-m", "warpath.io.edited_kernel"]
        environment = os.environ | {
            "PYTHONPATH": str(tmp_path),
            "NUMBA_CACHE_DIR": str(tmp_path / "kernels"),
        }
        return subprocess.check_output(program, env=environment, text=True).split()

    assert run_with(step=1) == ["20"]
    assert run_with(step=1) == ["20", "1"]
    assert run_with(step=2) == ["30"]


def is_kernel(statement):
    marks = [getattr(mark, "id", None) for mark in getattr(statement, "decorator_list", ())]
    return not {"compiled", "inlined", "outlined"}.isdisjoint(marks)


def test_what_kernels_use_is_in_the_digest():
    """A kernel names functions and constants of its own folder and of the shared rooms only."""
    package = Path(warpath.__file__).parent
    shared, kernels = [package / room for room in jit.SHARED_ROOMS], 0
    for file in package.rglob("*.py"):
        text = file.read_text()
        if "from warpath.parallel.jit import" not in text:
            continue
        tree = ast.parse(text)
        origin = {
            name.asname or name.name: statement.module
            for statement in tree.body
            if isinstance(statement, ast.ImportFrom) and statement.module.startswith("warpath.")
            for name in statement.names
        }
        for function in filter(is_kernel, tree.body):
            kernels += 1
            names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            for name in names & origin.keys():
                module = package.joinpath(*origin[name].split(".")[1:])
                assert module.parent in [*shared, file.parent], (file, function.name, name)
    assert kernels > 100


def test_what_sources_are(tmp_path, monkeypatch):
    def digest(room):
        jit._digest.cache_clear()
        return jit._sources(tmp_path / room)

    monkeypatch.setattr(jit, "_PACKAGE", tmp_path)
    for folder in (*jit.SHARED_ROOMS, "io", "cli"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text("WIDTH = 1")
    try:
        before = digest("io")
        (tmp_path / "cli" / "a.py").write_text("WIDTH = 2")
        assert digest("io") == before
        for room in (*jit.SHARED_ROOMS, "io"):
            (tmp_path / room / "a.py").write_text("WIDTH = 2")
            assert digest("io") != before
            (tmp_path / room / "a.py").write_text("WIDTH = 1")
            assert digest("io") == before
        (tmp_path / "cpu" / "a.py").rename(tmp_path / "cpu" / "b.py")
        assert digest("io") != before
    finally:
        jit._digest.cache_clear()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_where_nothing_can_be_written_it_says_so_once(monkeypatch, number):
    def fail(*_):
        raise OSError(number, "no")

    monkeypatch.setattr(kernel_cache, "write", fail)
    with pytest.warns(RuntimeWarning, match="cannot be kept: .* set WARPATH_CACHE"):
        assert not was_kept()
    assert not was_kept()  # without another warning


def test_a_place_that_is_no_folder(cache):
    cache.touch()
    with pytest.warns(RuntimeWarning, match="cannot be kept"):
        assert not was_kept()


def test_warpath_cache_is_used_but_for_numbas(cache, tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path / "warpath"))
    was_kept()
    assert entries(cache)
    assert not entries(tmp_path / "warpath")
    monkeypatch.setattr(config, "CACHE_DIR", "")
    assert not was_kept()
    assert was_kept()
    assert entries(tmp_path / "warpath" / "cpu")


def test_a_shared_warpath_cache_is_ignored(tmp_path, monkeypatch):
    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path / "warpath"))
    kernel_cache.private_folder("cpu").chmod(0o777)
    with pytest.warns(RuntimeWarning, match="cpu are ignored"):
        assert not was_kept()
    assert not was_kept()  # without another warning
    assert not entries(tmp_path)


def test_beside_the_sources_if_that_can_be_written(monkeypatch, tmp_path):
    beside = Path(__file__).parent / "__pycache__"
    monkeypatch.setattr(config, "CACHE_DIR", "")
    for entry in entries(beside):
        entry.unlink()
    was_kept()
    (entry,) = entries(beside)
    assert was_kept()

    # Else in the home, and what lies next to the sources is still read.
    monkeypatch.setattr(jit, "_is_writable", lambda folder: False)
    jit._find_places.cache_clear()
    assert was_kept()
    entry.unlink()
    assert not was_kept()
    assert was_kept()
    assert entries(tmp_path / "home" / "warpath" / "cpu")
    assert not entries(beside)


def test_what_a_kernel_calls_is_a_part_of_it(cache):
    @compiled
    def half(x):
        return x // 2

    @compiled
    def first(x):
        return half(x) + 1

    @compiled
    def second(x):
        return half(x) + 2

    assert first(8) == 5
    (part,) = half.overloads.values()
    assert isinstance(part.library, jit._Part)
    assert not list(cache.rglob("*.half-*.nbc"))
    assert half(8) == 4  # called from Python it is a kernel
    (kernel,) = half.overloads.values()
    assert not isinstance(kernel.library, jit._Part)
    assert (first(9), second(9), half(9)) == (5, 6, 4)
    assert list(cache.rglob("*.half-*.nbc"))


def test_a_function_of_numbas_may_call_one():
    assert numba.njit(lambda x: twice(x) + 1)(4) == 9


def test_constants_are_no_types_of_their_own():
    @compiled
    def add(x, y):
        return x + y

    @compiled
    def all_of_them(x):
        return add(x, 1) + add(x, 2) + add(0, x) + add(x, y=3)

    assert all_of_them(10) == 46
    assert add.signatures == [(types.int64, types.int64)]


def test_exceptions_of_parts():
    @compiled
    def checked(x):
        if x < 0:
            raise ValueError("below 0", x)
        return x

    def call(x):
        return checked(x) + 1

    for _ in range(2):  # the second finds it on disk
        kernel = compiled(call)
        assert kernel(1) == 2
        with pytest.raises(ValueError, match="below 0") as raised:
            kernel(-7)
        assert raised.value.args == ("below 0", -7)


@compiled
def cannot_be_compiled(x):
    return x.no_such_attribute


def test_garbage_is_collected_again():
    def kernel(x):
        return cannot_be_compiled(x)

    assert gc.isenabled()
    was_kept()
    assert gc.isenabled()
    with pytest.raises(TypingError):
        compiled(kernel)(1)
    assert gc.isenabled()
    assert not was_kept((1.0, 2.0))  # the next one is a kernel, no part
    gc.disable()
    try:
        was_kept((1, 2, 3))
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_compiling_is_timed_and_said_once(monkeypatch, caplog):
    before = kernel_cache.compile_seconds()
    dispatcher = compiled(kernel)
    assert kernel_cache.compile_seconds() == before
    dispatcher(np.array([1]), 3)
    after = kernel_cache.compile_seconds()
    assert after > before
    dispatcher(np.array([1]), 3)
    assert kernel_cache.compile_seconds() == after

    monkeypatch.setattr(kernel_cache._clock, "noticed", False)
    monkeypatch.setattr(kernel_cache, "SECONDS_BEFORE_NOTICE", after + 3600)
    compiled(kernel)(np.array([1.0]), 3)
    assert not caplog.messages  # there was not much to compile
    monkeypatch.setattr(kernel_cache, "SECONDS_BEFORE_NOTICE", 0)
    assert was_kept()
    assert not caplog.messages  # nothing was compiled
    assert not was_kept(np.array([1, 2], np.int8))
    assert caplog.messages == [kernel_cache.NOTICE]
    assert not was_kept(np.array([1, 2], np.int16))
    assert len(caplog.messages) == 1


def test_all_kernels_are_made_here():
    """Else one fails where Numba finds no place for its cache."""
    package = Path(warpath.__file__).parent
    for file in package.rglob("*.py"):
        if file != Path(jit.__file__):
            assert "njit" not in file.read_text(), file
