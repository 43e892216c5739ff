"""Gunrock's example programs: github.com/gunrock/gunrock.

Gunrock 2.1 uses its atomics only where the compiler defines ``__HIP_DEVICE_COMPILE__``. nvcc does not, so its
searches lower no distance unless the build defines it: docs/bench.md says how.
"""

from warpath import devices, io
from warpath.bench.peers.external_program import Prepared, Program, numbers
from warpath.bench.peers.peer import refuse_negative
from warpath.graph.graph import Graph

_RUNS = 3


class Gunrock(Program):
    """Gunrock's bfs and sssp on one GPU."""

    name = "gunrock"
    device = "cuda"
    variable = "WARPATH_GUNROCK"
    rules = (
        "the elapsed time of the last of three runs that it prints, without transfers, by its default "
        "balance; float32 weights; it gives distances and no predecessors, prints neither, and its own "
        "comparison with a sequential search (--validate) checks the first source"
    )

    def missing(self) -> str | None:
        """Why it cannot be used here."""
        return devices.missing() or super().missing()

    def write(self, graph: Graph, prepared: Prepared) -> None:
        """A Matrix Market file."""
        refuse_negative(graph, "Gunrock's sssp")
        file = prepared.folder / "graph.mtx"
        io.write(graph, file)
        prepared.files = {"bfs": file, "sssp": file}

    def seconds(self, prepared: Prepared, algorithm: str, source: int, check: bool) -> float:
        """The last run; its program reads the file at each call, which takes longer than all runs."""
        options = ["--market", prepared.files[algorithm], "--src", source, "--num_runs", _RUNS]
        printed = self.call(algorithm, *options, *["--validate"] * check)
        if check and (wrong := numbers(r"^Number of errors : (\d+)", printed)[0]):
            raise RuntimeError(
                f"Gunrock itself finds {wrong:.0f} errors in its {algorithm}; if nvcc compiled it, build it as "
                "docs/bench.md says under Peers"
            )
        return numbers(r"^GPU Elapsed Time : (\S+) \(ms\)", printed)[-1] / 1e3
