"""Which GPU a rank has that is a process."""

import os

from warpath import devices
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
        A rank sees no GPU. Two ranks would share one, and `init` did not allow it.
    RanksDisagreeError
        `init` got different options.
    """
    devices.require()
    there = devices.devices()
    mine = there[_local_rank(transport) % len(there)]
    claims = transport.gather_objects((devices.uuid(mine.number), transport.gpu_options))
    for rank, (_, options) in enumerate(claims):
        if options != claims[0][1]:
            raise RanksDisagreeError(
                f"rank 0 has init({claims[0][1]}), rank {rank} init({options})"
            )
    shared = _shared([uuid for uuid, _ in claims])
    if shared and not transport.gpu_options.share:
        raise DeviceUnavailableError(
            f"device='cuda': ranks {', '.join(map(str, shared))} have the same GPU: start no more ranks on a "
            "host than it has GPUs, or allow it by wp.distributed.init(share_gpus=True)"
        )
    found = ThroughHost(transport, mine.number)
    found.use()
    return found


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
