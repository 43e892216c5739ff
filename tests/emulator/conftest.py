"""Builds kernels for the host, with the emulator beneath them, and runs them."""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emulated_device import emulated_device
from emulated_runtime import EmulatedRuntime
from planted import Fault
from warpath import VerificationError
from warpath.algorithms.centrality.brandes import batch, by_edges
from warpath.cuda.compile import KERNELS

HERE = Path(__file__).resolve().parent
SHIM = HERE / "shim"

LANGUAGE = ["-std=c++20", "-DWARPATH_EMULATOR"]
RUNTIME_FLAGS = [*LANGUAGE, "-O2", "-g1"]
# Building is most of what a test program costs: -Og, and checks that are calls, take half as long
# as -O1 with checks in place, and what they build runs as fast.
KERNEL_FLAGS = [
    *LANGUAGE,
    *("-Og", "-g1", "-fno-omit-frame-pointer"),
    *("-fno-strict-aliasing", "-ffp-contract=off"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    # An access through such a pointer is found by AddressSanitizer: a fifth of the time to build.
    "-fno-sanitize=null,object-size,pointer-overflow",
    "--param=asan-instrumentation-with-call-threshold=0",
    "-fsanitize-coverage=trace-pc",  # each basic block calls the scheduler
]
LINK_FLAGS = ["-fsanitize=address,undefined", "-pthread"]
# A leak of a test program is of no interest; its process ends.
SANITIZER_OPTIONS = {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1"}
RED_ZONE = 256  # bytes behind each shared variable, and what they are rounded up to


class EmulatorError(RuntimeError):
    """A kernel did what it must not; the message is the emulator's or a sanitizer's report."""


@dataclass(frozen=True)
class Program:
    """A compiled test program."""

    executable: Path

    def run(
        self, test: str, *, seed: int = 0, timeout: float = 120, **values: object
    ) -> dict[str, np.ndarray]:
        """Run one `EMULATOR_TEST`.

        Parameters
        ----------
        test : str
            Its name.
        seed : int
            Of the schedule, as `emulate::launch` takes it; an input like any other.
        timeout : float
            Seconds.
        **values : array_like
            Its inputs. A Python int arrives as int64, a float as float64.

        Returns
        -------
        dict of str to ndarray
            Its outputs, each of one dimension.

        Raises
        ------
        EmulatorError
            A sanitizer or the emulator reported something, or time ran out.
        """
        words = []
        for name, value in {"seed": seed, **values}.items():
            array = np.ascontiguousarray(value)
            data = array.tobytes()
            words += [f"{name} {array.dtype.str[1:]} {len(data)}\n".encode(), data]
        try:
            done = subprocess.run(
                [self.executable, test],
                input=b"".join(words),
                capture_output=True,
                timeout=timeout,
                env=Emulator.environment,
            )
        except subprocess.TimeoutExpired:
            raise EmulatorError(
                f"{test}, seed {seed}: not finished after {timeout} seconds"
            ) from None
        if done.returncode != 0:
            report = done.stderr.decode(errors="replace")
            raise EmulatorError(f"{test}, seed {seed}: exit status {done.returncode}\n{report}")
        return _arrays(done.stdout)


def _arrays(data: bytes) -> dict[str, np.ndarray]:
    arrays = {}
    while data:
        header, _, data = data.partition(b"\n")
        name, dtype, size = header.decode().split()
        arrays[name] = np.frombuffer(data[: int(size)], dtype).copy()
        data = data[int(size) :]
    return arrays


class Emulator:
    """Builds test programs; each once, kept in `cache` by what it is made of."""

    Error = EmulatorError
    environment = os.environ | SANITIZER_OPTIONS

    def __init__(self, compiler: str, cache: Path):
        self.compiler = compiler
        self.cache = cache
        self.version = self._call("--version")
        self._folders: dict[str, Path] = {}  # of precompiled headers
        scheduler, tests, server = (
            self._object(SHIM / f"{name}.cpp") for name in ("scheduler", "main", "server")
        )
        self.tests_runtime, self.server_runtime = (scheduler, tests), (scheduler, server)

    def build(self, source: Path, *, include: Sequence[Path] = ()) -> Program:
        """Compile a test program.

        Parameters
        ----------
        source : Path
            A C++ file of `EMULATOR_TEST` cases; it includes the kernels' headers.
        include : sequence of Path
            Folders to look for headers in before the kernels' own.
        """
        return Program(self._program("arrays.h", source.stem, self.tests_runtime, include, source))

    def build_kernels(
        self, instances: Iterable[tuple[str, str]], *, include: Sequence[Path] = ()
    ) -> Path:
        """Compile a program that launches kernels when it is asked to: see shim/server.h.

        Parameters
        ----------
        instances : iterable of (str, str)
            A header, and a kernel in it as C++ names it, which takes one struct.
        include : sequence of Path
            Folders to look for headers in before the kernels' own.

        Returns
        -------
        Path
            The executable.
        """
        instances = list(dict.fromkeys(instances))
        headers = dict.fromkeys(header for header, _ in instances)
        lines = [f'#include "{header}"' for header in headers]
        lines += [f"EMULATOR_INSTANCE({expression})" for _, expression in instances]
        source = "\n".join([*lines, ""]).encode()
        text = ["-x", "c++", "-"]
        return self._program(
            "server.h", "kernels", self.server_runtime, include, *text, input=source
        )

    def _program(
        self,
        first: str,
        name: str,
        runtime: Sequence[Path],
        include: Sequence[Path],
        *source: object,
        input: bytes = b"",
    ) -> Path:
        words = [*(f"-I{path}" for path in (*include, KERNELS, SHIM)), *source]
        text = self._call(*KERNEL_FLAGS, "-E", "-include", first, *words, input=input)

        def make(target: Path) -> None:
            header = first
            if first == "server.h" and not include:  # no header stands for one of the kernels' own
                header = "kernels.h"
            # Where g++ looks first; it takes the header itself if the precompiled one is not for it.
            begin = [f"-I{self._precompiled(header)}", "-include", header]
            assembly = self._call(*KERNEL_FLAGS, "-S", "-o", "-", *begin, *words, input=input)
            assembly = list_shared_variables(assembly.decode()).encode()
            # The runtime first: of the functions of the standard library that both have, the
            # linker takes the first, and the scheduler's must not call the scheduler.
            objects = [*runtime, "-x", "assembler", "-"]
            self._call(*LINK_FLAGS, "-o", target, *objects, input=assembly)

        # Where headers or the source were copied to makes no other program.
        same = text
        for path in (*include, *(one.parent for one in source if isinstance(one, Path))):
            same = same.replace(str(path).encode(), b"include")
        objects = [path.name.encode() for path in runtime]
        flags = _flags(KERNEL_FLAGS, LINK_FLAGS)
        parts = [same, *objects, *flags, Path(__file__).read_bytes()]
        return self._cached(name, parts, make)

    def _precompiled(self, header: str) -> Path:
        """The folder of a header of the shim, precompiled: half of a small program's time."""
        if header in self._folders:
            return self._folders[header]
        words = [*KERNEL_FLAGS, f"-I{KERNELS}", f"-I{SHIM}", "-x", "c++-header", SHIM / header]
        text = self._call(*words, "-E")

        def make(target: Path) -> None:
            target.mkdir()
            self._call(*words, "-o", target / f"{header}.gch")

        # g++ knows a header again by its bytes, of which comments and blanks are not in the text.
        headers = [path for folder in (KERNELS, SHIM) for path in sorted(folder.rglob("*.*h"))]
        parts = [text, *(path.read_bytes() for path in headers), *_flags(KERNEL_FLAGS)]
        self._folders[header] = self._cached(header, parts, make)
        return self._folders[header]

    @staticmethod
    def mutant(folder: Path, fault: Fault) -> Path:
        """Copy a tree of headers with one change, to prove that a test sees the fault.

        Parameters
        ----------
        folder : Path
            Where to copy to, typically `tmp_path`.
        fault : Fault
            The change; the whole tree goes along if its header is one of the kernels'.

        Returns
        -------
        Path
            The folder to give to `build` as `include`.
        """
        text, header = fault.text(), fault.path
        root = KERNELS if header.is_relative_to(KERNELS) else header.parent
        copy = folder / "mutant"
        for path in root.rglob("*.cuh"):
            target = copy / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        (copy / header.relative_to(root)).write_text(text)
        return copy

    @contextmanager
    def finding(self) -> Iterator[None]:
        """Demand that a check or a sanitizer finds a fault in what runs inside."""
        with pytest.raises((AssertionError, VerificationError, self.Error)):
            yield

    @contextmanager
    def faulty_runtime(
        self,
        folder: Path,
        fault: Fault,
        *instances: object,
        make: Callable[..., EmulatedRuntime] = EmulatedRuntime,
        **options: object,
    ) -> Iterator[EmulatedRuntime]:
        """Give a runtime of kernels with a fault, which has to be found."""
        include = [self.mutant(folder, fault)]
        with make(self, *instances, include=include, **options) as runtime, self.finding():
            yield runtime

    def _object(self, source: Path) -> Path:
        flags = [*RUNTIME_FLAGS, f"-I{SHIM}"]
        text = self._call(*flags, "-E", source)

        def make(target: Path) -> None:
            self._call(*flags, "-x", "c++-cpp-output", "-c", "-o", target, "-", input=text)

        return self._cached(source.stem, [text, *_flags(flags)], make)

    def _cached(self, name: str, parts: Sequence[bytes], make) -> Path:
        import fcntl  # of Unix

        key = hashlib.sha256(b"\0".join([self.version, *parts])).hexdigest()[:24]
        target = self.cache / f"{name}-{key}"
        if target.exists():
            return target
        # One process makes it, others wait. A run that was killed leaves no part of a file.
        with (self.cache / f"{name}-{key}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if target.exists():
                return target
            with tempfile.TemporaryDirectory(dir=self.cache) as folder:
                made = Path(folder) / name
                make(made)
                made.replace(target)
        return target

    def _call(self, *words: object, input: bytes = b"") -> bytes:
        done = subprocess.run(
            [self.compiler, *map(str, words)], input=input, capture_output=True, cwd=HERE
        )
        if done.returncode != 0:
            raise RuntimeError(f"{self.compiler} failed:\n{done.stderr.decode(errors='replace')}")
        return done.stdout


def _flags(*lists: Sequence[str]) -> list[bytes]:
    return [flag.encode() for flags in lists for flag in flags]


def list_shared_variables(assembly: str) -> str:
    """Put a red zone behind each `__shared__` variable and list it for the scheduler.

    AddressSanitizer surrounds no thread-local variable with red zones, so this does, where the
    compiler writes `symbol:` and `.zero size` into a section of thread-local data. A listed
    variable is three words, as `SharedVariable` in scheduler.cpp has them.
    """
    lines, listed, in_thread_locals = assembly.split("\n"), [], False
    section = re.compile(r"\t\.(?:section\t(\S+?)(?:,.*)?|text|data|bss)$")
    for number, line in enumerate(lines):
        if found := section.match(line):
            in_thread_locals = (found[1] or "").startswith((".tbss", ".tdata"))
        elif in_thread_locals and line.endswith(":") and line.startswith("_ZZ"):
            symbol = line[:-1]
            zeros = re.fullmatch(r"\t\.zero\t(\d+)", lines[number + 1])
            if zeros is None:
                raise ValueError(f"a __shared__ variable cannot be initialised: {symbol}")
            size = int(zeros[1])
            red_zone = RED_ZONE + -size % RED_ZONE
            lines[number + 1] += f"\n\t.zero\t{red_zone}"
            listed.append(f"\t.quad\t{symbol}@tpoff, {size}, {red_zone}")
    return "\n".join([*lines, '\t.section\temulator_shared,"aw"', "\t.balign\t8", *listed, ""])


@pytest.fixture(scope="session")
def emulator(request: pytest.FixtureRequest) -> Emulator:
    """Build and run kernels on the host."""
    compiler = shutil.which("g++")
    if compiler is None or (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        pytest.skip("the emulator needs g++ on x86-64 Linux")
    return Emulator(compiler, request.config.cache.mkdir("emulator"))


@pytest.fixture(scope="module")
def runtime(emulator: Emulator) -> Iterator[EmulatedRuntime]:
    """A GPU of the emulator's; its memory is the module's."""
    with EmulatedRuntime(emulator, timeout=60) as runtime:
        yield runtime


@pytest.fixture
def distances_of_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch's in betweenness are those of `warpath.distance_matrix` and `warpath.bfs`, whose own tests run on the emulator."""
    distances, levels = batch.distances, by_edges.levels

    def copied(graph: Any, sources: Any, xp: Any) -> tuple[Any, Any]:
        near, none = distances(graph, sources, np)
        return xp.asarray(near), none

    monkeypatch.setattr(batch, "distances", copied)
    monkeypatch.setattr(
        by_edges, "levels", lambda graph, sources, xp: xp.asarray(levels(graph, sources, np))
    )


@pytest.fixture
def gpus(runtime: EmulatedRuntime) -> Iterator[EmulatedRuntime]:
    """Four GPUs."""
    runtime.seed = 0  # launches are counted from here
    with emulated_device(runtime, 4):
        yield runtime
