"""A trial: one configuration on one graph from one source, and its line of JSON."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from warpath.files import lock, naming

FORMAT = 1
STATUSES = ("ok", "over-limit", "left-out", "wrong", "failed")


@dataclass(frozen=True)
class Trial:
    """One measurement, with all that is needed to repeat it.

    Attributes
    ----------
    suite : str
    graph : dict
        ``name``; ``kind`` ("stand-in", "original", "generated", "fitted"), ``recipe``, ``scale``,
        ``seed``;
        ``vertices``, ``arcs``, ``directed``, ``weights`` (a dtype or None).
    configuration : dict
        ``label``, ``by``, ``algorithm``, ``device``, ``threads``, ``options``.
    source : int or None
        None where none is needed; then trials are repetitions.
    status : str
        One of `STATUSES`. "over-limit": ``seconds`` is the limit that was passed.
    why : str or None
        What is behind another status than "ok".
    seconds : float or None
    clock : {"host", "events", "trace", "own"} or None
        Wall time; CUDA events; the kernel's own clock; what a peer says of itself.
    cold_seconds : float or None
        The configuration's first call on this graph: compiling and copying included.
    arcs : int or None
        Those of the traversed component.
    iterations, relaxations : int or float or None
        The median of several trials may be between two integers.
    verified : bool or None
        None: there was nothing to verify.
    extra : dict
        Numbers of this suite alone.
    machine, versions : dict
        ``machine["bandwidth"]``: bytes a second that each device copies.
    commit : str or None
        warpath's, where its source is a git checkout.
    when : str
        UTC.
    """

    suite: str
    graph: dict[str, Any]
    configuration: dict[str, Any]
    source: int | None = None
    status: str = "ok"
    why: str | None = None
    seconds: float | None = None
    clock: str | None = None
    cold_seconds: float | None = None
    arcs: int | None = None
    iterations: float | None = None
    relaxations: float | None = None
    verified: bool | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    machine: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, Any] = field(default_factory=dict)
    commit: str | None = None
    when: str = ""

    def as_json(self) -> str:
        """One line."""
        return json.dumps({"format": FORMAT} | asdict(self), ensure_ascii=False, allow_nan=False)


def _maybe(kind: str) -> dict[str, Any]:
    return {"type": [kind, "null"]}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


_TEXT, _OBJECT = {"type": "string"}, {"type": "object"}

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "warpath trial",
    "additionalProperties": False,
} | _object(
    format={"const": FORMAT},
    suite=_TEXT,
    graph=_object(
        name=_TEXT, kind={"enum": ["stand-in", "original", "generated", "fitted"]}, recipe=_TEXT,
        scale={"type": "number"}, seed={"type": "integer"}, vertices=_maybe("integer"),
        arcs=_maybe("integer"), directed=_maybe("boolean"), weights=_maybe("string"),
    ),
    configuration=_object(
        label=_TEXT, by=_TEXT, algorithm=_TEXT, device={"enum": ["cpu", "cuda"]},
        threads=_maybe("integer"), options=_OBJECT,
    ),
    source=_maybe("integer"),
    status={"enum": list(STATUSES)},
    why=_maybe("string"),
    seconds=_maybe("number"),
    clock={"enum": ["host", "events", "trace", "own", None]},
    cold_seconds=_maybe("number"),
    arcs=_maybe("integer"),
    iterations=_maybe("number"),
    relaxations=_maybe("number"),
    verified=_maybe("boolean"),
    extra=_OBJECT,
    machine=_object(
        cpu=_TEXT, cores={"type": "integer"}, threads={"type": "integer"}, gpu=_maybe("string"),
        system=_TEXT,
    ),
    versions=_OBJECT,
    commit=_maybe("string"),
    when=_TEXT,
)  # fmt: skip
"""The line as a JSON Schema, of which `check` understands what stands here."""

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "object": (dict,), "number": (int, float), "integer": (int,),
    "boolean": (bool,), "null": (type(None),),
}  # fmt: skip


def check(value: Any, schema: Mapping[str, Any] = SCHEMA, where: str = "trial") -> None:
    """Check a line that was read against the schema.

    Raises
    ------
    ValueError
        Naming the first property that is wrong.
    """
    if "const" in schema and value != schema["const"]:
        raise ValueError(f"{where} is {value!r}, not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        raise ValueError(f"{where} is {value!r}, none of {schema['enum']}")
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        fits = any(isinstance(value, _TYPES[name]) for name in names)
        if not fits or (isinstance(value, bool) and "boolean" not in names):
            raise ValueError(f"{where} is {value!r}, not of type {' or '.join(names)}")
    if not isinstance(value, dict):
        return
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            raise ValueError(f"{where} has no {name!r}")
    for name, item in value.items():
        if name in properties:
            check(item, properties[name], f"{where}.{name}")
        elif schema.get("additionalProperties") is False:
            raise ValueError(f"{where} has an unknown property {name!r}")


def from_line(line: str) -> Trial:
    """A trial of its line.

    Raises
    ------
    ValueError
        No JSON, or not that of a trial.
    """
    value = json.loads(line)
    check(value)
    value.pop("format")
    return Trial(**value)


def read(path: str | Path) -> list[Trial]:
    """The trials of a file of lines; half a line at the end, of a run that was cut off, is none.

    Raises
    ------
    ValueError
        Naming the line that is no trial.
    """
    trials = []
    with Path(path).open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            try:
                trials.append(from_line(line))
            except ValueError as error:
                if isinstance(error, json.JSONDecodeError) and not line.endswith("\n"):
                    break
                raise ValueError(f"{path}, line {number}: {error}") from None
    return trials


@contextmanager
def appending(path: str | Path) -> Iterator[Callable[[Trial], None]]:
    """Append trials to a file of lines, each as soon as it is there.

    Half a line at the end, of a run that was cut off, is removed first, unless another process is
    appending to the file.

    Yields
    ------
    callable
        It appends a trial.

    Raises
    ------
    OSError
        If the file cannot be written: it names the file.
    """
    with naming(path):
        file = open(path, "ab", buffering=0)  # noqa: SIM115

    def append(line: bytes) -> None:
        with naming(path):
            while line:
                line = line[file.write(line) :]

    with file:
        last = _last_line(Path(path)) if lock(file) else b""
        if last and _is_cut(last):
            file.truncate(file.tell() - len(last))
        elif last:
            append(b"\n")
        yield lambda trial: append(f"{trial.as_json()}\n".encode())


def _last_line(path: Path) -> bytes:
    """What stands in a file behind its last line end."""
    return path.read_bytes().rpartition(b"\n")[2] if path.is_file() else b""


def _is_cut(line: bytes) -> bool:
    """Whether a line is the beginning of one that `Trial.as_json` makes."""
    begin = json.dumps({"format": FORMAT})[:-1].encode()
    try:
        json.loads(line)
    except ValueError:
        return line.startswith(begin) or begin.startswith(line)
    return False
