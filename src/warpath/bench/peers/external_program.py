"""Programs of others that are run by their command line: what their adapters have in common."""

import os
import re
import shutil
import subprocess
import tempfile
import weakref
from abc import abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from warpath.bench.peers.peer import Answer, Peer
from warpath.graph.graph import Graph
from warpath.parallel.thread_count import num_threads

_TAIL = 300  # characters of what a program printed that a message repeats


@dataclass(eq=False)
class Prepared:
    """A graph's files, in a folder that goes when this goes.

    Attributes
    ----------
    folder : Path
    files : dict of str to Path
        By algorithm; without an entry the program does not run on this graph, and
        ``refused`` says why.
    refused : dict of str to str
    seconds : dict of (str, int) to float
        What was measured: by algorithm and source.
    settings : dict
        What an adapter found out about this graph.
    """

    folder: Path
    files: dict[str, Path] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    seconds: dict[tuple[str, int], float] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)


class Program(Peer):
    """An external program; an adapter says how to call it and how to read what it prints.

    It gives no distances, so that its own check stands for a comparison: the first run on a
    graph asks for it, outside the clock, and a RuntimeError says if it fails.

    Attributes
    ----------
    variable : str
        The environment variable with the folder of its executables, "bfs" and "sssp".
    """

    module = ""
    package = ""
    variable: ClassVar[str]

    @property
    def version(self) -> str:
        """Programs do not say."""
        return "unknown"

    def folder(self) -> Path | None:
        """Where its executables are, as the environment says."""
        given = os.environ.get(self.variable)
        return Path(given) if given else None

    def missing(self) -> str | None:
        """Why it cannot be used here."""
        folder = self.folder()
        if folder is None:
            return f"set {self.variable} to the folder of its executables"
        lacking = [name for name in ("bfs", "sssp") if not (folder / name).is_file()]
        return (
            f"{self.variable} is {folder}, which has no {', '.join(lacking)}" if lacking else None
        )

    def prepare(self, graph: Graph) -> Prepared:
        """Files for the program."""
        prepared = Prepared(Path(tempfile.mkdtemp(prefix=f"warpath-{self.name}-")))
        self.write(graph, prepared)
        return prepared

    def run(self, handle: Any, algorithm: str, source: int) -> Answer:
        """See `Peer.run`. A source is measured once: a program has nothing warm from the call before."""
        if algorithm not in handle.files:
            raise ValueError(handle.refused[algorithm])
        known = handle.seconds
        if (algorithm, source) not in known:
            check = all(algorithm != name for name, _ in known)
            known[algorithm, source] = self.seconds(handle, algorithm, source, check)
        return None, known[algorithm, source]

    @abstractmethod
    def write(self, graph: Graph, prepared: Prepared) -> None:
        """Write the graph into the folder, and say which file is for which algorithm."""

    @abstractmethod
    def seconds(self, prepared: Prepared, algorithm: str, source: int, check: bool) -> float:
        """Run the program; ``check``: let it check its answer."""

    def call(self, algorithm: str, *arguments: object) -> str:
        """What the program prints; a RuntimeError if it fails."""
        folder = self.folder()
        assert folder is not None
        command = [str(folder / algorithm), *map(str, arguments)]
        environment = os.environ | {"OMP_NUM_THREADS": str(num_threads())}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            said = (done.stderr or done.stdout).strip()[-_TAIL:]
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {said}")
        return done.stdout


def numbers(pattern: str, printed: str) -> list[float]:
    """What the pattern's group holds in each line that has it; a RuntimeError if none has."""
    found = [float(text) for text in re.findall(pattern, printed, re.MULTILINE)]
    if not found:
        raise RuntimeError(f"no line like {pattern!r} in what was printed: {printed[-_TAIL:]!r}")
    return found
