"""Tables for people, one JSON object for machines, and a sign of life in between."""

import json
import logging
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from warpath import progress
from warpath.cli.errors import JSON
from warpath.display import duration as duration
from warpath.display import number as number
from warpath.files import naming, replacing
from warpath.kernel_cache import compile_seconds

if TYPE_CHECKING:
    from rich.console import Console

_PIPE_WIDTH = 120  # columns where no terminal says how many it has


def wants_json() -> bool:
    """Whether ``--json`` was given."""
    context = click.get_current_context(silent=True)  # a thread of the library's has none
    return context is not None and bool(context.meta.get(JSON))


def console(*, stderr: bool = False) -> "Console":
    """Where tables go, made for the stream as it is now."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else _PIPE_WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)


def emit(data: Mapping[str, Any], render: Callable[["Console"], None]) -> None:
    """Print ``data`` as one JSON object if so wanted, else let ``render`` print."""
    if wants_json():
        text = json.dumps(plain(data), allow_nan=False)
        with naming("<stdout>"):
            click.echo(text)
    else:
        with naming("<stdout>"):
            render(console())


def write_text(file: str, text: str) -> None:
    """Replace a file by a text; "-": print it."""
    if file == "-":
        with naming("<stdout>"):
            click.echo(text, nl=False)
    else:
        with replacing(file) as stream:
            stream.write(text.encode())


def plain(value: Any) -> Any:
    """``value`` in terms of JSON: arrays as lists, infinite and NaN as null."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


@contextmanager
def working(on: str) -> Iterator[None]:
    """Spin while something long runs; only on a terminal, and not for machines."""
    screen = console(stderr=True)
    if screen.is_terminal and not wants_json():
        with screen.status(f"{on} …") as status, progress.displaying(status):
            yield
    else:
        yield


@contextmanager
def bar(of: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar, to be told (done, all), on a terminal, and not for machines."""
    screen = console(stderr=True)
    if not screen.is_terminal or wants_json():
        yield None
        return
    from rich import progress as parts

    columns = (
        parts.TextColumn("{task.description}"), parts.BarColumn(), parts.TaskProgressColumn(),
        parts.TimeRemainingColumn(),
    )  # fmt: skip
    with (
        parts.Progress(*columns, console=screen, transient=True) as shown,
        progress.displaying(shown),
    ):
        task = shown.add_task(of, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


def verify_if(asked: bool, answer: Any) -> None:
    """Check an answer's certificate, if ``--verify`` asks for it."""
    if asked:
        with working("Verifying"):
            answer.verify()


def end(screen: "Console", output: str | None, *, verified: bool = False) -> None:
    """Say that an answer was verified, and where it was written."""
    if verified:
        screen.print("Verified.", style="green")
    if output is not None:
        screen.print(f"Written to {output}", soft_wrap=True)


def note(text: str) -> None:
    """Say what runs, where `working`'s spinning would disturb a measurement."""
    screen = console(stderr=True)
    if screen.is_terminal and not wants_json():
        screen.print(text)


class _Notes(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        note(record.getMessage())


@contextmanager
def showing_log() -> Iterator[None]:
    """Show what the library logs as `note` does."""
    log, handler = logging.getLogger("warpath"), _Notes()
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


class Stopwatch:
    """``with Stopwatch() as watch: …`` leaves in ``watch`` the seconds without compiling, and ``elapsed`` with it."""

    seconds: float = 0.0
    elapsed: float = 0.0

    def __enter__(self) -> "Stopwatch":
        self._compiling, self._start = compile_seconds(), perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.elapsed = perf_counter() - self._start
        self.seconds = self.elapsed - (compile_seconds() - self._compiling)
