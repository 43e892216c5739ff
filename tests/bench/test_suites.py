"""Every suite runs: its CPU part here, all of it on a GPU."""

import inspect
import json

import pytest

import warpath as wp
from exhaustive import few, sample
from warpath import devices
from warpath.bench import result_table, runner, trial
from warpath.bench.suites import SUITES
from warpath.bench.summary import Summary
from warpath.bench.tasks import TASKS
from warpath.parallel import cores
from warpath.planning.breadth_first import complete_bfs
from warpath.schedule import schedule_for

TINY = {"scale": 0.0005, "sources": 2, "limit": 1.0}
TINIER = {"gap": {"scale": 0.00002}}  # its graphs have 2²⁷ vertices


@pytest.mark.parametrize("name", few(SUITES, sample([one for one in SUITES if one != "gap"], 2)))
def test_a_suite_runs_on_the_cpu(name: str) -> None:
    suite = SUITES[name]()
    seen: list[trial.Trial] = []
    settings = runner.Settings(device="cpu", **(TINY | TINIER.get(name, {})))
    trials = runner.run(name, suite, settings, seen.append)
    assert seen == trials
    lines = [one.as_json() for one in trials]
    assert [trial.from_line(line) for line in lines] == [
        trial.from_line(json.dumps(json.loads(line))) for line in lines
    ]
    found = Summary(suite, trials)
    expected = {(case.name, one.label) for case in suite.cases for one in suite.configurations}
    assert set(found.cells) == expected
    large = {case.name for case in suite.cases if case.gpu_bytes}
    for one in trials:
        assert one.status in ("ok", "left-out"), one.why
        if one.status == "left-out":
            is_wide = (one.configuration["threads"] or 1) > len(cores.allowed())
            is_elsewhere = one.configuration["by"] != "warpath"
            is_large = one.graph["name"] in large
            on_gpu = one.configuration["device"] == "cuda"
            assert on_gpu or is_elsewhere or is_wide or is_large
        elif TASKS[one.configuration["algorithm"]].verifies:
            # A peer that gives no distances cannot be verified.
            assert one.verified or (one.verified is None and one.configuration["by"] != "warpath")
    rows = [row for section in result_table.grid(found).sections for row in section]
    assert all(len(row) == len(result_table.grid(found).head) for row in rows)
    # A claim does not hold if nothing was measured.
    ran = any(one.configuration["device"] == "cuda" and one.status == "ok" for one in trials)
    assert not ran
    assert suite.about


def test_gaps_and_lagraphs_figures_stand_next_to_ours() -> None:
    ran = [
        trial.Trial("gap", {"name": "kron"}, {"label": f"BFS, {where}"}, seconds=0.004)
        for where in ("GPU", "CPU")
    ]
    table = result_table.grid(Summary(SUITES["gap"](), ran))
    assert table.head[-2:] == ("paper, ms", "LAGraph, ms")
    assert [row[-2:] for row in table.sections[0]] == [("309", "546")] * 2


@pytest.mark.gpu
@pytest.mark.skipif(devices.missing() is not None, reason=f"no GPU: {devices.missing()}")
@pytest.mark.parametrize("name", SUITES)
def test_a_suite_runs_on_a_gpu(name: str) -> None:
    suite = SUITES[name]()
    trials = runner.run(name, suite, runner.Settings(device="cuda", **(TINY | {"scale": 0.002})))
    for one in trials:
        if one.configuration["by"] == "warpath":
            assert one.status == "ok" or one.configuration["device"] == "cpu", one.why
            is_checked = TASKS[one.configuration["algorithm"]].verifies
            assert one.verified or one.status == "left-out" or not is_checked


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_names_what_there_is(name: str) -> None:
    suite = SUITES[name]()
    labels = [one.label for one in suite.configurations]
    graphs = [case.name for case in suite.cases]
    assert len(set(labels)) == len(labels)
    assert len(set(graphs)) == len(graphs)
    assert suite.baseline in ("", *labels)
    assert {one.algorithm for one in suite.configurations} <= set(TASKS)
    for graph, label in suite.published:
        assert graph in graphs
        assert label in labels or label in suite.columns
    assert set(suite.drawn) <= set(suite.columns)
    if suite.plot == "lines":
        places = [one.x for one in (*suite.cases, *suite.configurations) if one.x is not None]
        assert places
        assert suite.x_label


@pytest.mark.parametrize("name", SUITES)
def test_configurations_are_calls_of_their_searches(name: str) -> None:
    """Of a GPU too, which need not be here to refuse what no search has."""
    searches = {
        "bfs": wp.bfs, "sssp": wp.sssp, "st-connected": wp.st_connected, "bfs-on-grid": wp.bfs,
        "bfs-in-kernel": wp.bfs, "sssp-in-kernel": wp.sssp,
    }  # fmt: skip
    for one in SUITES[name]().configurations:
        if one.by != "warpath" or one.algorithm not in searches:
            continue
        search = searches[one.algorithm]
        options = {
            key: value
            for key, value in one.options.items()
            if key not in ("warps", "multiprocessors")
        }
        inspect.signature(search).bind_partial(device=one.device, **options)
        how = schedule_for(search.__name__, one.options.get("schedule"))
        if search is wp.bfs:
            complete_bfs(how)
        assert not how.only_on_gpus or one.device == "cuda"
        assert how.switches is None or one.options["method"] == "h-bf"


@pytest.mark.parametrize("name", SUITES)
def test_claims_are_about_what_is_measured(name: str) -> None:
    """With a time for each cell no claim is inconclusive."""
    from dataclasses import replace

    suite = SUITES[name]()
    if suite.columns:
        pytest.skip("its claims are about counts")
    trials = []
    for k, case in enumerate(suite.cases):
        for i, one in enumerate(suite.configurations):
            about = {
                "label": one.label, "by": one.by, "algorithm": one.algorithm, "device": one.device,
                "threads": None, "options": {},
            }  # fmt: skip
            trials.append(
                trial.Trial(name, {"name": case.name}, about, seconds=(1.0 + i) ** (1 + k))
            )
    claims = result_table.claims(Summary(suite, trials))
    assert [text for text, holds in claims if holds is None] == []
    slower = [replace(one, seconds=1e9) for one in trials]
    assert len(result_table.claims(Summary(suite, slower))) == len(suite.claims)


@pytest.mark.parametrize(("seconds", "holds"), [(0.5, False), (9.0, True)])
def test_threads_of_another_machine_count(seconds: float, holds: bool) -> None:
    """A page may be made of trials of a CPU with more threads than this one has."""
    suite = SUITES["hong-fig9"]()
    gpu, _, one, *_ = [configuration.label for configuration in suite.configurations]
    times = {gpu: 1.0, one: 99.0, "4096 threads": seconds}
    trials = [
        trial.Trial("hong-fig9", {"name": case.name}, {"label": label}, seconds=time)
        for case in suite.cases
        for label, time in times.items()
    ]
    found = Summary(suite, trials)
    assert found.labels == [*times]
    assert dict(result_table.claims(found))["the GPU is faster than all of the CPU"] is holds


def test_without_a_gpu_it_says_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "missing", lambda: "there is no NVIDIA GPU")
    suite = SUITES["survey-fig12"]()
    found = Summary(suite, runner.run("survey-fig12", suite, runner.Settings(**TINY)))
    (line,) = result_table.left_out(found)
    assert line.startswith(
        "left out (there is no NVIDIA GPU) on great-britain_osm: `thread-mapped`, `virtual-warp:width=2`,"
    )
    assert found.seconds("great-britain_osm", "CPU, one thread")
