"""The papers' breadth-first searches, put together from our parts.

A preset is the beginning of a schedule's text: ``wp.bfs(g, 0, schedule="harish")``, with switches
``"bfs-4k:hash-duplicates=off"``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from warpath.schedule.schedule import Schedule


@dataclass(frozen=True)
class Switch:
    """A feature of a system that may be turned on or off.

    Attributes
    ----------
    default : bool
        Whether it is on.
    changes : mapping
        What of the schedule turning it over changes. A balance that the schedule has gets its knobs.
    needs : mapping of str to bool
        What other switches are when it is turned over: they follow, unless they are asked to be otherwise.
    """

    default: bool
    changes: Mapping[str, Any]
    needs: Mapping[str, bool] = field(default_factory=dict)


Switches = Mapping[str, Switch]


@dataclass(frozen=True)
class Preset:
    """A system that a paper describes.

    Attributes
    ----------
    paper : str
        With the survey's reference.
    schedule : Schedule
    work, space : str
        The complexities of the survey's table 2, where it has them; D is the number of levels.
    differs : str
        What the paper's does otherwise; `warpath bench` shows it.
    switches : mapping of str to Switch

    See Also
    --------
    parse : Takes a preset's name.

    Examples
    --------
    >>> from warpath.schedule import PRESETS
    >>> print(PRESETS["harish"].schedule.frontier)
    topology-driven
    """

    paper: str
    schedule: Schedule
    work: str
    space: str
    differs: str
    switches: Switches = field(default_factory=dict)

    def with_switches(self, name: str, text: str) -> "Preset":
        """This preset with ``text``, ``switch=on,switch=off``, of the preset ``name``.

        Raises
        ------
        ValueError
            An unknown switch, another value than on or off, or switches that exclude each other.
        """
        given = {}
        for item in filter(None, text.split(",")):
            switch, _, value = item.partition("=")
            if switch not in self.switches:
                listed = ", ".join(self.switches) or "none"
                raise ValueError(f"{name} has no switch {switch!r}; its switches: {listed}")
            if value not in ("on", "off"):
                raise ValueError(f"{name}: {switch} must be on or off, not {value!r}")
            if switch in given:
                raise ValueError(f"{name}: {switch} is given twice")
            given[switch] = value == "on"
        schedule, state = self.schedule, dict(given)
        turned = [one for one, on in given.items() if on != self.switches[one].default]
        for one in turned:
            for other, needed in self.switches[one].needs.items():
                if given.get(other, needed) != needed:
                    raise ValueError(
                        f"{name}: {one}={_SAID[given[one]]} needs {other}={_SAID[needed]}"
                    )
                state[other] = needed
        for one, known in self.switches.items():  # of two for one field, the second needs the first
            if state.get(one, known.default) != known.default:
                schedule = _changed(schedule, known.changes)
        return replace(self, schedule=schedule)


def _changed(schedule: Schedule, changes: Mapping[str, Any]) -> Schedule:
    name, _, knobs = str(changes.get("balance", "")).partition(":")
    had, _, others = str(schedule.balance).partition(":")
    if name == had:
        changes = {**changes, "balance": f"{name}:{','.join(filter(None, (others, knobs)))}"}
    return replace(schedule, **changes)


_SAID = {True: "on", False: "off"}


_BFS_4K: Switches = {
    "coalesced-access": Switch(True, {"enqueue": "summed"}),
    "prefix-sum": Switch(True, {"enqueue": "scattered"}, {"coalesced-access": False}),
    "dynamic-virtual-warps": Switch(True, {"balance": "virtual-warp:width=32"}),
    "edge-discover": Switch(
        False, {"balance": "dynamic-virtual-warp:edge_discover=1"}, {"dynamic-virtual-warps": True}
    ),
    "hash-duplicates": Switch(True, {"duplicates": "none"}),
    "single-block": Switch(True, {"small_frontiers": "off"}),
    "dynamic-parallelism": Switch(
        False,
        {"balance": "dynamic-virtual-warp:dynamic_parallelism=4096", "loop": "host"},
        {"dynamic-virtual-warps": True},
    ),
}  # fmt: skip

# The survey's list of references is not in the text at hand: [21] and [26] are from memory.
PRESETS = {
    "harish": Preset(
        "Harish & Narayanan, HiPC 2007; survey 2.1 [25]",
        Schedule("thread-mapped", "topology-driven", "none", direction="top-down", loop="host"),
        "O(VD + E)", "O(3V + E)",
        differs="two masks per vertex and two kernels per level; here the distance says whether it is in the "
        "frontier, vertices without edges are left out, and one kernel does a level",
    ),
    "hong": Preset(
        "Hong et al., PPoPP 2011, section 3.1; survey 2.1 [18]",
        Schedule("virtual-warp", "topology-driven", "none", direction="top-down", loop="host"),
        "O(VD + E)", "O(2V + E)",
        differs="a virtual warp copies the levels and row offsets of a chunk of vertices to shared memory first. "
        "Here each lane holds one of them in registers, and vertices without edges are left out",
    ),
    "jia": Preset(
        "Jia et al. 2011; survey 2.1 [21]",
        Schedule("edge-parallel", "topology-driven", "none", direction="top-down", loop="host"),
        "O(ED)", "O(2E)",
        differs="a thread for each edge; here the threads that fit stay and take several",
    ),
    "algebraic": Preset(
        "Deng et al., ICCAD 2009; survey 2.1 [26]",
        Schedule(
            "virtual-warp:width=32", "topology-driven", "none", direction="bottom-up", loop="host"
        ),
        "O(V + ED)", "",
        differs="other layouts of the matrix; here a warp per row of CSR",
    ),
    "luo": Preset(
        "Luo, Wong, Hwu, DAC 2010; survey 2.1 [17]",
        Schedule(
            "thread-mapped", "vertex-queue", "status-bitmap", "warpwise", "block",
            direction="top-down", loop="device",
        ),
        "O(V + E)", "",
        differs="several blocks only while their queues fit into shared memory, else a launch for each level; the threads of "
        "a multiprocessor share the queues below the block's. Vertices of many edges are cut in advance. Here one "
        "launch has all levels, and each warp has its own queue",
    ),
    "merrill": Preset(
        "Merrill et al., PPoPP 2012: two-phase; survey 2.1 [16]",
        Schedule(
            "cta-warp-scan:gather=contest", "edge-queue", "warp-culling+history-culling",
            direction="top-down", loop="device",
        ),
        "O(V + E)", "4V + 2E at least",
        differs="a bitmask that is read before the distance, and a prefix sum over the block that reserves places in "
        "the edge queue. Here each warp reserves its own places. Their whole system is the hybrid: "
        "merrill,frontier=hybrid",
        switches={"two-phase": Switch(True, {"frontier": "vertex-queue"})},  # off: expand-contract
    ),
    "bfs-4k": Preset(
        "Busato & Bombieri, IEEE TPDS 2015; survey 2.2 [15]",
        Schedule(
            "dynamic-virtual-warp", "vertex-queue", "hash", "blockwise", "block",
            direction="top-down", loop="device",
        ),
        "O(V + E)", "4V + E at least", switches=_BFS_4K,
        differs="lanes exchange what they found by shuffles; here in shared memory. It chooses between virtual warps "
        "and edge-discover in each level by a rule that the survey does not give; here by edges per lane. The whole "
        "system is bfs-4k:edge-discover=on,dynamic-parallelism=on: with child grids each level is a launch",
    ),
    "load-balanced-bfs": Preset(
        "Zhu et al. 2014, sections 3 and 4.4",
        Schedule(
            "merge-path:coupling=hybrid,f0=10", "vertex-queue", "status-bitmap",
            small_frontiers="off", direction="top-down", loop="host",
        ),
        "O(V + E)", "",
        differs="several kernels for each level (redistribution and gathering are one), and a tile for each block; here one "
        "kernel, and an equal share for each warp",
    ),
}  # fmt: skip
"""Each preset by its name."""


@cache
def lookup(preset: str) -> Preset:
    """A preset by what is asked for, such as ``"bfs-4k:edge-discover=on"``.

    Raises
    ------
    ValueError
        An unknown name (the message lists the known ones), switch or value.
    """
    name, _, switches = preset.partition(":")
    if name not in PRESETS:
        raise ValueError(f"unknown preset {name!r}; choose one of {', '.join(PRESETS)}")
    return PRESETS[name].with_switches(name, switches)
