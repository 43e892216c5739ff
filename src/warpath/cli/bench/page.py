"""``warpath bench page``."""

import click

from warpath.cli.name_types import examples


@click.command(
    epilog=examples(
        "warpath bench page figures.jsonl -o performance.md",
    )
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False),
              help="The page, in Markdown; plots go into the folder of that name without .md.")  # fmt: skip
def page(file: str, output: str) -> None:
    """A page of FILE, a line for each measured figure: tables and plots."""
    from os.path import relpath
    from pathlib import Path

    from warpath.bench import measured, performance_page

    source = relpath(file, Path(output).parent)
    performance_page.write(measured.read(file), source, Path(output))
