import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpath as wp
from warpath import files
from warpath.bench import graph_cache as module
from warpath.bench.graph_cache import cached


def test_a_graph_is_made_once_for_each_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def make(seed: int) -> tuple[wp.Graph, dict[str, Any]]:
        made.append(seed)
        graph = wp.generate.erdos_renyi(50, 200, directed=seed == 2, seed=seed)
        return graph, {"kind": "stand-in", "seed": seed}

    for seed in (1, 2, 1, 2):
        graph, provenance = cached(str(tmp_path / "new"), ("G", 0.5, seed), lambda: make(seed))  # noqa: B023
        expected = wp.generate.erdos_renyi(50, 200, directed=seed == 2, seed=seed)
        assert provenance == {"kind": "stand-in", "seed": seed}
        assert graph.directed is expected.directed
        for one, two in zip(graph.resident[:2], expected.resident[:2], strict=True):
            np.testing.assert_array_equal(one, two)
        assert wp.bfs(graph, 0).distance.shape == (50,)
    assert made == [1, 2]
    monkeypatch.setattr(module, "_recipes", lambda: "other code")
    cached(str(tmp_path / "new"), ("G", 0.5, 1), lambda: make(1))
    cached(None, ("G", 0.5, 1), lambda: make(1))
    assert made == [1, 2, 1, 1]


def test_a_graph_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: object, data: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files._Noting, "write", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*\.npz'"):
        cached(str(tmp_path), ("G",), lambda: (wp.generate.named("path", 9), {}))
    assert not list(tmp_path.iterdir())
