"""Programs of kernels, each in a process of its own, so that what stops them is an exception here."""

import re
import selectors
import struct
import subprocess
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from threading import RLock

from emulated_memory import ADDRESS, BYTES, arena


class Process:
    """A program of kernels while it runs: see shim/server.cpp."""

    def __init__(self, executable: Path, environment: Mapping[str, str]) -> None:
        memory = arena()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - until `close`
        self._process = subprocess.Popen(
            [executable, str(memory.file), str(ADDRESS), str(BYTES)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            pass_fds=[memory.file],
            bufsize=0,
            env=environment,
        )

    def ask(self, request: bytes, timeout: float) -> str:
        """Launch a kernel: empty, or why it cannot be.

        Raises
        ------
        TimeoutError
        EOFError
            If the process has ended; `close` returns its report.
        """
        assert self._process.stdin is not None
        view = memoryview(request)
        try:
            while view:
                view = view[self._process.stdin.write(view) :]
        except BrokenPipeError:
            raise EOFError from None
        (size,) = struct.unpack("<Q", self._read(8, timeout))
        return self._read(size, timeout).decode()

    def _read(self, size: int, timeout: float) -> bytes:
        assert self._process.stdout is not None
        data = b""
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while len(data) < size:
                if not selector.select(timeout):
                    raise TimeoutError
                part = self._process.stdout.read(size - len(data))
                if not part:
                    raise EOFError
                data += part
        return data

    def close(self, kill: bool = True) -> str:
        """End it; return its exit status and what it wrote to stderr."""
        if kill:
            self._process.kill()
        status = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._errors.seek(0)
        with self._errors:
            return f"exit status {status}\n{self._errors.read().decode(errors='replace')}"


class Program:
    """A compiled program of kernels, which runs from its first launch on."""

    def __init__(self, executable: Path, environment: Mapping[str, str]) -> None:
        self._start = partial(Process, executable, environment)
        self._process: Process | None = None
        self.lock = RLock()  # of a launch and what it is told: ranks may be threads

    def launch(self, request: bytes, timeout: float) -> str:
        """Empty, or what went wrong; the next launch works in any case."""
        if self._process is None:
            self._process = self._start()
        try:
            return self._process.ask(request, timeout)
        except TimeoutError:
            self.close()
            return f"not finished after {timeout} seconds"
        except EOFError:
            process, self._process = self._process, None
            report = process.close(kill=False)
            found = re.search(r"address (0x[0-9a-f]+)", report)
            place = arena().describe(int(found[1], 16)) if found else ""
            return f"{report}{place}"

    def close(self) -> None:
        """End its process."""
        if self._process is not None:
            process, self._process = self._process, None
            process.close()
