"""How evenly does each balance share a search's arcs? Counted in the kernel, with a search's own warps.

    python benchmarks/gpu_load_imbalance.py [--balances NAME …] [--graphs NAME …]

prints a Markdown table with a column for each graph of `gpu_balances.py` that is searched from one
vertex, from the first of its sources, all levels added up (`wp.balance_profile`): the part of lanes
that had an arc in rows of up to 32, then the rows of the warp, and of the block, that has the most, over the
mean. Child grids are not counted.
"""

import argparse
import os
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import cupy
from gpu_balances import CASES, VARIANTS, draw, table

import warpath as wp
from warpath.balance import TECHNIQUES, lookup


def counted(name: str, balances: list[str]) -> list[str]:
    """A graph's cells: one for each balance."""
    graph = CASES[name].make()
    source = draw(graph, 1)[0]
    cells = []
    for balance in balances:
        work = wp.balance_profile(graph, source, balance)
        most = (float(f"{each:.3g}") for each in (work.warp_imbalance, work.block_imbalance))
        cells.append(f"{work.efficiency:.2f}, " + ", ".join(f"{each:g}" for each in most))
    return cells


def compile_one(balance: str) -> None:
    """Put its kernel into the cache on disk, for regular degrees and for others."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of parallel processes that share a GPU
        for graph in (wp.generate.grid(40, seed=1), wp.generate.rmat(12, 16, seed=1)):
            wp.balance_profile(graph, 0, balance)


def main() -> None:
    """Count and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--balances", nargs="+", default=[*TECHNIQUES, *VARIANTS])
    parser.add_argument("--graphs", nargs="+", default=[""], help="those whose names begin so")
    options = parser.parse_args()
    balances = list(dict.fromkeys(str(lookup(balance)) for balance in options.balances))
    with ProcessPoolExecutor(min(12, os.cpu_count() or 1), get_context("spawn")) as pool:
        list(pool.map(compile_one, balances))
    columns = {}
    for name, case in CASES.items():
        if case.together == 1 and name.startswith(tuple(options.graphs)):
            columns[name] = counted(name, balances)
            cupy.get_default_memory_pool().free_all_blocks()
    cells = zip(*columns.values(), strict=True)
    rows = [(f"`{balance}`", *row) for balance, row in zip(balances, cells, strict=True)]
    table(["balance", *columns], rows)


if __name__ == "__main__":
    main()
