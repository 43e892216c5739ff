import pytest

from warpath.planning import partition


@pytest.fixture
def into(monkeypatch):
    """Let graphs be cut into this number of parts, however small."""

    def parts(number):
        monkeypatch.setattr(
            "warpath.planning.all_pairs.cut", lambda graph: partition.cut(graph, number)
        )

    return parts
