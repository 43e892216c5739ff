"""How evenly does each balance share a search's arcs? Counted in the kernel, with a search's own warps.

    python benchmarks/gpu_evenness.py [--balances NAME …] [--graphs NAME …] [--processes 12]

prints a Markdown table with a column for each graph of `gpu_balances.py` that is searched from one
vertex, from the first of its sources, all levels added up (`wp.balance_profile`): the part of lanes
that had an arc in rows of up to 32, then rows of the busiest warp, and of the busiest block, over the
mean. Child grids are not counted. Nothing is timed, so graphs and balances go side by side.
"""

import argparse
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import cupy
from gpu_balances import CASES, VARIANTS, draw, table

import warpath as wp
from warpath.balance import TECHNIQUES, lookup

DEEP = ("grid 2048²", "star and path", "great-britain_osm")  # thousands of levels
TOGETHER = 4  # balances that a process counts on one of these; others, which are large, go to one


def counted(name: str, balances: tuple[str, ...]) -> list[str]:
    """A cell for each balance."""
    graph = CASES[name].make()
    source = draw(graph, 1)[0]
    cupy.get_default_memory_pool().free_all_blocks()
    cells = []
    for balance in balances:
        work = wp.balance_profile(graph, source, balance)
        cells.append(
            f"{work.efficiency:.2f}, {work.warp_imbalance:.3g}, {work.block_imbalance:.3g}"
        )
    del graph
    cupy.get_default_memory_pool().free_all_blocks()
    return cells


def compile_one(balance: str) -> None:
    """Put its kernel into the cache on disk, for degrees that are alike and for others."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of parallel processes that share a GPU
        for graph in (wp.generate.grid(40, seed=1), wp.generate.rmat(12, 16, seed=1)):
            wp.balance_profile(graph, 0, balance)


def main() -> None:
    """Count and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--balances", nargs="+", default=[*TECHNIQUES, *VARIANTS])
    parser.add_argument("--graphs", nargs="+", default=[""], help="those whose names begin so")
    parser.add_argument("--processes", type=int, default=12)
    options = parser.parse_args()
    balances = list(dict.fromkeys(str(lookup(balance)) for balance in options.balances))
    names = [
        name
        for name, case in CASES.items()
        if case.together == 1 and name.startswith(tuple(options.graphs))
    ]
    rows: dict[str, list[str]] = {balance: [] for balance in balances}
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        list(pool.map(compile_one, balances))
        parts = {}
        for name in sorted(names, key=lambda name: name not in DEEP):
            size = TOGETHER if name in DEEP else len(balances)
            chunks = [tuple(balances[i : i + size]) for i in range(0, len(balances), size)]
            parts[name] = [(chosen, pool.submit(counted, name, chosen)) for chosen in chunks]
        for name in names:
            for chosen, cells in parts[name]:
                for balance, cell in zip(chosen, cells.result(), strict=True):
                    rows[balance].append(cell)
    table(["balance", *names], [(f"`{balance}`", *cells) for balance, cells in rows.items()])


if __name__ == "__main__":
    main()
