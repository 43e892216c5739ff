"""The API reference has every public name, and each docstring says what a reader needs."""

import inspect
import re
from functools import cached_property
from importlib import import_module
from pathlib import Path

import pytest
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import validate

from warpath.typing import DIRECTIONS

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"
MODULES = (
    "warpath",
    "warpath.csgraph",
    "warpath.datasets",
    "warpath.distributed",
    "warpath.generate",
    "warpath.io",
    "warpath.networkx",
    "warpath.schedule",
    "warpath.verify",
)
# numpydoc's checks. Those that are left out are of taste: where a summary begins, whether its verb
# is an infinitive, whether a description is a sentence.
FORM = {"GL03", "GL05", "GL06", "GL07", "GL08", "SS01", "SS02", "SS03", "SS04"}
SIGNATURE = {"PR01", "PR02", "PR03", "PR04", "PR05", "PR10", "RT01", "YD01"}
HELP = {"SA01", "SA02", "SA03", "SA04", "EX01"}
# Arguments are SciPy's, in groups: `csgraph.shortest_path` describes each.
OF_CSGRAPH = {"GL07", "PR03", "PR04"}


def members(module):
    """Public names of a module and what they are, without what is SciPy's own."""
    home = import_module(module)
    for name in home.__all__:
        value = getattr(home, name)
        if not getattr(value, "__module__", module).startswith("scipy"):
            yield name, value


OBJECTS = {
    f"{module}.{name}": value
    for module in MODULES
    for name, value in members(module)
    if inspect.isclass(value) or inspect.isfunction(value)
}
# Classes whose pages show their members: others only travel between functions.
CLASSES = {
    name: value
    for name, value in OBJECTS.items()
    if inspect.isclass(value) and name.count(".") == 1
}
METHODS = {
    f"{owner}.{name}": member
    for owner, value in CLASSES.items()
    for name, member in inspect.getmembers_static(value)
    if name[0] != "_"
    and (inspect.isfunction(member) or isinstance(member, (classmethod, staticmethod)))
    and inspect.unwrap(getattr(value, name)).__module__.startswith("warpath")
}
PROPERTIES = {
    f"{owner}.{name}": member
    for owner, value in CLASSES.items()
    for name, member in inspect.getmembers_static(value)
    if name[0] != "_" and isinstance(member, (property, cached_property))
}


def errors(value, checks):
    """What numpydoc says of a docstring."""
    docstring = get_doc_object(value)
    # Of what a function makes, attributes are described, not the arguments of its constructor.
    asked = checks - {"PR01"} if docstring.get("Attributes") else checks
    return [found for found in validate(docstring)["errors"] if found[0] in asked]


def on_pages():
    """Names that the pages list, and the modules that they describe."""
    for page in REFERENCE.glob("*.rst"):
        module = "warpath"
        for line in page.read_text().splitlines():
            if heading := re.match(r"\.\. (?:current|auto)module:: (\S+)", line):
                yield (module := heading[1])
            elif entry := re.match(r"(?:   |\.\. (?:auto)?(?:data|class):: )([\w.]+)$", line):
                yield entry[1] if "." in entry[1] else f"{module}.{entry[1]}"


def value_of(name):
    """The function or class of a name; else the name itself."""
    home, _, last = name.rpartition(".")
    value = getattr(import_module(home), last, None) if home and last[:2] != "__" else None
    return value if inspect.isclass(value) or inspect.isfunction(value) else name


@pytest.mark.parametrize("module", MODULES)
def test_each_public_name_is_on_a_page(module):
    listed = {value_of(name) for name in on_pages() if name.startswith("warpath")}
    for name, value in members(module):
        full = value.__name__ if inspect.ismodule(value) else f"{module}.{name}"
        assert value_of(full) in listed, full


@pytest.mark.parametrize("name", OBJECTS)
def test_function_or_class(name):
    of_scipy = OF_CSGRAPH if name.startswith("warpath.csgraph.") else set()
    assert errors(OBJECTS[name], (FORM | SIGNATURE | HELP) - of_scipy) == []


@pytest.mark.parametrize("name", METHODS)
def test_method(name):
    owner, _, own = name.rpartition(".")
    assert errors(getattr(OBJECTS[owner], own), FORM | SIGNATURE) == []


@pytest.mark.parametrize("name", PROPERTIES)
def test_property(name):
    assert errors(PROPERTIES[name], FORM) == []


def test_every_direction_is_described():
    """Methods, balances, presets and functions of NetworkX come from the code itself."""
    page = (REFERENCE / "methods.rst").read_text()
    for name in DIRECTIONS:
        assert f'``"{name}"``' in page


def raised(value):
    """What a docstring says that a function raises, also by the names of another one's section."""
    return {name.strip() for one in get_doc_object(value)["Raises"] for name in one.type.split(",")}


@pytest.mark.parametrize("name", [*OBJECTS, *METHODS])
def test_error_of_a_device(name):
    """A function that can be sent to a GPU says what it raises where there is none."""
    owner, _, own = name.rpartition(".")
    value = OBJECTS[name] if name in OBJECTS else getattr(OBJECTS[owner], own)
    if inspect.isclass(value) or not {"device", "devices"} & {*inspect.signature(value).parameters}:
        return
    assert "DeviceUnavailableError" in raised(value)
