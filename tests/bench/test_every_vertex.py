import numpy as np
import pytest

import warpath as wp
from warpath.bench import every_vertex
from warpath.bench.answers import Answers
from warpath.bench.subject import threads
from warpath.bench.task import Call
from warpath.bench.tasks import TASKS

GRAPHS = {
    "R-MAT": wp.generate.rmat(8, 8, seed=1),
    "a path": wp.Graph.from_edges(range(99), range(1, 100)),
    "no edges": wp.Graph.from_edges([], [], n=3),
}


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("name", GRAPHS)
def test_levels(name: str, count: int) -> None:
    graph, task = GRAPHS[name], TASKS["bfs-every-vertex"]
    with threads(count):
        for source in (0, 2):
            answer = task.run(Call(graph, source, {}))
            assert np.array_equal(answer.distance, every_vertex.search(graph, source))
            assert task.wrong(Answers(graph), source, answer) is None
            assert task.counts(answer) == {"iterations": answer.distance.max() + 1}
