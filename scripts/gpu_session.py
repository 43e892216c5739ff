"""One session on a machine with a GPU: is BFS right, and how fast is it?

    PYTHONPATH=src python scripts/gpu_session.py [section ...]

Each section runs in a process of its own with a time limit, so that one that fails or hangs
does not lose the others. Graphs are generated on the device. Results come last as a table, and
as JSON lines in $OUT/session.jsonl if OUT is set.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path

SOURCES = 20
LIMITS = {  # seconds
    "environment": 40,
    "correct": 80,
    "small": 40,
    "rmat20": 40,
    "rmat23": 75,
    "uniform": 75,
    "grid": 60,
}
ALL_OF_IT = 235
NO_CLUSTERS = "clusters do not work here"


def emit(**row):
    print("ROW " + json.dumps(row), flush=True)


# -- graphs ---------------------------------------------------------------------------------


def csr_of(source, target, scale):
    """Undirected simple graph of 2^scale vertices: (row_offsets, column_indices)."""
    import cupy as cp

    keep = source != target
    source, target = source[keep], target[keep]
    keys = cp.concatenate([(source << scale) | target, (target << scale) | source])
    del source, target, keep
    keys.sort()
    keys = keys[cp.concatenate([cp.ones(1, bool), keys[1:] != keys[:-1]])]
    n = 1 << scale
    columns = cp.zeros((len(keys) + 3) // 4 * 4, cp.int32)
    columns[: len(keys)] = keys & (n - 1)
    offsets = cp.zeros(n + 1, cp.int64)
    offsets[1:] = cp.cumsum(cp.bincount(keys >> scale, minlength=n))
    return offsets, columns[: len(keys)]


def rmat(scale, edge_factor=16, seed=1):
    import cupy as cp

    rng = cp.random.default_rng(seed)
    m = edge_factor << scale
    source, target = cp.zeros(m, cp.int64), cp.zeros(m, cp.int64)
    for _ in range(scale):
        r = rng.random(m, dtype=cp.float32)
        down = r >= 0.76  # a + b
        right = ((r >= 0.57) & ~down) | (r >= 0.95)  # b, or d
        source = (source << 1) | down
        target = (target << 1) | right
    names = cp.argsort(rng.random(1 << scale)).astype(cp.int64)  # ids say nothing of degrees
    return csr_of(names[source], names[target], scale)


def uniform(scale, edges, seed=1):
    import cupy as cp

    rng = cp.random.default_rng(seed)
    ends = rng.integers(0, 1 << scale, (2, edges), dtype=cp.int64)
    return csr_of(ends[0], ends[1], scale)


def grid(side_scale, keep=0.9, seed=1):
    import cupy as cp

    rng = cp.random.default_rng(seed)
    side = 1 << side_scale
    ids = cp.arange(side * side, dtype=cp.int64).reshape(side, side)
    source = cp.concatenate([ids[:, :-1].ravel(), ids[:-1].ravel()])
    target = cp.concatenate([ids[:, 1:].ravel(), ids[1:].ravel()])
    kept = rng.random(len(source)) < keep
    return csr_of(source[kept], target[kept], 2 * side_scale)


def sources_of(graph, count=SOURCES, seed=7):
    import cupy as cp
    import numpy as np

    degree = cp.diff(graph.row_offsets.astype(cp.int64))
    useful = cp.flatnonzero(degree > 0).get()
    return np.random.default_rng(seed).choice(useful, count, replace=len(useful) < count)


# -- running --------------------------------------------------------------------------------


class Runner:
    """Runs BFS on one graph and times the kernel."""

    def __init__(self, csr, name, directed=False):
        import cupy as cp

        from warpath.cuda.device_graph import DeviceGraph

        self.name = name
        self.graph = DeviceGraph.from_arrays(*csr, directed=directed)
        self.busy = cp.zeros(1 << 28, cp.int32)
        print(f"{name}: {self.graph.num_vertices:,} vertices, {self.graph.num_arcs:,} arcs", flush=True)

    def search(self, source, direction="optimizing", balance="two-phase-search", predecessors=False, **options):
        import numpy as np

        from warpath.cuda import bfs as engine

        n = self.graph.num_vertices
        distance = engine.new_row(n)
        predecessor = engine.new_row(n) if predecessors else None
        alpha, beta = options.pop("alpha", engine.ALPHA), options.pop("beta", engine.BETA)
        if "SESSION_CLUSTER" in os.environ:
            options["cluster"] = int(os.environ["SESSION_CLUSTER"])
        report = engine.bfs(
            self.graph, np.atleast_1d(np.asarray(source, np.int32)), direction, alpha, beta,
            options.pop("depth_limit", 2**31 - 1), distance, predecessor, _lookup(balance), **options,
        )  # fmt: skip
        return report, distance, predecessor

    def measure(self, label, sources, **options):
        """Median kernel time over the sources, by events; the launch waits behind other work."""
        import cupy as cp

        options.setdefault("trace", False)
        self.search(sources[0], **options)  # compiles
        cp.cuda.Device().synchronize()
        times, arcs, levels = [], [], []
        degree = cp.diff(self.graph.row_offsets.astype(cp.int64))
        for source in sources:
            begin, end = cp.cuda.Event(), cp.cuda.Event()
            self.busy.fill(1)
            begin.record()
            report, distance, _ = self.search(source, **options)
            end.record()
            end.synchronize()
            times.append(cp.cuda.get_elapsed_time(begin, end))
            arcs.append(int(degree[distance >= 0].sum()))
            levels.append(report.iterations)
        ms = statistics.median(times)
        gteps = statistics.median(a / t for a, t in zip(arcs, times, strict=True)) / 1e6
        emit(
            graph=self.name, what=label, ms=round(ms, 4), least=round(min(times), 4), most=round(max(times), 4),
            gteps=round(gteps, 1), levels=statistics.median(levels),
        )  # fmt: skip
        return ms

    def show(self, source, **options):
        """Print the trace of one search."""
        report, _, _ = self.search(source, trace=True, **options)
        rows = list(zip(report.frontier, report.edges, report.nanoseconds, report.direction, report.mode, strict=True))
        print(f"trace of {self.name} from {source}, {options}: {report.iterations} iterations, {sum(r[2] for r in rows) / 1e6:.3f} ms")
        for i, (vertices, arcs, ns, way, mode) in enumerate(rows[:14]):
            print(f"  {i:>3} {vertices:>10,} {arcs:>12,} {ns / 1e3:>9.1f} us {way} {mode}")
        for mode in ("block", "cluster", "grid"):
            mine = [r for r in rows if r[4] == mode]
            if mine:
                print(f"  {mode}: {len(mine)} levels, {sum(r[2] for r in mine) / len(mine) / 1e3:.2f} us each, {sum(r[1] for r in mine):,} arcs")

    def check(self, source, limit=None, **options):
        """The certificate of one search, on the device. Raises if it does not hold."""
        import cupy as cp

        if limit is not None:
            options["depth_limit"] = limit
        _, d, p = self.search(source, **options)
        roots = cp.atleast_1d(cp.asarray(source))
        offsets, v = self.graph.row_offsets.astype(cp.int64), self.graph.column_indices
        n = self.graph.num_vertices
        u = _owners(offsets, n)
        du, dv = d[u], d[v]
        assert bool((d >= -1).all()), "a distance below -1"
        assert bool((d[roots] == 0).all()) and int((d == 0).sum()) == len(cp.unique(roots)), "sources"
        far = limit if limit is not None else 2**31 - 1
        escapes = (du >= 0) & (du < far) & ((dv < 0) | (dv > du + 1))
        assert not bool(escapes.any()), f"{int(escapes.sum())} arcs lead to what is unreached or too far"
        supported = d <= 0
        supported[v[(du >= 0) & (dv == du + 1)]] = True
        assert bool(supported.all()), f"{int((~supported).sum())} distances without an arc that gives them"
        assert int(d.max()) <= far, "beyond the limit"
        if p is not None:
            has = d > 0
            assert bool((p[~has] == -1).all()), "predecessor where there is none"
            named = cp.zeros(n, bool)
            named[v[(p[v] == u) & (dv == du + 1) & (du >= 0)]] = True
            assert bool(named[has].all()), "a predecessor that is none"


@cache
def _lookup(balance):
    from warpath.balance import lookup

    return lookup(balance)


@contextmanager
def changed(*changes):
    """Kernels with some text replaced: (header, old, new)."""
    from warpath.cuda import bfs, compile

    kept = compile.KERNELS

    def use(folder):
        compile.KERNELS = folder
        for cached in (compile._sources, compile.load_kernel, bfs._kernel):
            cached.cache_clear()

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "kernels"
        shutil.copytree(kept, copy)
        for header, old, new in changes:
            text = (copy / header).read_text()
            assert old in text, f"{header} has no {old!r}"
            (copy / header).write_text(text.replace(old, new))
        use(copy)
        try:
            yield
        finally:
            use(kept)


def _owners(offsets, n):
    import cupy as cp
    import cupyx

    m = int(offsets[-1])
    starts = cp.zeros(m + 1, cp.int32)
    cupyx.scatter_add(starts, offsets[:-1], cp.ones(n, cp.int32))
    return cp.cumsum(starts[:m], dtype=cp.int32) - 1 if m else starts[:0]


BALANCES = ("thread-mapped", "virtual-warp:width=2", "virtual-warp", "virtual-warp:width=32",
            "local-warp-search", "two-phase-search")  # fmt: skip


# -- sections -------------------------------------------------------------------------------


def environment():
    import cupy
    from cuda import core
    from cuda.bindings import nvrtc

    from warpath.cuda import devices

    print("cuda.core", core.__version__, "cupy", cupy.__version__, "nvrtc", nvrtc.nvrtcVersion())
    print("driver", cupy.cuda.runtime.driverGetVersion(), "missing:", devices.missing())
    print(devices.devices())
    import traceback

    from warpath.cuda import bfs, launch
    from warpath.cuda.instances import THREADS

    runner = Runner(uniform(10, 4000), "n = 1024")
    try:
        for cluster in (1, 2, 4, 8):
            runner.check(0, cluster=cluster, trace=False)
            kernel, config = bfs._kernel(4, _lookup("two-phase-search"), False, False, 1 << 20, cluster, 0)
            blocks = launch.most_blocks(kernel, THREADS, cluster, 0)
            print(f"cluster of {cluster}: {blocks} blocks of {THREADS} threads at once; {config}")
    except Exception:
        traceback.print_exc(file=sys.stdout)
        print(NO_CLUSTERS)


def correct():
    import cupy as cp
    import numpy as np

    rng = np.random.default_rng(0)

    def made(source, target, n, directed=False):
        source, target = np.asarray(source, np.int64), np.asarray(target, np.int64)
        if not directed:
            source, target = np.r_[source, target], np.r_[target, source]
        order = np.lexsort((target, source))
        offsets = np.zeros(n + 1, np.int64)
        np.cumsum(np.bincount(source, minlength=n), out=offsets[1:])
        return offsets, target[order].astype(np.int32)

    def random(n, m, directed=False):
        return made(rng.integers(0, n, m), rng.integers(0, n, m), n, directed)

    graphs = {
        "one": (made([], [], 1), False),
        "loops": (made([0, 0, 1, 1], [0, 1, 1, 0], 4, True), True),
        "path": (made(np.arange(4999), np.arange(1, 5000), 5000), False),
        "star": (made(np.zeros(5000, int), np.arange(1, 5001), 5010), False),
        "hub": (made(np.r_[np.zeros(5000, int), rng.integers(0, 6000, 9000)],
                     np.r_[np.arange(1, 5001), rng.integers(0, 6000, 9000)], 6100), False),
        "random": (random(100_000, 800_000), False),
        "sparse": (random(100_000, 90_000), False),
        "directed": (random(50_000, 150_000, True), True),
    }  # fmt: skip
    done = failed = 0
    for name, (csr, directed) in graphs.items():
        runner = Runner(csr, name, directed)
        for balance in BALANCES:
            for direction in ("top-down", "bottom-up", "optimizing"):
                for options in ({}, {"block_items": 0, "predecessors": True}, {"loop": "host"},
                                {"limit": 3}, {"block_items": 0, "alpha": 1e6, "beta": 1e6},
                                {"cluster": 1, "predecessors": True}, {"cluster": 2, "block_items": 300}):  # fmt: skip
                    if "cluster" in options and balance != "two-phase-search":
                        continue
                    if options.get("loop") == "host" and (name == "path" or balance != "two-phase-search"):
                        continue
                    if name == "path" and direction == "bottom-up" and balance != "two-phase-search":
                        continue
                    done += 1
                    try:
                        runner.check(0, direction=direction, balance=balance, **options)
                    except Exception as error:
                        failed += 1
                        print("WRONG", name, balance, direction, options, repr(error)[:300], flush=True)
                        if failed > 20:
                            raise
        several = np.unique(rng.integers(0, runner.graph.num_vertices, 3000))
        for sources in (several, several[:5]):
            done += 1
            try:
                runner.check(sources, predecessors=True)
            except Exception as error:
                failed += 1
                print("WRONG", name, len(sources), "sources", repr(error)[:300], flush=True)
    runner = Runner(rmat(16), "rmat16")
    for source in sources_of(runner.graph, 5):
        for direction in ("top-down", "bottom-up", "optimizing"):
            done += 1
            try:
                runner.check(source, direction=direction, predecessors=True)
            except Exception as error:
                failed += 1
                print("WRONG rmat16", source, direction, repr(error)[:300], flush=True)
    cp.cuda.Device().synchronize()
    emit(graph="small ones", what=f"{done} certificates, {failed} wrong")


def small():
    """The whole call from Python, on a graph of 1,000 vertices."""
    import cupy as cp

    runner = Runner(uniform(10, 4000), "n = 1024")
    sources = sources_of(runner.graph)
    runner.show(sources[0])
    for label, options in (("call + wait", {}), ("call + wait, predecessors", {"predecessors": True}),
                           ("call + wait, no trace", {"trace": False})):  # fmt: skip
        for _ in range(20):
            runner.search(sources[0], **options)
        times = []
        for source in [*sources] * 5:
            cp.cuda.Device().synchronize()
            began = time.perf_counter()
            runner.search(source, **options)
            cp.cuda.get_current_stream().synchronize()
            times.append((time.perf_counter() - began) * 1e3)
        emit(graph=runner.name, what=label, ms=round(statistics.median(times), 4), least=round(min(times), 4))
    runner.measure("kernel", sources)
    runner.measure("kernel, cluster=1", sources, cluster=1)
    import cProfile
    import pstats

    profile = cProfile.Profile()
    profile.enable()
    for _ in range(500):
        runner.search(sources[0], trace=False)
    profile.disable()
    pstats.Stats(profile).sort_stats("tottime").print_stats(14)


PULL = {
    "2 look-ups at once": ("pull.cuh", "look_ups = 4", "look_ups = 2"),
    "8 look-ups at once": ("pull.cuh", "look_ups = 4", "look_ups = 8"),
    "columns through L1": ("core/device.cuh", "ld.global.nc.L1::no_allocate.v4", "ld.global.nc.v4"),
    "help 2 lanes": ("pull.cuh", "helped_lanes = 8", "helped_lanes = 2"),
    "help 16 lanes": ("pull.cuh", "helped_lanes = 8", "helped_lanes = 16"),
    "1536 threads": ("bfs.cuh", "resident_blocks = 1024", "resident_blocks = 1536"),
}
PUSH = {
    "append 32": ("frontier/queue.cuh", "== 4 ? 2 : 1", "== 4 ? 1 : 1"),
    "append 128": ("frontier/queue.cuh", "== 4 ? 2 : 1", "== 4 ? 4 : 1"),
}


def _variants(runner, changes, sources, **options):
    for label, change in changes.items():
        try:
            with changed(change):
                runner.measure(f"  changed: {label}", sources, **options)
        except Exception as error:
            print("FAILED", label, repr(error)[:500], flush=True)


def _skewed(runner, variants=True):
    sources = sources_of(runner.graph)
    runner.check(sources[0], predecessors=True)
    runner.measure("optimizing", sources)
    runner.measure("optimizing, predecessors", sources, predecessors=True)
    runner.measure("optimizing, cluster=1", sources, cluster=1)
    runner.measure("optimizing, cluster=4", sources, cluster=4)
    runner.measure("top-down", sources, direction="top-down")
    runner.measure("top-down, predecessors", sources, direction="top-down", predecessors=True)
    for items in (0, 2048, 32768):
        runner.measure(f"optimizing, block_items={items}", sources, block_items=items)
    runner.show(sources[0])
    runner.show(sources[1])
    runner.show(sources[0], direction="top-down")
    if variants:
        _variants(runner, PULL, sources)
        _variants(runner, PUSH, sources, direction="top-down")


def rmat20():
    _skewed(Runner(rmat(20), "R-MAT 20"), variants=False)


def rmat23():
    _skewed(Runner(rmat(23), "R-MAT 23"))


def uniform22():
    _skewed(Runner(uniform(22, 1 << 26), "G(2^22,2^26)"))


NARROW = {
    "no prefetch": ("core/device.cuh", 'asm volatile("prefetch.global.L2 [%0];" ::"l"(address));', ""),
    "open before claim": ("narrow.cuh", "j < chunk.arcs && op.claim", "j < chunk.arcs && op.open(target[j]) && op.claim"),
}


def grid2048():
    runner = Runner(grid(11), "grid 2048")
    sources = sources_of(runner.graph)[:10]
    runner.check(sources[0], predecessors=True)
    runner.check(sources[0], predecessors=True, cluster=1)
    runner.measure("optimizing", sources)
    runner.measure("optimizing, predecessors", sources, predecessors=True)
    for cluster in (1, 2, 4):
        runner.measure(f"cluster={cluster}", sources, cluster=cluster)
    for items in (0, 2048, 4096, 32768):
        runner.measure(f"block_items={items}", sources, block_items=items)
    runner.show(sources[0])
    runner.show(sources[0], block_items=0)
    _variants(runner, NARROW, sources)


SECTIONS = {
    "environment": environment, "correct": correct, "small": small, "rmat20": rmat20,
    "rmat23": rmat23, "uniform": uniform22, "grid": grid2048,
}  # fmt: skip


def main(names):
    rows, began = [], time.time()
    for name in names or SECTIONS:
        left = ALL_OF_IT - (time.time() - began)
        print(f"== {name}", flush=True)
        if left < 10:
            print("no time left")
            continue
        start = time.time()
        try:
            done = subprocess.run(
                [sys.executable, __file__, "--run", name], capture_output=True, text=True,
                timeout=min(LIMITS[name], left),
            )  # fmt: skip
            text = done.stdout + (done.stderr[-3000:] if done.returncode else "")
        except subprocess.TimeoutExpired as error:
            text = "".join(
                part.decode(errors="replace") if isinstance(part, bytes) else part or ""
                for part in (error.stdout, error.stderr)
            )
            text += f"\nOUT OF TIME after {error.timeout:.0f} s\n"
        for line in text.splitlines():
            if line.startswith("ROW "):
                rows.append(json.loads(line[4:]))
            else:
                print(line)
        if NO_CLUSTERS in text or (name == "environment" and "OUT OF TIME" in text):
            os.environ["SESSION_CLUSTER"] = "1"
        print(f"   {time.time() - start:.1f} s", flush=True)
    if os.environ.get("OUT"):
        Path(os.environ["OUT"], "session.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    print(f"\n{'graph':<14} {'what':<44} {'ms':>9} {'least':>9} {'most':>9} {'GTEPS':>7} {'levels':>7}")
    for row in rows:
        cells = [str(row.get(key, "")) for key in ("ms", "least", "most", "gteps", "levels")]
        print(f"{row['graph']:<14} {row['what']:<44} {cells[0]:>9} {cells[1]:>9} {cells[2]:>9} {cells[3]:>7} {cells[4]:>7}")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
    if sys.argv[1:2] == ["--run"]:
        SECTIONS[sys.argv[2]]()
    else:
        main(sys.argv[1:])
