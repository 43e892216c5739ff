"""Plans of searches on several GPUs, which are the emulator's: they are what runs, and enough memory."""

import gc
import json

import numpy as np
import pytest
from click.testing import CliRunner

import emulated_memory
import warpath as wp
from distributed_cases import GRAPHS
from emulated_cuda import Device
from warpath import devices
from warpath.cli import main
from warpath.distributed.multi_gpu import parts_on
from warpath.planning import memory

SEARCHES = [
    ("bfs", "power law, directed", 2, {"source": [0, 5]}),
    ("sssp", "floats", 4, {"source": 3}),
    pytest.param("sssp", "64-bit distances", 3, {"source": 3}, marks=pytest.mark.slow),
    ("connected_components", "hub", 2, {}),
]


def nbytes_on_gpu(part, weighted):
    arrays = [part.ids, *part.boundary]
    for graph in {id(one): one for one in (part.graph, part.reverse)}.values():
        arrays += [graph.row_offsets, graph.column_indices]
        arrays += [graph.weights] if weighted else []
    return sum(one.nbytes for one in arrays if one is not None)


@pytest.mark.parametrize(("search", "name", "count", "options"), SEARCHES)
def test_a_plan_has_the_parts_and_their_memory(gpus, monkeypatch, search, name, count, options):
    graph = GRAPHS[name]()
    plan = wp.plan(graph, search, *options.values(), devices=count)
    assert [one.device for one in plan.parts] == list(range(count))
    assert plan.where == "as asked"
    parts = parts_on(graph, tuple(range(count))).graphs
    for planned, there in zip(plan.parts, parts, strict=True):
        assert range(planned.first, planned.end) == there.vertices
        assert planned.arcs == there.part.graph.num_arcs
        assert nbytes_on_gpu(there.part, search == "sssp") <= planned.memory["graph"]
    gc.collect()  # not meanwhile what earlier tests left
    before, most = emulated_memory.arena().device_bytes(), [0]
    allocate = emulated_memory.Arena.allocate

    def watched(arena, *args):
        made = allocate(arena, *args)
        most[0] = max(most[0], arena.device_bytes() - before)
        return made

    monkeypatch.setattr(emulated_memory.Arena, "allocate", watched)
    getattr(wp, search)(graph, **options, devices=count)
    spent = plan.memory["answer"] + plan.memory["workspace"]
    assert spent / 8 < most[0] <= spent


def test_a_plan_says_what_runs(gpus):
    graph = wp.generate.grid(8, weights=(1, 9), seed=1)
    plan = wp.plan(graph, "sssp", [0, 7], devices=[2, 3])
    found = wp.sssp(graph, [0, 7], devices=[2, 3])
    assert found.stats.plan.as_dict() == plan.as_dict()
    assert (found.stats.method, found.stats.why) == ("delta-stepping", "no weight is negative")
    assert found.stats.delta == plan.schedule.delta
    assert plan.memory["answer"] == found.distance.nbytes + found.predecessor.nbytes
    for what, size in plan.memory.items():
        assert size == sum(one.memory[what] for one in plan.parts)
    said = str(plan)
    assert "part 0     GPU 2: 32 vertices from 0, 112 arcs, graph " in said
    assert "exchanged  of each ghost a bit in each iteration, its distance in each" in said
    assert "on 2 GPUs" in repr(plan)
    assert json.loads(json.dumps(plan.as_dict()))["parts"][1]["device"] == 3
    levels = wp.bfs(wp.distribute(graph, 3), 0)
    assert levels.stats.plan.as_dict() == wp.plan(wp.distribute(graph, 3), "bfs", 0).as_dict()
    assert wp.sssp(graph.without_weights(), 0, devices=2).stats.method == "bfs"
    with pytest.raises(TypeError, match=r"not warpath\.MultiGpuGraph"):
        wp.plan(wp.distribute(graph, 3), "pagerank")


@pytest.fixture
def room(gpus, monkeypatch):
    """Says how many bytes are free on each of the four GPUs."""
    free, current = [0] * 4, [0]

    class Current(Device):
        def __enter__(self):
            current.append(self.id)
            return super().__enter__()

        def __exit__(self, *_):
            super().__exit__()
            current.pop()

    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setattr(memory, "SHARE", 1)
    monkeypatch.setattr(devices, "free_memory", lambda xp: free[current[-1]])
    monkeypatch.setattr(gpus.xp.cuda, "Device", Current)

    def say(*sizes):
        free[:] = sizes

    return say


# Megabytes that are free on four GPUs, for a graph that takes 6.4, in parts 3.4, 2.7 or 2.3 on each; what is chosen.
ROOM = {
    "it fits one": ([7, 0, 0, 0], 0),
    "two": ([5, 5, 5, 5], 2),
    "two, though others have more": ([3.5, 3.5, 9, 9], 2),
    "three": ([5, 3, 5, 5], 3),
    "four": ([2.5, 2.5, 2.5, 2.5], 4),
    "one is too full": ([5, 1, 9, 9], None),
    "all are": ([1, 1, 1, 1], None),
}
POWER_LAW = wp.generate.rmat(14, weights=(1, 9), seed=1)


@pytest.mark.parametrize(("megabytes", "chosen"), ROOM.values(), ids=ROOM)
def test_the_fewest_gpus_that_hold_a_graph(room, megabytes, chosen):
    room(*(int(1e6 * size) for size in megabytes))
    plan = wp.plan(POWER_LAW, "sssp", 0, device="cuda", method="auto")
    assert len(plan.parts) == (chosen or 0)
    assert plan.out_of_core == (chosen is None)
    where = {0: "", None: "; out of core: graph"}.get(chosen, f"; on {chosen} GPUs: graph")
    assert plan.where.startswith(f"as asked{where}")


@pytest.mark.parametrize(
    ("search", "options", "why"),
    [
        ("sssp", {"source": 0, "algebra": "widest"}, "sssp takes no algebra"),
        ("sssp", {"source": 0, "method": "h-bf"}, "sssp takes no method"),
        ("bfs", {"source": 0, "schedule": "direction=top-down"}, "bfs takes no schedule"),
        ("connected_components", {"schedule": "merge-path"}, "connected_components takes no schedule"),
        ("pagerank", {}, "there is no pagerank"),
        ("st_connected", {"source": 0, "target": 1}, "there is no search from both ends"),
    ],
)  # fmt: skip
def test_what_several_gpus_do_not_have_runs_out_of_core(room, search, options, why):
    room(*[2_000_000] * 4)
    plan = wp.plan(POWER_LAW, search, **options, device="cuda")
    assert plan.out_of_core
    assert plan.where.endswith(f"; on several GPUs {why}")


@pytest.mark.parametrize(
    ("search", "free"), [(wp.bfs, 60_000), (wp.sssp, 70_000), (wp.connected_components, 60_000)]
)
def test_a_call_without_devices_takes_them(room, search, free):
    graph = wp.generate.erdos_renyi(100, 10_000, weights=(1, 9), replace=True, seed=2)
    source = () if search is wp.connected_components else (3,)
    room(*[free] * 4)
    found = search(graph, *source, device="cuda")
    if source:
        found.verify()
        assert len(found.stats.plan.parts) == (2 if search is wp.bfs else 3)
        found, expected = found.to_numpy().distance, search(graph, 3, device="cpu").distance
    else:
        found, expected = found[0].get(), search(graph, device="cpu")[0]
    np.testing.assert_array_equal(found, expected)
    assert "on several GPUs" in graph.memory()
    # What was cut stays so, as the parts take memory.
    room(0, 0, 0, 0)
    assert wp.plan(graph, "bfs", 0, device="cuda").parts
    graph.release()
    assert wp.plan(graph, "bfs", 0, device="cuda").out_of_core


def test_a_copy_on_one_gpu_makes_way_for_parts(room):
    graph = wp.generate.erdos_renyi(100, 10_000, weights=(1, 9), replace=True, seed=2)
    room(10_000_000, 0, 0, 0)
    assert not wp.bfs(graph, 0, device="cuda").stats.plan.parts
    assert "on a GPU" in graph.memory()
    room(0, 200_000, 0, 0)
    assert len(wp.sssp(graph, 0, device="cuda").stats.plan.parts) == 2
    assert "on a GPU" not in graph.memory()


def test_the_command_line(gpus, tmp_path):
    file = tmp_path / "grid.npz"
    wp.write(wp.generate.grid(8, weights=(1, 9), seed=1), file)
    found = {}
    for command in ("plan", "sssp", "components"):
        ran = CliRunner().invoke(main, [command, str(file), "--devices", "1,3", "--json"])
        assert ran.exit_code == 0, ran.output
        found[command] = json.loads(ran.stdout)
    assert [one["device"] for one in found["plan"]["plan"]["parts"]] == [1, 3]
    assert found["sssp"]["stats"]["device"] == "2 × the emulator"
    assert found["components"]["components"] == 1
