"""Dicts of paths that are walked when somebody looks."""

import copy
import json
import pickle

import networkx as nx
import pytest

from warpath.networkx.paths import LazyPaths

PLAIN = {0: [0], 1: [0, 1], 2: [0, 1, 2], 3: [0, 1, 2, 3]}


@pytest.fixture
def paths():
    found = nx.single_source_shortest_path(nx.path_graph(4), 0, backend="warpath")
    assert isinstance(found, LazyPaths)
    return found


def test_only_what_is_looked_at_is_walked(paths):
    assert len(paths) == 4
    assert list(paths) == [0, 1, 2, 3]
    assert 9 not in paths
    assert paths._parents is None
    assert paths[2] == [0, 1, 2]
    assert paths[2] is paths[2]
    untouched = [dict.__getitem__(paths, node) for node in (0, 1, 3)]
    assert not any(isinstance(path, list) for path in untouched)


@pytest.mark.parametrize(
    "to_plain",
    [
        dict,
        lambda paths: {**paths},
        lambda paths: {} | paths,
        lambda paths: paths | {},
        copy.copy,
        copy.deepcopy,
        lambda paths: paths.copy(),
        lambda paths: dict(paths.items()),
        lambda paths: dict(zip(paths.keys(), paths.values(), strict=True)),
        lambda paths: pickle.loads(pickle.dumps(paths)),
        lambda paths: {int(key): path for key, path in json.loads(json.dumps(paths)).items()},
        lambda paths: {node: paths.get(node) for node in paths},
        lambda paths: {node: paths.setdefault(node, None) for node in list(paths)},
        lambda paths: {node: paths.pop(node) for node in list(paths)},
        lambda paths: dict(reversed([paths.popitem() for _ in range(len(paths))])),
        lambda paths: eval(repr(paths)),
    ],
)
def test_it_is_a_dict_in_every_way(paths, to_plain):
    plain = to_plain(paths)
    assert plain == PLAIN
    assert all(type(path) is list for path in plain.values())


def test_equality(paths):
    assert paths == PLAIN
    assert {0: PLAIN}.__eq__({0: paths})
    assert paths != {}
    assert (paths != PLAIN) is False


def test_missing_and_new_keys(paths):
    with pytest.raises(KeyError):
        paths[9]
    assert paths.get(9, "none") == "none"
    assert paths.setdefault(9, [9]) == [9]
    paths[1] = "mine"
    assert (paths[9], paths[1]) == ([9], "mine")
    assert paths.pop(10, None) is None


def test_update_of_another_dict(paths):
    other = {}
    other.update(paths)
    assert other == PLAIN
