"""How arrays that lie on GPUs travel between ranks: what a `Transport` asks of it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from warpath.distributed.together import Together
from warpath.typing import GpuExchangeName

Array = Any  # of the runtime's module


@dataclass(frozen=True)
class GpuOptions:
    """What `init` says of the ranks' GPUs.

    Attributes
    ----------
    exchange : {"nccl", "host"}, optional
        How arrays travel between them. By default kernels read the memory of others on one host, and other arrays travel by
        NCCL, where it is installed and each rank has a GPU of its own.
    share : bool
        Whether several ranks may have the same one.
    """

    exchange: GpuExchangeName | None = None
    share: bool = False

    def __str__(self) -> str:
        return f"gpu_exchange={self.exchange!r}, share_gpus={self.share}"


class GpuExchange(ABC):
    """A rank's GPU, and the way from it to the GPUs of other ranks.

    Parameters
    ----------
    device : int
        CUDA's number of this rank's GPU.

    Attributes
    ----------
    together : Together or None
        All ranks' GPUs, if kernels on each reach the memory of the others: then searches are one launch on each.
    """

    def __init__(self, device: int) -> None:
        self.device = device
        self.together: Together | None = None

    def use(self) -> None:
        """Make the GPU the current one of this thread."""
        self._xp.cuda.Device(self.device).use()

    def holds(self, block: Any) -> bool:
        """Whether a block lies on a GPU."""
        return isinstance(block, self._xp.ndarray)

    @property
    def _xp(self) -> Any:
        """The runtime's module of arrays; searches on CPUs import no runtime."""
        from warpath.cuda import runtime

        return runtime.current().xp

    @abstractmethod
    def exchange(self, blocks: Sequence[Array]) -> list[Array]:
        """Send block q to rank q: as `Transport.exchange`, from GPU to GPU."""
