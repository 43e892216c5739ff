"""The command line: ``warpath``, or ``python -m warpath``.

Each command stands in a module of its own and imports what it computes with only
when it runs, so that ``warpath --help`` is there at once.

Exit codes: 0; 1 where an answer is wrong (`warpath.VerificationError`); 2 where the
input is bad: usage, files, graphs, and also a negative cycle, to which there is no
answer. What goes wrong is one line on stderr, with ``--json`` also an object on stdout.
"""

import click

from warpath import __version__
from warpath.cli.advise import advise
from warpath.cli.apsp import apsp
from warpath.cli.bench import bench
from warpath.cli.centrality import betweenness, closeness
from warpath.cli.components import components
from warpath.cli.connected import connected
from warpath.cli.convert import convert
from warpath.cli.demo import demo
from warpath.cli.devices import devices
from warpath.cli.distances import distances
from warpath.cli.eccentricity import diameter, eccentricity
from warpath.cli.errors import Commands
from warpath.cli.explain_balance import explain_balance
from warpath.cli.generate import generate
from warpath.cli.info import info
from warpath.cli.k_paths import k_paths
from warpath.cli.measures import communities, cores, pagerank, triangles
from warpath.cli.path import path
from warpath.cli.plan import plan
from warpath.cli.profile import profile
from warpath.cli.show import showing_log
from warpath.cli.spanning_forest import spanning_forest
from warpath.cli.traverse import bfs, sssp
from warpath.cli.verify import verify
from warpath.cli.warm_up import warm_up


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0; 1 the answer is wrong; 2 the input is bad (a negative cycle too).",
)
@click.version_option(__version__)
def main() -> None:
    """Shortest paths and graph traversal, verified.

    Vertices are numbered from 0, whatever the file does. Graphs are read from and
    written to Matrix Market, DIMACS, METIS, edge lists and more, by suffix, also packed
    (.gz, .xz, .zst); "-" is standard input.
    """
    click.get_current_context().with_resource(showing_log())


for _command in (
    info,
    bfs,
    sssp,
    apsp,
    path,
    k_paths,
    distances,
    connected,
    components,
    spanning_forest,
    betweenness,
    closeness,
    eccentricity,
    diameter,
    pagerank,
    cores,
    triangles,
    communities,
    generate,
    convert,
    verify,
    devices,
    demo,
    explain_balance,
    bench,
    plan,
    advise,
    profile,
    warm_up,
):
    main.add_command(_command)
