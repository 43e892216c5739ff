"""SciPy's own tests of what warpath implements pass with `warpath.csgraph` in SciPy's place."""

import pytest
from scipy.sparse import csgraph as scipys

from scipys_tests import load
from warpath import csgraph

MODULES = {
    name: load(name)
    for name in (
        "test_connected_components",
        "test_pydata_sparse",
        "test_shortest_path",
        "test_spanning_tree",
        "test_traversal",
    )
}
# What does not hold because SciPy is wrong: {(module, test): why}. Strict.
SCIPYS_FAULTS: dict[tuple[str, str], str] = {}


def _collect(name, module):
    """The module's tests and fixtures, under names that no other module has."""
    marks = getattr(module, "pytestmark", [])
    for key, value in vars(module).items():
        if key.startswith("test") and callable(value):
            value.pytestmark = [_with_a_list(mark) for mark in getattr(value, "pytestmark", [])]
            for mark in marks if isinstance(marks, list) else [marks]:
                mark(value)
            if (name, key) in SCIPYS_FAULTS:
                pytest.mark.xfail(strict=True, reason=SCIPYS_FAULTS[name, key])(value)
            yield f"{name}__{key}", value
        elif type(value).__name__ == "FixtureFunctionDefinition":
            yield key, value


def _with_a_list(mark):
    """An iterator among the arguments of a mark is deprecated by pytest 9."""
    if mark.name != "parametrize":
        return mark
    names, values, *others = mark.args
    return pytest.mark.parametrize(names, list(values), *others, **mark.kwargs).mark


for _name, _module in MODULES.items():
    globals().update(_collect(_name, _module))


def test_all_of_scipys_tests_are_here():
    count = sum(name.startswith("test_shortest_path__") for name in globals())
    assert count >= 25


@pytest.mark.parametrize("name", MODULES)
def test_they_test_warpath(name):
    found = [key for key in csgraph.__all__ if key in vars(MODULES[name])]
    module = MODULES[name].__dict__
    assert all(module[key] is getattr(csgraph, key) for key in found)
    others = (value for value in module.values() if type(value).__name__ == "module")
    assert all(value is not scipys for value in others)
    assert found or csgraph in module.values()
