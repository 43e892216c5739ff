"""Registers, spills, shared memory and code size of kernels, builds of warpath next to each other, without a GPU.

    git worktree add ../before REVISION
    python benchmarks/gpu_kernels.py ../before/src src [--arch sm_90] [--only "bfs, " …] [--cache FOLDER]

compiles one instance or more of each kind of kernel with each build's own compiler module and prints a
Markdown table. A cell has the value of each build, or one value where they agree; "-" is a kernel that
a build does not have (the reason is on stderr). The columns:

registers  of a thread, by the assembler's report; of a kernel with child grids the most of both
stack      bytes of a thread's stack frame in local memory
spills     bytes of all spill stores and spill loads, counted once each in the code
shared     bytes of static shared memory of a block, with what the system reserves of it (1 KiB)
code       bytes of machine code, and the ratio of these to the first build's

The last row adds up the spills and the code of the kernels that all builds have. With ``--cache`` what was found is kept in a
folder and read again as long as a build's kernels, its compiler module and NVRTC are the same.
"""

import argparse
import hashlib
import json
import os
import re
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

ARCH = "sm_90"
CHILDREN = "dynamic-virtual-warp:dynamic_parallelism=4096"
TYPES = ("int32", "int32")  # of weights and of distances, if nothing else is said
OTHER_TYPES = (
    ("int32", "int64"), ("int64", "int64"), ("float32", "float32"), ("float64", "float64"),
)  # fmt: skip
# What sssp_kernel calls a method's way to relax.
METHODS = {
    "delta-stepping": "NearFarRelaxing",
    "near-far": "NearFarListRelaxing",
    "bucketing": "BucketsRelaxing",
    "h-bf": "PackedRelaxing",
    "bellman-ford-queueless": "QueuelessRelaxing",
}
HBF = {
    "edge-classification": "ClassifiedRelaxing PackedRelaxing",
    "scattered-enqueue": "Scattered PackedRelaxing",
    "edge-classification, scattered-enqueue": "ClassifiedRelaxing Scattered PackedRelaxing",
    "duplicates": "DuplicatesRelaxing",
    "hash-duplicates": "Filtered:HashTable DuplicatesRelaxing",
    "warp-culling": "Filtered:WarpCulling DuplicatesRelaxing",
    "lookup-compaction": "Compacted DuplicatesRelaxing",
    "bitmap-frontier": "ThroughBitmap Relaxing",
    "edge-queue": "ThroughEdgeQueue PackedRelaxing",
}
RENAMED = {"virtual-warp": "hong", "edge-parallel": "jia"}  # presets, of older builds
SUMMED = ("spills", "code")
FAILURES = (AttributeError, KeyError, TypeError, ValueError)  # of what a build does not have
OURS = "warpath"  # in the names of our functions; a kernel with child grids is linked with others


@dataclass(frozen=True)
class Kernel:
    """An instance, as `compile_kernel` takes it."""

    header: str
    expression: str
    children: bool = False


@dataclass(frozen=True)
class Use:
    """What an instance takes; the module's docstring says what of."""

    registers: int
    stack: int
    spills: int
    shared: int
    code: int


FIELDS = tuple(field.name for field in fields(Use))


def kernels() -> dict[str, Kernel | None]:
    """Those that are compared, of the build in this process; None: it has no such kernel.

    Breadth-first searches with predecessors, shortest paths without, none with a trace, all with
    32-bit offsets, if a name does not say otherwise. What builds name differently is added once for each
    of its names; the first that a build has counts.
    """
    from warpath.cuda import compile as compiler
    from warpath.cuda import instances, minplus

    found: dict[str, Kernel | None] = {}

    def add(
        name: str,
        header: str,
        function: str,
        *arguments: Any,
        module: ModuleType = instances,
        children: bool = False,
    ) -> None:
        if found.setdefault(name) is not None or not (compiler.KERNELS / header).exists():
            return
        with suppress(*FAILURES):
            found[name] = Kernel(header, getattr(module, function)(*arguments), children)

    _searches(add)
    _shortest_paths(add)
    _others(add)
    _matrices(add, minplus)
    return found


def _searches(add: Any) -> None:
    """Breadth-first searches."""
    from warpath import balance, frontier

    default, visiting = (balance.lookup(name) for name in (balance.DEFAULT, balance.VISITING))
    bfs = "bfs.cuh", "bfs_kernel"
    for name in (*balance.TECHNIQUES, balance.VISITING, CHILDREN):
        one = balance.lookup(name)
        add(f"bfs, {name}", *bfs, 4, one, True, False, children=one.launches_children)
    regular = balance.lookup("auto").fitted(4, 4)
    add("bfs, auto, regular degrees", *bfs, 4, regular, True, False)
    add("bfs, distances only", *bfs, 4, visiting, False, False)
    add("bfs, with a trace", *bfs, 4, visiting, True, True)
    add("bfs, 64-bit offsets", *bfs, 8, visiting, True, False)
    for trace in (False, True):
        name = "bfs, asynchronous" + ", with a trace" * trace
        add(name, "algorithms/bfs_async.cuh", "bfs_async_kernel", 4, trace)

    levels = "algorithms/bfs_levels.cuh", "bfs_levels_kernel", 4
    for name, queue in frontier.FRONTIERS.items():
        for duplicates in queue.duplicates:
            policy = frontier.Policy(name, duplicates)
            for direction in queue.directions if policy.sweeps else ("top-down",):
                label = f"bfs levels, {policy}" + ", bottom-up" * (direction == "bottom-up")
                add(label, *levels, policy.algorithm(direction), default, True, False)
    for name, policy, one, direction in _presets():
        if policy == frontier.DEFAULT:
            add(f"bfs, preset {name}", *bfs, 4, one, True, False)
        else:
            kernel = policy.algorithm(direction)
            add(f"bfs levels, preset {name}", *levels, kernel, one, True, False)


def _presets() -> Iterator[tuple[str, Any, Any, str]]:
    """Of the papers' systems name, policy, balance and direction."""
    try:
        from warpath.planning.breadth_first import complete_bfs
        from warpath.schedule import PRESETS
    except ImportError:  # a build whose presets are no schedules, two of them by other names
        from warpath import balance, frontier

        for name, system in frontier.PRESETS.items():
            policy = system.policy(frontier.Policy(system.frontier, system.duplicates))
            one = balance.lookup(system.balance)
            yield RENAMED.get(name, name), policy, one, system.direction
    else:
        for name, preset in PRESETS.items():
            how = complete_bfs(preset.schedule)
            yield name, how.policy, how.technique, how.direction


def _shortest_paths(add: Any) -> None:
    from warpath import balance
    from warpath.cuda import instances

    default = balance.lookup(balance.DEFAULT)
    regular = balance.lookup("auto").fitted(4, 4, relaxes="workfront-sweep")
    sssp = "algorithms/sssp.cuh", "sssp_kernel"
    for name, way in METHODS.items():
        for parents in (False, True):
            label = f"sssp, {name}" + ", parents" * parents
            if not (
                parents and way in ("NearFarListRelaxing", "BucketsRelaxing")
            ):  # which no call asks for
                add(label, *sssp, 4, way, *TYPES, default, parents, False, False)
            if way == "NearFarRelaxing":
                label += ", asynchronous"
                add(label, *sssp, 4, way, *TYPES, default, parents, True, False)
    for asynchronous in (False, True):
        label = "sssp, workfront-sweep, regular degrees" + ", asynchronous" * asynchronous
        add(label, *sssp, 4, "NearFarRelaxing", *TYPES, regular, False, asynchronous, False)
    for name, way in HBF.items():
        add(f"sssp, h-bf, {name}", *sssp, 4, way, *TYPES, default, False, False, False)
    add(
        "sssp, h-bf, cache-modifiers", "algorithms/sssp_cache_modifiers.cuh", "sssp_kernel", 4, "PackedRelaxing", *TYPES, default,
        False, False, False,
    )  # fmt: skip
    for name in (*balance.TECHNIQUES, CHILDREN):
        if name == balance.DEFAULT:
            continue
        one = balance.lookup(name)
        for method in ("delta-stepping", "h-bf"):
            add(
                f"sssp, {method}, {name}", *sssp, 4, METHODS[method], *TYPES,
                one, False, False, False, children=one.launches_children,
            )  # fmt: skip
    for types in OTHER_TYPES:
        said = types[0] if types[0] == types[1] else f"{types[0]} to {types[1]}"
        for way, asynchronous in (
            ("NearFarRelaxing", False),
            ("NearFarRelaxing", True),
            ("PackedRelaxing", False),
        ):
            method = "h-bf" if way == "PackedRelaxing" else "delta-stepping"
            label = f"sssp, {method}, {said}" + ", asynchronous" * asynchronous
            add(label, *sssp, 4, way, *types, default, False, asynchronous, False)
    for name, offset_bytes, trace in (("with a trace", 4, True), ("64-bit offsets", 8, False)):
        label = f"sssp, delta-stepping, {name}"
        add(label, *sssp, offset_bytes, "NearFarRelaxing", *TYPES, default, False, False, trace)
    for algebra in instances.ALGEBRAS[1:]:
        types = OTHER_TYPES[2]
        add(
            f"sssp, {algebra}",
            *sssp,
            4,
            "NearFarRelaxing",
            *types,
            default,
            False,
            False,
            False,
            algebra,
        )


def _others(add: Any) -> None:
    """Searches of two vertices and of many sources, and what comes before or after a search."""
    from warpath import balance

    default = balance.lookup(balance.DEFAULT)
    for name in (balance.DEFAULT, "thread-mapped", "virtual-warp", "merge-path", "auto"):
        add(f"st, {name}", "st.cuh", "st_kernel", 4, balance.lookup(name))
    add("st, 64-bit offsets", "st.cuh", "st_kernel", 8, default)
    add("walk", "walk.cuh", "walk_kernel")

    batch = "batch.cuh"
    add("batch, bfs", batch, "batch_bfs_kernel", True, False)
    add("batch, bfs, distances only", batch, "batch_bfs_kernel", False, False)
    for types in (TYPES, OTHER_TYPES[1], OTHER_TYPES[2]):
        add(f"batch, sssp, {types[0]}", batch, "batch_sssp_kernel", *types, False)
        for pull in (False, True):
            label = f"batch, tree, {types[0]}" + ", pull" * pull
            add(label, batch, "batch_tree_kernel", *types, pull)

    tree = "tree.cuh"
    for types in (TYPES, OTHER_TYPES[2]):
        for pull in (False, True):
            label = f"tree, sweep, {types[0]}" + ", pull" * pull
            add(label, tree, "tight_sweep_kernel", 4, *types, pull)
        add(f"tree, search, {types[0]}", tree, "tight_search_kernel", 4, *types)
        add(f"tree, roots, {types[0]}", tree, "roots_kernel", types[1])
        signed = 4, *types, False, "shortest", False
        add(f"tree, sweep, {types[0]}, any order", tree, "tight_sweep_kernel", *signed)
        add(f"cycles, offers, {types[0]}", "parent_cycle.cuh", "stale_parents_kernel", 4, *types)
    add("cycles", "parent_cycle.cuh", "cycle_kernel")

    for name in ("count_in_degrees", "classify_edges"):
        add(f"marking, {name}", "edge_classes.cuh", "edge_class_kernel", name, 4, "int32")
    add(
        "marking, relax_deferred_edges",
        "edge_classes.cuh",
        "edge_class_kernel",
        "relax_deferred_edges",
        4,
        *TYPES,
    )
    add("profile", "profile.cuh", "profile_kernel", 4, default)
    add("explain", "explain.cuh", "explain_kernel", default, 64)
    add("components", "algorithms/components.cuh", "components_kernel", 4, False, False, default)


def _matrices(add: Any, minplus: ModuleType) -> None:
    """All pairs' shortest paths."""
    for dtype in ("int32", "float64"):
        add(f"dense, arcs, {dtype}", "dense.cuh", "fill_arcs_kernel", 4, dtype)
    steps = "floyd_warshall.cuh"
    for dtype in ("float32", "int16", "float64"):
        words = minplus.words_of(dtype, "shortest", False)
        for predecessors in (False, True):
            end = f", {dtype}" + ", predecessors" * predecessors
            tiles = minplus.tiles_for(words, predecessors)
            for size in ("large", "small"):
                product = words, getattr(tiles, size), predecessors
                label = f"dense, {size} product{end}"
                add(label, "minplus.cuh", "product_kernel", *product, module=minplus)
            for name in ("pivot", "panel", "step"):
                function = f"{name}_kernel"
                add(f"dense, {name}{end}", steps, function, words, predecessors, module=minplus)
        for name in ("pack", "look"):
            label = f"dense, {name}, {dtype}"
            add(label, "minplus.cuh", f"{name}_kernel", words, module=minplus)


def used(log: str, code: bytes) -> Use:
    """By the assembler's report and the machine code of an instance."""

    def numbers(pattern: str) -> list[int]:
        return list(map(int, re.findall(pattern, log)))

    own = {name: size for name, size in sections(code) if OURS in name}
    return Use(
        registers=max(numbers(r"Used (\d+) registers")),
        stack=max(numbers(r"(\d+) bytes stack frame")),
        spills=sum(numbers(r"(\d+) bytes spill")),
        shared=max((own[name] for name in own if name.startswith(".nv.shared.")), default=0),
        code=sum(own[name] for name in own if name.startswith(".text.")),
    )


def sections(elf: bytes) -> Iterator[tuple[str, int]]:
    """Name and bytes of each section of a 64-bit ELF file."""
    (table,) = struct.unpack_from("<Q", elf, 40)
    entry_size, count, names = struct.unpack_from("<HHH", elf, 58)
    # Of each: name, type, flags, address, offset, size.
    headers = [struct.unpack_from("<IIQQQQ", elf, table + entry_size * one) for one in range(count)]
    strings = headers[names][4]
    for name, _, _, _, _, size in headers:
        begin = strings + name
        yield elf[begin : elf.index(b"\0", begin)].decode(), size


def enter(folder: str) -> None:
    """Make this process one of a build's."""
    sys.path.insert(0, folder)
    import warpath

    if not Path(warpath.__file__).is_relative_to(folder):
        raise SystemExit(f"{warpath.__file__} is not in {folder}")


@cache
def _sources() -> bytes:
    """A digest of what all instances of this process's build are made by."""
    from cuda.bindings import nvrtc

    from warpath.cuda import compile as compiler

    digest = hashlib.sha256(repr(nvrtc.nvrtcVersion()).encode())
    files = [Path(__file__), Path(compiler.__file__)]
    for path in [*files, *sorted(compiler.KERNELS.rglob("*.cuh"))]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()


def measure(kernel: Kernel | None, arch: str, folder: Path | None) -> Use | str:
    """What an instance takes, or why that is not known."""
    if kernel is None:
        return "not in this build"
    from warpath.cuda.compile import compile_kernel

    kept = None
    if folder is not None:
        made_of = _sources() + repr((kernel, arch)).encode()
        kept = folder / f"{hashlib.sha256(made_of).hexdigest()[:32]}.json"
        with suppress(OSError, ValueError, TypeError):
            return Use(**json.loads(kept.read_text()))
    try:
        cubin = compile_kernel(
            kernel.header, kernel.expression, arch, use_cache=False, children=kernel.children
        )
        use = used(cubin.log, cubin.code)
    except Exception as error:  # another build's header may have another name
        return f"{kernel.expression}: {str(error).strip().splitlines()[0]}"
    if kept is not None:
        kept.write_text(json.dumps(asdict(use)))
    return use


def cell(values: Iterable[int | None]) -> str:
    """A value for each build, or one for all."""
    shown = ["-" if value is None else f"{value:,}" for value in values]
    return shown[0] if len(set(shown)) == 1 else " / ".join(shown)


def row(name: str, uses: Sequence[Mapping[str, int]]) -> str:
    """A line of the table, of what each build's kernel takes."""
    columns = [[use.get(field) for use in uses] for field in FIELDS]
    first, *others = columns[FIELDS.index("code")]
    ratios = [f"{code / first:.3f}" if code and first else "-" for code in others]
    return f"| {name} | {' | '.join([*map(cell, columns), ' / '.join(ratios)])} |"


def main() -> None:
    """Compile, and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("builds", nargs="+", type=Path, help="folders that `warpath` is in")
    parser.add_argument("--arch", default=ARCH)
    parser.add_argument("--only", nargs="+", default=[""], help="kernels with such a text")
    parser.add_argument("--cache", type=Path, help="a folder for what was found")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    if options.cache is not None:
        options.cache.mkdir(parents=True, exist_ok=True)
    each = max(1, options.processes // len(options.builds))
    pools = [
        ProcessPoolExecutor(each, get_context("spawn"), enter, (str(folder.resolve()),))
        for folder in options.builds
    ]
    lists = [future.result() for future in [pool.submit(kernels) for pool in pools]]
    known = list(dict.fromkeys(name for one in lists[::-1] for name in one))
    names = [name for name in known if any(text in name for text in options.only)]
    found = [
        [pool.submit(measure, one.get(name), options.arch, options.cache) for name in names]
        for pool, one in zip(pools, lists, strict=True)
    ]
    print(f"{options.arch}: {' / '.join(map(str, options.builds))}\n")
    print(f"| kernel | {' | '.join(FIELDS)} | ratio |")
    print("| --- " * (len(FIELDS) + 2) + "|")
    totals = [dict.fromkeys(SUMMED, 0) for _ in options.builds]
    for name, *futures in zip(names, *found, strict=True):
        uses: list[dict[str, int]] = []
        for folder, future in zip(options.builds, futures, strict=True):
            result = future.result()
            if isinstance(result, str):
                print(f"{folder}: {name}: {result}", file=sys.stderr)
            uses.append({} if isinstance(result, str) else asdict(result))
        print(row(name, uses), flush=True)
        if all(uses):
            for sums, use in zip(totals, uses, strict=True):
                sums.update({field: sums[field] + use[field] for field in SUMMED})
    print(row("all of these", totals))
    for pool in pools:
        pool.shutdown()


if __name__ == "__main__":
    main()
