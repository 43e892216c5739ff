"""``python -m warpath``: the command line."""

from warpath.cli import main

main(prog_name="warpath")
