"""The papers' breadth-first searches, put together from our parts.

A preset fills in what a call of `warpath.bfs` leaves open: ``wp.bfs(g, 0, preset="harish")``. It is
printed and parsed as a balance is: ``"bfs-4k:hash-duplicates=off"``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from warpath.frontier.policy import Policy

Switches = Mapping[str, tuple[bool, Mapping[str, str | bool]]]


@dataclass(frozen=True)
class Preset:
    """A system that a paper describes.

    Attributes
    ----------
    paper : str
        With the survey's reference.
    balance, frontier, duplicates, direction, loop : str
        As `warpath.bfs` takes them.
    work, space : str
        The complexities of the survey's table 2, where it has them; D is the number of levels.
    writing, single_block
        See `Policy`.
    differs : str
        What the paper's does otherwise.
    switches : mapping
        Of each switch, whether it is on by default, and what turning it over changes.
    """

    paper: str
    balance: str
    frontier: str
    duplicates: str
    work: str
    space: str
    direction: str = "top-down"
    loop: str = "host"
    writing: str = "coalesced"
    single_block: bool = False
    differs: str = ""
    switches: Switches = field(default_factory=dict)

    def with_switches(self, name: str, text: str) -> "Preset":
        """This preset with ``text``, ``switch=on,switch=off``, of the preset ``name``.

        Raises
        ------
        ValueError
            An unknown switch, or another value than on or off.
        """
        turned = {}
        for item in filter(None, text.split(",")):
            switch, _, value = item.partition("=")
            if switch not in self.switches:
                known = ", ".join(self.switches) or "none"
                raise ValueError(f"{name} has no switch {switch!r}; its switches: {known}")
            if value not in ("on", "off"):
                raise ValueError(f"{name}: {switch} must be on or off, not {value!r}")
            turned[switch] = value == "on"
        changed = self
        for switch, (default, changes) in self.switches.items():  # later ones win
            if turned.get(switch, default) != default:
                changed = replace(changed, **changes)  # type: ignore[arg-type]
        return changed

    def policy(self, chosen: Policy) -> Policy:
        """What a call that chose a policy gets: if it is a vertex queue, written as here."""
        if chosen.frontier != "vertex-queue":
            return chosen
        return replace(chosen, writing=self.writing, single_block=self.single_block)


_BFS_4K: Switches = {
    "coalesced-access": (True, {"writing": "summed"}),
    "prefix-sum": (True, {"writing": "scattered"}),  # then nothing is put together either
    "dynamic-virtual-warps": (True, {"balance": "virtual-warp:width=32"}),
    "edge-discover": (False, {"balance": "dynamic-virtual-warp:edge_discover=1"}),
    "hash-duplicates": (True, {"duplicates": "none"}),
    "single-block": (True, {"single_block": False}),
    "dynamic-parallelism": (
        False,
        {
            "balance": "dynamic-virtual-warp:dynamic_parallelism=4096", "loop": "host",
            "duplicates": "status-bitmap", "single_block": False,
        },
    ),
}  # fmt: skip

PRESETS = {
    "harish": Preset(
        "Harish & Narayanan, HiPC 2007; survey 2.1 [25]",
        "thread-mapped", "topology-driven", "none", "O(VD + E)", "O(3V + E)",
        differs="two masks a vertex; here a distance says who is in the frontier",
    ),
    "virtual-warp": Preset(
        "Hong et al., PPoPP 2011, section 3.1; survey 2.1 [18]",
        "virtual-warp", "topology-driven", "none", "O(VD + E)", "O(2V + E)",
    ),
    "edge-parallel": Preset(
        "Jia et al. 2011; survey 2.1 [21]",
        "edge-parallel", "topology-driven", "none", "O(ED)", "O(2E)",
    ),
    "algebraic": Preset(
        "Deng et al., ICCAD 2009; survey 2.1 [26]",
        "virtual-warp:width=32", "topology-driven", "none", "O(V + ED)", "",
        direction="bottom-up",
        differs="other layouts of the matrix; here a warp a row, of CSR",
    ),
    "merrill": Preset(
        "Merrill et al., PPoPP 2012: two-phase; survey 2.1 [16]",
        "cta-warp-scan", "edge-queue", "warp-culling+history-culling", "O(V + E)", "4V + 2E at least",
        loop="device",
        differs="a bitmask that is read before the distance",
    ),
    "bfs-4k": Preset(
        "Busato & Bombieri, IEEE TPDS 2015; survey 2.2 [15]",
        "dynamic-virtual-warp", "vertex-queue", "hash", "O(V + E)", "4V + E at least",
        loop="device", single_block=True, switches=_BFS_4K,
        differs="it chooses between virtual warps and edge-discover in each level by a rule of its own; "
        "here by arcs a lane, if asked",
    ),
    "load-balanced-bfs": Preset(
        "Zhu et al. 2014, sections 3 and 4.4",
        "merge-path:coupling=hybrid,f0=10", "vertex-queue", "status-bitmap", "O(V + E)", "",
    ),
}  # fmt: skip
"""Each preset by its name."""


def lookup(preset: str) -> Preset:
    """A preset by what is asked for, such as ``"bfs-4k:edge-discover=on"``.

    Raises
    ------
    ValueError
        An unknown name (the message lists the known ones), switch or value.
    """
    return _parse(str(preset))


@cache
def _parse(preset: str) -> Preset:
    name, _, switches = preset.partition(":")
    if name not in PRESETS:
        raise ValueError(f"unknown preset {name!r}; choose one of {', '.join(PRESETS)}")
    return PRESETS[name].with_switches(name, switches)
