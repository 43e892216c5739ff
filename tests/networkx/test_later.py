"""Dicts that are made when somebody looks."""

import copy
import json
import pickle
from collections import ChainMap

import networkx as nx
import pandas as pd
import pytest

from warpath.networkx import tiny
from warpath.networkx.later import Later, Made

PLAIN = {0: 0, 1: 1, 2: 2}
WAYS = {
    "dict": dict,
    "stars": lambda row: {**row},
    "update": lambda row: (other := {}).update(row) or other,
    "or": lambda row: row | {},
    "other or": lambda row: {} | row,
    "in place": lambda row: row.__ior__({}),
    "copy": lambda row: row.copy(),
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda row: pickle.loads(pickle.dumps(row)),
    "json": lambda row: {int(key): value for key, value in json.loads(json.dumps(row)).items()},
    "indented json": lambda row: {
        int(k): v for k, v in json.loads(json.dumps(row, indent=1)).items()
    },
    "items": lambda row: dict(row.items()),
    "keys and values": lambda row: dict(zip(row.keys(), row.values(), strict=True)),
    "iter": lambda row: {node: row[node] for node in row},
    "get": lambda row: {node: row.get(node) for node in (0, 1, 2)},
    "reversed": lambda row: {node: row[node] for node in reversed(list(reversed(row)))},
    "pop": lambda row: {node: row.pop(node) for node in (0, 1, 2)},
    "popitem": lambda row: dict(sorted(row.popitem() for _ in range(3))),
    "setdefault": lambda row: {node: row.setdefault(node) for node in (0, 1, 2)},
    "repr": lambda row: eval(repr(row)),
    "str": lambda row: eval(str(row)),
    "format": lambda row: eval(f"{row}"),
    "pandas": lambda row: pd.Series(row).to_dict(),
    "pandas, of rows": lambda row: pd.DataFrame({"a": row})["a"].to_dict(),
    "chain": lambda row: dict(ChainMap(row)),
}


@pytest.fixture(autouse=True)
def of_any_size(monkeypatch):
    """Of tiny graphs dicts are made at once."""
    monkeypatch.setattr(tiny, "SUMS", -1)


def rows():
    return nx.all_pairs_shortest_path_length(nx.path_graph(3), backend="warpath")


@pytest.mark.parametrize("way", WAYS)
def test_it_is_a_dict_in_every_way(way):
    (_, row), *_ = rows()
    assert type(row) is Later
    assert WAYS[way](row) == PLAIN


def test_equality_length_and_truth():
    for look in (
        lambda row: row == PLAIN,
        lambda row: PLAIN.__eq__({**row}),
        lambda row: not row != PLAIN,  # noqa: SIM202 - that is a way of its own
        lambda row: len(row) == 3,
        lambda row: bool(row),
        lambda row: 2 in row and 3 not in row,
        lambda row: {1: PLAIN}.__eq__({1: row}),
    ):
        (_, row), *_ = rows()
        assert look(row)
        assert isinstance(row, dict)


def test_it_is_made_once_and_then_looks_cost_nothing():
    calls = []
    row = Later(lambda: calls.append(1) or dict(PLAIN))
    assert not calls
    assert row[2] == 2
    assert type(row) is Made
    assert type(row).__getitem__ is dict.__getitem__
    row[3] = 4
    assert (row.pop(0), len(row), calls) == (0, 3, [1])
    with pytest.raises(KeyError):
        row["none"]


def test_changes_before_the_first_look():
    row = Later(PLAIN.copy)
    row[9] = 9
    del row[0]
    assert row == {1: 1, 2: 2, 9: 9}
    row = Later(PLAIN.copy)
    row.clear()
    assert not row
