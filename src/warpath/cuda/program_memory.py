"""What an algorithm of a program keeps in memory, by the name of its struct."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from warpath.cuda.memory import Layout, words_of_bits

_BUCKET_COUNTERS = 128  # words: `bucket_counters` of frontier/buckets.cuh


@dataclass(frozen=True)
class ProgramMemory:
    """What a struct of ``kernels/algorithms`` uses of ``ProgramSpace`` (engine/program_state.cuh).

    Attributes
    ----------
    queues : int
        1 if the struct has no queue, or says ``has_one_queue``; else 2.
    stamps : int
        32-bit words of a vertex in ``stamp``.
    packed : bool
        Two distances of a vertex there instead.
    bits, prefilter : bool
        A bit of a vertex in ``far`` (``has_bits``), and in ``prefilter`` (``has_prefilter``).
    lookup_table : bool
        A word of a vertex in ``piles``, of ``compacts``.
    far_lists : bool
        Two words, and counters of buckets, of ``has_list``.
    edge_queues : int
        2 if they alternate, of ``contracts``.
    offers : bool
        Whether edges in a queue come with what they offer, of ``relaxes``.
    words : bool
        64 bits of a vertex in ``words``.
    """

    queues: int = 2
    stamps: int = 0
    packed: bool = False
    bits: bool = False
    prefilter: bool = False
    lookup_table: bool = False
    far_lists: bool = False
    edge_queues: int = 1
    offers: bool = False
    words: bool = False


_RELAXES = ProgramMemory(stamps=1, offers=True)
_NEAR_FAR = replace(_RELAXES, bits=True)
_FAR_LISTS = replace(_NEAR_FAR, far_lists=True)
ALGORITHMS = {
    "Levels": ProgramMemory(),
    "LevelsWithDuplicates": ProgramMemory(stamps=1),
    "LevelsWithStatusBits": ProgramMemory(queues=1, bits=True),
    "LevelsPacked": ProgramMemory(queues=1, packed=True),
    "SweptLevels": ProgramMemory(queues=1),
    "Relaxing": _RELAXES,
    "DuplicatesRelaxing": _RELAXES,
    "PackedRelaxing": ProgramMemory(packed=True, offers=True),
    "QueuelessRelaxing": replace(_RELAXES, queues=1),
    "NearFarRelaxing": _NEAR_FAR,
    "NearFarTreeRelaxing": replace(_NEAR_FAR, words=True),
    "NearFarListRelaxing": _FAR_LISTS,
    "BucketsRelaxing": _FAR_LISTS,
    "DijkstraRelaxing": _FAR_LISTS,
    "Components": ProgramMemory(queues=1),
    "Peeling": ProgramMemory(bits=True, far_lists=True),
    "EdgeOperator": ProgramMemory(stamps=1),
    "SweptEdgeOperator": ProgramMemory(queues=1, stamps=2),
    "TightSearch": ProgramMemory(queues=1, bits=True),
}
"""Of each algorithm."""

CHANGES: dict[str, dict[str, Any]] = {
    "ThroughBitmap": {"queues": 1, "bits": True},
    "ContractExpand": {"queues": 2, "edge_queues": 2},
    "HybridQueue": {"queues": 2, "edge_queues": 2},
    "Compacted": {"lookup_table": True},
    "PrefilteredRelaxing": {"prefilter": True},
}
"""What those structs change that stand before an algorithm; others change nothing."""


def memory_of(algorithm: str, own: ProgramMemory | None = None) -> ProgramMemory:
    """What a run of it keeps.

    Parameters
    ----------
    algorithm : str
        As `warpath.cuda.instances.program_kernel` takes it: ``"Filtered:HashTable LevelsWithDuplicates"``.
    own : ProgramMemory, optional
        What the last struct in it keeps, if that is not one of `ALGORITHMS`.

    Raises
    ------
    ValueError
        If neither is known.
    """
    *changes, last = (one.partition(":")[0] for one in algorithm.split())
    memory = own or ALGORITHMS.get(last)
    if memory is None:
        raise ValueError(
            f"nothing says what {last!r} keeps in memory: give a ProgramMemory that goes with the flags of its struct, "
            "or add it to warpath.cuda.program_memory.ALGORITHMS"
        )
    for change in reversed(changes):
        memory = replace(memory, **CHANGES.get(change, {}))
    return memory


@lru_cache(maxsize=64)
def layout_of(
    memory: ProgramMemory, n: int, capacity: int, edges: int, offset_bytes: int, distance_bytes: int,
    parents: bool,
) -> Layout:  # fmt: skip
    """The workspace of a run; ``edges`` is the capacity of an edge queue."""
    offset, key = f"u{offset_bytes}", f"u{distance_bytes}"
    second = capacity * (memory.queues - 1)
    edges *= memory.edge_queues
    piles = 2 * n + _BUCKET_COUNTERS if memory.far_lists else n * memory.lookup_table
    return Layout(
        queue=("u4", capacity), prefix=(offset, capacity),
        second_queue=("u4", second), second_prefix=(offset, second),
        stamp=(key, 2 * n) if memory.packed else ("u4", n * memory.stamps),
        far=("u4", words_of_bits(n) * memory.bits),
        prefilter=("u4", words_of_bits(n) * memory.prefilter), piles=("u4", piles),
        targets=("u4", edges), sources=("u4", edges * parents),
        offers=(key, edges * memory.offers * (1 + memory.packed)),
        words=("u8", n * memory.words),
    )  # fmt: skip
