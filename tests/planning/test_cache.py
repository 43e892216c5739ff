"""Plans kept with a graph."""

import warpath as wp
from warpath.planning import cache


def test_the_oldest_is_forgotten(monkeypatch):
    made = []

    @cache.kept
    def double(graph, number):
        made.append(number)
        return 2 * number

    monkeypatch.setattr(cache, "_MOST", 3)
    graph = wp.generate.grid(2, 2)
    assert [double(graph, k) for k in (1, 2, 3, 1, 4, 2, 3, 4, 1)] == [2, 4, 6, 2, 8, 4, 6, 8, 2]
    assert made == [1, 2, 3, 4, 1]
