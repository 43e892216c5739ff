"""Exceptions become one line and an exit code, never a traceback."""

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from warpath.errors import DeviceUnavailableError, NegativeCycleError, VerificationError

WRONG_ANSWER, BAD_INPUT, INTERRUPTED = 1, 2, 130  # 130: 128 + SIGINT, as shells say it
JSON = "warpath.json"  # where a context keeps whether --json was given
_GIVEN = "warpath.given"  # and where all arguments


class Group(click.Group):
    """A group whose help gives each command a whole sentence."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands; click would cut sentences that are longer than a line."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, one.get_short_help_str(10_000)) for name, one in commands if one is not None]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class Commands(Group):
    """A group that reports what its commands raise."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> click.Context:
        """Look at the options before a command."""
        given = [*args]
        with _usage_as_json(given):
            ctx = super().make_context(info_name, args, parent, **extra)
        ctx.meta[_GIVEN] = given
        return ctx

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            with _usage_as_json(ctx.meta[_GIVEN]):
                return super().invoke(ctx)
        except BrokenPipeError:  # the reader of our output has gone: click's matter
            raise
        except VerificationError as error:
            _report(ctx, error)
            ctx.exit(WRONG_ANSWER)
        except (ValueError, OverflowError, OSError, MemoryError, DeviceUnavailableError) as error:
            _report(ctx, error)
            ctx.exit(BAD_INPUT)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)


@contextmanager
def _usage_as_json(given: list[str]) -> Iterator[None]:
    """Print the object of an error of usage, if ``--json`` is among the arguments; click says the rest."""
    try:
        yield
    except click.UsageError as error:
        if "--json" in given:
            _print_error({"type": type(error).__name__, "message": error.format_message()})
        raise


def _print_error(about: dict[str, Any]) -> None:
    with suppress(OSError):
        click.echo(json.dumps({"error": about}))


def _report(ctx: click.Context, error: BaseException) -> None:
    message = in_terms_of_options(_message(error), _command(ctx))
    click.secho("Error: ", fg="red", nl=False, err=True)
    click.echo(message, err=True)
    if ctx.meta.get(JSON):
        about: dict[str, Any] = {"type": type(error).__name__, "message": message}
        if isinstance(error, NegativeCycleError):
            about["cycle"] = list(error.cycle)
        if isinstance(error, VerificationError):
            about["broken"] = error.broken
        _print_error(about)
    try:
        sys.stdout.flush()
    except OSError:
        # What cannot be written would be tried once more when Python ends, which says so.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115


def _command(ctx: click.Context) -> click.Command:
    """The command that was called, of a group or of a group in it."""
    command: click.Command = ctx.command
    for word in ctx.meta[_GIVEN]:
        if isinstance(command, click.Group):
            command = command.get_command(ctx, word) or command
    return command


_QUOTES = "'\""
# What options call otherwise than Python does: the parameter, Python's words, the option's.
_OTHERWISE = (
    ("undirected", "directed=False", "--undirected"),
    ("undirected", "pass directed=True, or", "leave it out, or"),
    ("drop_weights", "without_weights()", "--drop-weights"),
    ("to_format", "a known format: name it by format=", "a known format: name it by --to-format"),
)
_CALL = re.compile(r"(?:\w+\.)?Graph\.\w+\((?:\.\.\., )?([^()]*)\)")
_KEYWORD = re.compile(r"\b([a-z_]+)=((?:'[^']*'|\"[^\"]*\"|\[[^\]]*\]|[\w.:-]+)?)")


_WITH_UNDERSCORE = re.compile(r"""(?<![\w/.'"])[a-z]+(?:_[a-z]+)+(?![\w/.'"])""")


def in_terms_of_options(message: str, command: click.Command) -> str:
    """A message about arguments of Python's functions, as it reads for a command's options.

    Parameters
    ----------
    message : str
    command : click.Command

    Examples
    --------
    >>> option = click.Option(["--depth-limit"])
    >>> command = click.Command("bfs", params=[option, click.Option(["--compact"], is_flag=True)])
    >>> in_terms_of_options("depth_limit=-1 is negative: give compact=True, directed=True", command)
    '--depth-limit -1 is negative: give --compact, directed=True'
    >>> in_terms_of_options("depth_limit must not be negative", command)
    '--depth-limit must not be negative'
    """
    options = {str(one.name): one for one in command.params if isinstance(one, click.Option)}

    def spelled(name: str) -> str | None:
        return max(options[name].opts, key=len) if name in options else None

    def keyword(match: re.Match[str]) -> str:
        name, value = match.groups()
        flag = spelled(name)
        if flag is None:
            return match[0]
        if options[name].is_flag:
            return flag if value in ("", "True") else match[0]
        items = value.strip("[]").split(", ") if value.startswith("[") else [value]
        bare = ",".join(item.strip(_QUOTES) for item in items)
        return f"{flag} {value if ' ' in bare else bare}".rstrip()

    def word(match: re.Match[str]) -> str:
        return spelled(match[0]) or match[0]

    for name, words, option in _OTHERWISE:
        if name in options:
            message = message.replace(words, option)
    message = _CALL.sub(lambda call: call[1] if _KEYWORD.search(call[1]) else call[0], message)
    return _WITH_UNDERSCORE.sub(word, _KEYWORD.sub(keyword, message))


def _message(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    text = "; ".join(line.strip() for line in str(error).splitlines() if line.strip())
    return text or ("not enough memory" if isinstance(error, MemoryError) else repr(error))
