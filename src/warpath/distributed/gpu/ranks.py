"""Which GPU a rank has that is a process, and how its arrays travel."""

import os

from warpath import devices
from warpath.distributed.gpu.nccl import Nccl
from warpath.distributed.gpu.rank_group import RankGroup
from warpath.distributed.gpu.through_host import ThroughHost
from warpath.distributed.gpu_exchange import GpuExchange
from warpath.distributed.transport import Transport
from warpath.errors import DeviceUnavailableError, RanksDisagreeError


def gpu_of(transport: Transport) -> GpuExchange:
    """Take a GPU for this rank, and make it the current one; all ranks call it.

    The k-th rank of a host takes the k-th GPU that it sees, or k modulo their number: where a launcher shows each
    rank a GPU of its own, that is the one.

    Raises
    ------
    DeviceUnavailableError
        A rank sees no GPU. Several have the same one, and `init` did not allow it.
    ValueError
        NCCL is asked for, and is not installed on a rank, or ranks have the same GPU.
    RanksDisagreeError
        `init` got different options.
    """
    devices.require()
    there = devices.devices()
    mine = there[_local_rank(transport) % len(there)]
    options = transport.gpu_options
    said = transport.gather_objects((devices.uuid(mine.number), Nccl.is_installed(), options))
    for rank, (_, _, other) in enumerate(said):
        if other != said[0][2]:
            raise RanksDisagreeError(f"rank 0 has init({said[0][2]}), rank {rank} init({other})")
    shared = _shared([uuid for uuid, _, _ in said])
    if shared and not options.share:
        raise DeviceUnavailableError(
            f"device='cuda': ranks {_listed(shared)} have the same GPU: start no more ranks on a "
            "host than it has GPUs, or allow it by wp.distributed.init(share_gpus=True)"
        )
    without = [rank for rank, (_, has_nccl, _) in enumerate(said) if not has_nccl]
    if options.exchange == "nccl":
        _check_nccl(without, shared)
    by_host = options.exchange == "host" or transport.size == 1 or without or shared
    kind = ThroughHost if options.exchange != "nccl" and by_host else Nccl
    found = kind(transport, mine.number)
    found.use()
    if options.exchange is None and not shared:
        found.together = RankGroup.of(transport, mine.number)
    return found


def _check_nccl(without: list[int], shared: list[int]) -> None:
    """Refuse NCCL for ranks that have no library, or the same GPU."""
    if without:
        raise ValueError(
            f"gpu_exchange='nccl': NCCL is not installed on ranks {_listed(without)}: "
            "pip install 'warpath[nccl]'"
        )
    if shared:
        raise ValueError(
            f"gpu_exchange='nccl': ranks {_listed(shared)} have the same GPU, which NCCL refuses: "
            "gpu_exchange='host'"
        )


def _listed(ranks: list[int]) -> str:
    return ", ".join(map(str, ranks))


def _local_rank(transport: Transport) -> int:
    """Which of its host's ranks this is: as torchrun says, which other libraries go by, or by the ranks' numbers."""
    if not transport.processes:
        return transport.rank
    said = os.environ.get("LOCAL_RANK", "")
    if said.isdecimal():
        return int(said)
    hosts = [process.host for process in transport.processes]
    return hosts[: transport.rank].count(hosts[transport.rank])


def _shared(uuids: list[str]) -> list[int]:
    """The ranks of a GPU that several have; none if each has its own."""
    for uuid in uuids:
        ranks = [rank for rank, other in enumerate(uuids) if other == uuid]
        if len(ranks) > 1:
            return ranks
    return []
