"""GAPBS, the GAP benchmark suite: github.com/sbeamer/gapbs."""

import statistics

from warpath import io
from warpath.bench.peers.external_program import Prepared, Program, numbers
from warpath.graph.graph import Graph

_TRIALS = 3
_DELTAS = (8, 32, 128, 512, 2048)


class Gapbs(Program):
    """Direction-optimizing BFS and Δ-stepping, OpenMP."""

    name = "gapbs"
    variable = "WARPATH_GAPBS"
    rules = (
        "the trial time that it prints, the median of three trials a source, with as many threads "
        "as warpath; sssp with the best of five Δ (found outside the clock), of int32 weights "
        "only; bfs gives predecessors and no levels, sssp distances and no predecessors; its own "
        "verifier (-v) checks the first source"
    )

    def write(self, graph: Graph, prepared: Prepared) -> None:
        """Its binary files."""
        plain = prepared.folder / "graph.sg"
        io.write(graph.without_weights(), plain)
        prepared.files["bfs"] = plain
        if graph.weights is None:
            prepared.refused["sssp"] = "the graph has no weights"
        elif graph.weights.dtype.kind != "i" or (graph.num_arcs and graph.weight_range[0] < 0):
            prepared.refused["sssp"] = "GAPBS takes int32 weights that are not negative"
        else:
            weighted = prepared.folder / "graph.wsg"
            io.write(graph, weighted)
            prepared.files["sssp"] = weighted

    def seconds(self, prepared: Prepared, algorithm: str, source: int, check: bool) -> float:
        """The median trial."""
        options: list[object] = ["-f", prepared.files[algorithm], "-r", source]
        if algorithm == "sssp":
            if "delta" not in prepared.settings:
                prepared.settings["delta"] = min(
                    _DELTAS, key=lambda delta: self._trials(algorithm, [*options, "-d", delta])
                )
            options += ["-d", prepared.settings["delta"]]
        if check and "FAIL" in self.call(algorithm, *options, "-n", 1, "-v"):
            raise RuntimeError(f"GAPBS's own verifier refuses its {algorithm} from {source}")
        return self._trials(algorithm, options)

    def _trials(self, algorithm: str, options: list[object]) -> float:
        printed = self.call(algorithm, *options, "-n", _TRIALS)
        return statistics.median(numbers(r"^Trial Time:\s+(\S+)", printed))
