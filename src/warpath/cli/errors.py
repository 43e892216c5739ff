"""Exceptions become one line and an exit code, never a traceback."""

import json
import os
import sys
from contextlib import suppress
from typing import Any

import click

from warpath.errors import DeviceUnavailableError, NegativeCycleError, VerificationError

WRONG_ANSWER, BAD_INPUT, INTERRUPTED = 1, 2, 130  # 130: 128 + SIGINT, as shells say it
JSON = "warpath.json"  # where a context keeps whether --json was given


class Commands(click.Group):
    """A group that reports what its commands raise."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
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


def _report(ctx: click.Context, error: BaseException) -> None:
    message = _message(error)
    click.secho("Error: ", fg="red", nl=False, err=True)
    click.echo(message, err=True)
    if ctx.meta.get(JSON):
        about: dict[str, Any] = {"type": type(error).__name__, "message": message}
        if isinstance(error, NegativeCycleError):
            about["cycle"] = list(error.cycle)
        if isinstance(error, VerificationError):
            about["broken"] = error.broken
        with suppress(OSError):
            click.echo(json.dumps({"error": about}))
    try:
        sys.stdout.flush()
    except OSError:
        # What cannot be written would be tried once more when Python ends, which says so.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115


def _message(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    text = "; ".join(line.strip() for line in str(error).splitlines() if line.strip())
    return text or ("not enough memory" if isinstance(error, MemoryError) else repr(error))
