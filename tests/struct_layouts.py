"""Structs and constants in C++ and in Python, as the host's compiler has them."""

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from warpath.cuda.compile import KERNELS

SHIM = Path(__file__).resolve().parent / "emulator" / "shim"
# Nothing is called that the headers only declare.
FLAGS = ["-std=c++20", "-DWARPATH_EMULATOR", "-Wno-invalid-offsetof", "-Wl,--unresolved-symbols=ignore-all"]  # fmt: skip

_SOURCE = """
#include <cstdio>
#include <type_traits>
#include <utility>

// Stands for a value of any type.
struct Any {
    template <class T> operator T() const;
};
template <class T, std::size_t... i>
constexpr bool takes(std::index_sequence<i...>) { return requires { T{(static_cast<void>(i), Any{})...}; }; }
// How many values initialise a struct: one for each field, or for each element of an array.
template <class T, std::size_t n = 0>
constexpr std::size_t count() {
    if constexpr (takes<T>(std::make_index_sequence<n + 1>{})) return count<T, n + 1>();
    else return n;
}

template <class Field>
void print(const char* path, std::size_t offset) {
    using T = std::remove_all_extents_t<Field>;
    char kind = 'u';
    std::size_t values = 0;
    if constexpr (std::is_enum_v<T>) kind = std::is_signed_v<std::underlying_type_t<T>> ? 'i' : 'u';
    else if constexpr (std::is_same_v<T, bool>) kind = 'b';
    else if constexpr (std::is_floating_point_v<T>) kind = 'f';
    else if constexpr (std::is_class_v<T>) {
        kind = 'V';
        static_assert(std::is_aggregate_v<T>, "a kernel's argument is made of plain structs");
        values = count<T>();
    } else if (std::is_signed_v<T>) kind = 'i';
    std::printf("%s: offset %zu, %zu bytes, kind %c, %zu values\\n", path, offset, sizeof(Field), kind, values);
}
"""


class Declared(NamedTuple):
    """A struct as both languages declare it.

    Attributes
    ----------
    header, name : str
        Where it is, and what it is called, in C++.
    dtype : dtype
        What it is in Python.
    """

    header: str
    name: str
    dtype: "np.dtype[Any]"


def differences(
    compiler: str, structs: Sequence[Declared], include: Sequence[Path] = ()
) -> list[list[str]]:
    """What C++ has and Python has not, or otherwise, of each struct; empty where they agree.

    Parameters
    ----------
    compiler : str
        g++.
    structs : sequence of Declared
    include : sequence of Path
        Folders to look for headers in before the kernels' own.
    """
    in_cpp = _compiled(compiler, structs, include)
    found = []
    for number, one in enumerate(structs):
        in_python = [str(line) for line in _lines("", 0, one.dtype)]
        there = [
            line.removeprefix(f"{number} ") for line in in_cpp if line.startswith(f"{number} ")
        ]
        pairs = zip(in_python, there, strict=True)
        found.append([f"{one.name} {a} (C++: {b})" for a, b in pairs if a != b])
    return found


def _compiled(compiler: str, structs: Sequence[Declared], include: Sequence[Path]) -> list[str]:
    source = [f'#include "{header}"' for header in dict.fromkeys(one.header for one in structs)]
    source.append(_SOURCE)
    calls = []
    for number, one in enumerate(structs):
        calls.append(f'print<{one.name}>("{number} ", 0);')
        for place, path in enumerate(_paths("", one.dtype)):
            name = f"field_{number}_{place}"
            # A template, so that a field that is not there is no error of the compiler's.
            source.append(
                f"template <class T> void {name}() {{\n"
                f"    if constexpr (requires(T & t) {{ t.{path}; }})\n"
                f'        print<std::remove_cvref_t<decltype(std::declval<T&>().{path})>>("{number} {path}", offsetof(T, {path}));\n'
                f'    else std::puts("{number} {path} is not there");\n'
                "}"
            )
            calls.append(f"{name}<{one.name}>();")
    return _printed(compiler, source, calls, include)


def values(compiler: str, expressions: Sequence[tuple[str, str]]) -> list[int]:
    """What constant expressions of C++ are, each with the header that it needs."""
    source = [
        f'#include "{header}"' for header in dict.fromkeys(header for header, _ in expressions)
    ]
    source.append("#include <cstdio>")
    calls = [
        f'std::printf("%llu\\n", static_cast<unsigned long long>({text}));'
        for _, text in expressions
    ]
    return [int(line) for line in _printed(compiler, source, calls, [])]


def _printed(
    compiler: str, source: Sequence[str], calls: Sequence[str], include: Sequence[Path]
) -> list[str]:
    """The lines that a program prints."""
    source = [*source, "int main() {", *calls, "}", ""]
    paths = [f"-I{path}" for path in (*include, KERNELS, SHIM)]
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        words = [*FLAGS, *paths, "-include", "emulator.h", "-x", "c++", "-", "-o", program]
        made = subprocess.run(
            [compiler, *words], input="\n".join(source).encode(), capture_output=True
        )
        if made.returncode != 0:
            raise RuntimeError(f"{compiler} failed:\n{made.stderr.decode(errors='replace')}")
        return subprocess.run(
            [program], capture_output=True, check=True, text=True
        ).stdout.splitlines()


def _fields(dtype: "np.dtype[Any]") -> Iterator[tuple[str, "np.dtype[Any]", int]]:
    for name in dtype.names or ():
        assert dtype.fields is not None
        field, offset = dtype.fields[name][:2]
        yield name, field, offset


def _paths(before: str, dtype: "np.dtype[Any]") -> Iterator[str]:
    for name, field, _ in _fields(dtype):
        yield before + name
        yield from _paths(f"{before}{name}.", field)


def _lines(path: str, offset: int, dtype: "np.dtype[Any]") -> Iterator[str]:
    """As C++ prints them."""
    values = sum(int(np.prod(field.shape)) for _, field, _ in _fields(dtype.base))
    size = f"{dtype.itemsize} bytes, kind {dtype.base.kind}, {values} values"
    yield f"{path}: offset {offset}, {size}"
    for name, field, within in _fields(dtype):
        yield from _lines(f"{path}.{name}".lstrip("."), offset + within, field)
