"""How much faster is NetworkX with warpath as its backend, and does it never get slower?

    python benchmarks/vs_networkx.py speed [--quick]   # the calls that people wait for
    python benchmarks/vs_networkx.py worth             # functions × sizes: is `should_run` right?
    python benchmarks/vs_networkx.py convert           # what a conversion takes
    python benchmarks/vs_networkx.py changes           # what it costs to notice changed weights

One process, wall time, the best of a few calls, warm, NetworkX's calls and warpath's interleaved;
short calls some times in a row each time. "speed": a graph whose conversion is cached, and one
that has to be converted in the call. What comes from a generator is read to its end. "worth": each call through NetworkX's dispatcher, which asks
`should_run`, against NetworkX's own; the functions' thresholds come from here. A call that is
slower by less than 20 µs is not counted as slower: that is the dispatcher itself, which takes 2 µs
to ask and 10 µs to hand a call over.
"""

import argparse
import gc
import inspect
import os
import platform
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product, zip_longest
from typing import Any, NamedTuple

import networkx as nx

from warpath.networkx import from_networkx, interface
from warpath.networkx.registry import FUNCTIONS

REPEATS, FEW = 5, 3
ENOUGH = 0.1  # seconds; where NetworkX takes longer, larger graphs say nothing new of `should_run`
LONG = 3.0  # seconds; a call that takes longer is not repeated
SHORT = 0.05  # seconds; the same where there are many to measure
NOISE = 2e-5  # seconds
IN_A_ROW = 2e-3  # seconds of one turn; a shorter call is repeated


class Case(NamedTuple):
    """A call on a random graph, and how much faster it is to be, cached."""

    function: str
    nodes: int
    edges: int
    goal: float
    arguments: tuple[Any, ...] = ()


SPEED = (
    Case("single_source_shortest_path_length", 100_000, 1_000_000, 10, (0,)),
    Case("single_source_dijkstra_path_length", 100_000, 1_000_000, 8, (0,)),
    Case("all_pairs_shortest_path_length", 2_000, 20_000, 1),
    Case("closeness_centrality", 5_000, 25_000, 100),
    Case("eccentricity", 5_000, 25_000, 100),
    Case("betweenness_centrality", 5_000, 25_000, 50),
    Case("connected_components", 100_000, 1_000_000, 1),
    Case("minimum_spanning_edges", 100_000, 1_000_000, 1),
)

_SOURCE = ("single_source", "dijkstra_pred", "bellman_ford_pred", "bfs_", "goldberg", "predecessor")
_PAIR = ("bidirectional", "dijkstra_path", "bellman_ford_path", "has_path", "all_shortest")
SIZES = (10, 30, 100, 300, 1_000, 3_000, 10_000)


def arguments_of(name: str, G: Any) -> tuple[Any, ...]:
    """What to call a function with."""
    nodes = list(G)
    if name.startswith(_PAIR):
        return nodes[0], nodes[len(nodes) // 2]
    if name == "descendants_at_distance":
        return nodes[0], 2
    if name.startswith(("multi_source", "voronoi")):
        return (set(nodes[:3]),)
    alone = ("ancestors", "descendants", "find_negative", "shortest_path", "node_connected")
    if name.startswith((*_SOURCE, *alone, "single_target")):
        return (nodes[0],)
    return ()


def random_graph(nodes: int, edges: int, directed: bool = False) -> Any:
    G = nx.gnm_random_graph(nodes, edges, seed=1, directed=directed)
    draw = random.Random(1)
    for _, _, data in G.edges(data=True):
        data["weight"] = draw.random()
    return G


def connected_graph(nodes: int, edges: int) -> Any:
    """A random graph, and a path through all nodes."""
    path = nx.path_graph(nodes)
    nx.set_edge_attributes(path, 1.0, "weight")
    return nx.compose(random_graph(nodes, edges), path)


def read(answer: Any) -> Any:
    """The answer, a generator's parts made."""
    return list(answer) if isinstance(answer, Iterator) else answer


def in_turns(
    *calls: Callable[[], Any],
    before: tuple[Callable[[], Any], ...] = (),
    repeats: int = REPEATS,
    max_seconds: float = LONG,
) -> list[float]:
    """The best time of each call, in seconds, without that of what comes ``before`` each."""
    best = [float("inf")] * len(calls)
    for turn in range(repeats + 1):
        for i, (call, prepare) in enumerate(zip_longest(calls, before, fillvalue=bool)):
            if turn > 1 and best[i] > max_seconds:
                continue
            gc.collect()
            gc.disable()
            until = time.perf_counter() + IN_A_ROW
            while True:
                prepare()
                began = time.perf_counter()
                answer = call()
                ended = time.perf_counter()
                del answer
                if turn:  # the first one compiles
                    best[i] = min(best[i], ended - began)
                if ended > until:
                    break
            gc.enable()
    return best


def forget(G: Any) -> None:
    G.__networkx_cache__.clear()


def speed(names: list[str], quick: bool) -> None:
    rows = []
    for case in SPEED:
        if names and case.function not in names:
            continue
        shrink = 10 if quick else 1
        G = connected_graph(case.nodes // shrink, case.edges // shrink)
        function = getattr(nx, case.function)

        def by(backend: str, G: Any = G, case: Case = case, function: Any = function) -> Any:
            return read(function(G, *case.arguments, backend=backend))

        fresh = in_turns(lambda by=by: by("warpath"), before=(lambda G=G: forget(G),))[0]
        ours, theirs = in_turns(lambda by=by: by("warpath"), lambda by=by: by("networkx"))
        rows.append(
            f"| `{case.function}` | {len(G):,} | {G.number_of_edges():,} | {1e3 * theirs:.1f} "
            f"| {1e3 * ours:.2f} | {theirs / ours:.1f} | {theirs / fresh:.1f} | {case.goal:g} |"
        )
        print(rows[-1], flush=True)
    print(
        "\n| function | nodes | edges | NetworkX, ms | cached, ms | faster | converted in the call, faster | goal |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    print("\n".join(rows))


def variants(name: str) -> Iterator[dict[str, str]]:
    """A function's further arguments: none, and a weight where its default is none."""
    yield {}
    parameters = inspect.signature(getattr(nx, name)).parameters
    for weight in ("weight", "distance"):
        if weight in parameters and parameters[weight].default is None:
            yield {weight: "weight"}


def worth(
    names: list[str], degrees: tuple[int, ...], sizes: tuple[int, ...], directed: bool
) -> None:
    """Each function × size × cached or not, through the dispatcher."""
    slower, calls = [], 0
    for name in names or sorted(FUNCTIONS):
        for degree, further in product(degrees, variants(name)):
            title = f"{name}{' by weight' if further else ''}, {degree} edges a node"
            print(title, flush=True)
            for nodes in sizes:
                G = connected_graph(nodes, degree * nodes // 2)
                if directed or name.startswith(("weakly", "is_weakly", "number_weakly")):
                    G = G.to_directed()
                arguments, function = arguments_of(name, G), getattr(nx, name)

                def through(
                    backend: str | None = None, a=arguments, f=function, G=G, k=further
                ) -> Any:
                    try:
                        return read(f(G, *a, **k, backend=backend))
                    except nx.NetworkXException:  # no negative cycle: an answer, too
                        return None

                def prepared(priority: list[str], cached: bool, G=G) -> None:
                    nx.config.backend_priority.algos = priority
                    nx.config.backend_priority.generators = priority
                    if not cached:
                        forget(G)

                line, theirs = "", 0.0
                for cached in (False, True):
                    forget(G)
                    try:
                        through("warpath")
                    except NotImplementedError:
                        continue
                    alone = partial(prepared, [], cached)
                    alone()
                    runs = interface.should_run(name, (G, *arguments), further) is True
                    measured = partial(
                        in_turns,
                        lambda: through("networkx"), lambda: through("warpath"), through,
                        before=(alone, alone, partial(prepared, ["warpath"], cached)),
                    )  # fmt: skip
                    theirs, always, asked = measured(repeats=FEW, max_seconds=SHORT)
                    if asked > 1.1 * theirs + NOISE:  # or somebody else took the processor
                        times = zip((theirs, always, asked), measured(), strict=True)
                        theirs, always, asked = map(min, times)
                    alone()
                    calls += 1
                    line += f"; {'cached' if cached else 'fresh'} {theirs / always:7.2f}"
                    line += " runs" if runs else "     "
                    line += f" +{1e6 * (asked - theirs):4.0f} µs" if asked > theirs else " " * 9
                    if asked > 1.1 * theirs + NOISE:
                        slower.append(
                            (title, nodes, "cached" if cached else "fresh", asked / theirs)
                        )
                print(f"  {nodes:6} nodes: NetworkX {1e3 * theirs:9.3f} ms{line}", flush=True)
                if theirs > ENOUGH:
                    break
    print(f"\nslower by more than 10 %: {len(slower)} of {calls}")
    for row in slower:
        print("  ", *row)


def convert() -> None:
    for nodes, edges in ((100_000, 1_000_000), (10_000, 100_000)):
        G = random_graph(nodes, edges)
        plain, weighted = in_turns(
            lambda G=G: from_networkx(G), lambda G=G: from_networkx(G, weight="weight")
        )
        print(f"{nodes:,} nodes, {edges:,} edges: {plain:.3f} s, with weights {weighted:.3f} s")


def changes() -> None:
    """What it costs to notice that weights changed: four ways to make one call."""
    function = nx.single_source_dijkstra_path_length
    print(
        "| edges | converted by each call | weights read by each call | converted once | NetworkX |"
    )
    print("| --- | --- | --- | --- | --- |")
    for nodes, edges in ((30, 100), (600, 2000), (30_000, 100_000)):
        G = random_graph(nodes, edges)
        H = from_networkx(G, "weight")
        times = in_turns(
            lambda G=G: function(G, 0, backend="warpath"),
            lambda G=G: function(G, 0, backend="warpath"),
            lambda H=H: function(H, 0),
            lambda G=G: function(G, 0, backend="networkx"),
            before=(lambda G=G: forget(G),),
        )
        print(
            f"| {edges:,} |", " | ".join(f"{1e3 * time:.3g} ms" for time in times), "|", flush=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["speed", "worth", "convert", "changes"])
    parser.add_argument("names", nargs="*", help="of functions; default: all")
    parser.add_argument("--degrees", nargs="+", type=int, default=[2, 6, 20], help="for 'worth'")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, help="nodes, for 'worth'")
    parser.add_argument("--directed", action="store_true", help="for 'worth': each edge two arcs")
    parser.add_argument("--quick", action="store_true", help="for 'speed': smaller graphs")
    arguments = parser.parse_args()
    nx.config.warnings_to_ignore.add("cache")
    gc.freeze()  # what is imported need not be gone through in each turn
    print(f"NetworkX {nx.__version__}, Python {platform.python_version()}, {os.cpu_count()} cores")
    if arguments.what == "speed":
        speed(arguments.names, arguments.quick)
    elif arguments.what == "worth":
        worth(arguments.names, tuple(arguments.degrees), tuple(arguments.sizes), arguments.directed)
    elif arguments.what == "changes":
        changes()
    else:
        convert()


if __name__ == "__main__":
    main()
