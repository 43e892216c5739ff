"""What the tests of NetworkX's backend share."""

import networkx as nx
import pytest


@pytest.fixture(autouse=True)
def quiet_cache():
    """NetworkX warns whenever it takes a graph from its cache."""
    with nx.config(warnings_to_ignore={"cache"}):
        yield
