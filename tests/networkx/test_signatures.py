"""Names, arguments and places of the functions are NetworkX's."""

import inspect

import networkx as nx
import pytest
from networkx.utils.backends import _registered_algorithms as registered

from _warpath_networkx import get_info
from _warpath_networkx.functions import FUNCTIONS as TOLD
from _warpath_networkx.functions import KEYWORDS
from warpath.networkx import interface
from warpath.networkx.registry import FUNCTIONS


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_names_arguments_and_places(name):
    theirs, ours = registered[name].orig_func, getattr(interface, name)
    assert ours.__name__ == theirs.__name__
    place = "warpath.networkx.algorithms."
    assert ours.__module__ == theirs.__module__.replace("networkx.algorithms.", place)
    arguments = inspect.signature(ours).parameters
    expected = inspect.signature(theirs).parameters
    mine = [p for p in arguments.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert [(p.name, p.default) for p in mine] == [(p.name, p.default) for p in expected.values()]
    further = [p for p in arguments.values() if p.kind is not p.POSITIONAL_OR_KEYWORD]
    assert [p.kind for p in further] in ([], [inspect.Parameter.VAR_KEYWORD])
    assert bool(further) == bool(TOLD[name])
    assert not set(TOLD[name]) & set(expected)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_keywords_that_are_told_are_those_that_are_taken(name):
    further = [
        p
        for p in inspect.signature(getattr(interface, name)).parameters.values()
        if p.kind is p.VAR_KEYWORD
    ]
    taken = set()
    for p in further:
        (keywords,) = p.annotation.__args__
        taken |= set(keywords.__annotations__)
    assert taken == set(TOLD[name])
    assert taken <= set(KEYWORDS)


def test_networkx_is_told_of_each_function_and_of_no_other():
    assert set(TOLD) == set(FUNCTIONS)
    assert set(get_info()["functions"]) == set(FUNCTIONS)
    assert all("warpath" in registered[name].backends for name in FUNCTIONS)


def test_documentation_names_the_keywords():
    text = nx.single_source_dijkstra.__doc__
    assert "warpath : Shortest paths" in text
    assert "schedule : optional" in text


def test_an_unknown_name_is_no_attribute():
    with pytest.raises(AttributeError, match="has no 'astar_path'"):
        interface.astar_path  # noqa: B018
