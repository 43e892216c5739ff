"""Rows from one GPU to all others: by NCCL, or by copies from each to each."""

import os
import warnings
from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

from warpath.cuda import runtime

TRANSPORTS = ("nccl", "peer")


class Transport(Protocol):
    """What sends arrays."""

    def broadcast(self, root: int, arrays: Sequence[Sequence[Any]]) -> dict[int, Any]:
        """Queue copies of ``arrays[root]`` to the others' arrays of the same sizes.

        Parameters
        ----------
        root : int
        arrays : sequence of sequences of cupy arrays
            Those of each device, C-contiguous.

        Returns
        -------
        dict
            The event of each device after which its arrays are there; the root's, after which they
            may be changed.
        """


class Nccl:
    """Broadcasts of NVIDIA's library, which finds the links between the GPUs.

    Parameters
    ----------
    devices : tuple of int
        CUDA's numbers, all different.
    streams : sequence of cupy.cuda.Stream
        One of each device, for copies.
    """

    def __init__(self, devices: tuple[int, ...], streams: Sequence[Any]):
        self.devices, self.streams = devices, streams
        self.nccl, self.communicators = nccl(), _communicators(devices)

    def broadcast(self, root: int, arrays: Sequence[Sequence[Any]]) -> dict[int, Any]:
        """See `Transport`."""
        address = runtime.current().address
        self.nccl.groupStart()
        for rank, communicator in enumerate(self.communicators):
            with _on(self.devices[rank]):
                for sent, mine in zip(arrays[root], arrays[rank], strict=True):
                    communicator.broadcast(
                        address(sent if rank == root else mine), address(mine),
                        sent.nbytes, self.nccl.NCCL_INT8, root, self.streams[rank].ptr,
                    )  # fmt: skip
        self.nccl.groupEnd()
        return {
            rank: recorded(*of)
            for rank, of in enumerate(zip(self.devices, self.streams, strict=True))
        }


class PeerCopies:
    """Copies by the root's copy engines, one device after the other. Parameters as of `Nccl`.

    Devices may be the same.
    """

    def __init__(self, devices: tuple[int, ...], streams: Sequence[Any]):
        self.devices, self.streams = devices, streams
        for one in set(devices):
            for other in set(devices) - {one}:
                let_access(one, other)

    def broadcast(self, root: int, arrays: Sequence[Sequence[Any]]) -> dict[int, Any]:
        """See `Transport`."""
        ends, of, stream = {}, self.devices[root], self.streams[root]
        address = runtime.current().address
        for rank, to in enumerate(self.devices):
            if rank == root:
                continue
            for sent, mine in zip(arrays[root], arrays[rank], strict=True):
                with _on(of):
                    runtime.current().xp.cuda.runtime.memcpyPeerAsync(
                        address(mine), to, address(sent), of, sent.nbytes, stream.ptr
                    )
            ends[rank] = recorded(of, stream)
        ends[root] = recorded(of, stream)
        return ends


def transport_of(name: str | None, devices: tuple[int, ...], streams: Sequence[Any]) -> Transport:
    """What is called so; None: NCCL where it is installed.

    Raises
    ------
    ValueError
        An unknown name; NCCL where it is not installed.
    """
    if name not in (None, *TRANSPORTS):
        raise ValueError(f"transport={name!r}: one of {', '.join(TRANSPORTS)}")
    if name == "nccl" and nccl() is None:
        raise ValueError("transport='nccl': NCCL is not installed: pip install 'warpath[nccl]'")
    kind = PeerCopies if name == "peer" or nccl() is None else Nccl
    return kind(devices, streams)


@cache
def nccl() -> Any:
    """CuPy's module for NCCL, None where the library is not installed. All communicators are made by it.

    NVLink multicast is off, unless the environment says otherwise: where a machine cannot make multicast objects,
    the first collective fails or waits for ever.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # CuPy's, that it is not
        from cupy.cuda import nccl as module
    if not module.available:
        return None
    os.environ.setdefault("NCCL_NVLS_ENABLE", "0")  # read with the first communicator
    return module


@cache
def _communicators(devices: tuple[int, ...]) -> Any:
    """Made once: it takes a second or more."""
    return nccl().NcclCommunicator.initAll(list(devices))


@cache
def let_access(device: int, other: int) -> bool:
    """Let a device reach another one's memory: whether it can. Else copies go by the host."""
    cuda = runtime.current().xp.cuda.runtime
    if not cuda.deviceCanAccessPeer(device, other):
        return False
    with _on(device):
        try:
            cuda.deviceEnablePeerAccess(other)
        except cuda.CUDARuntimeError as error:
            if "AlreadyEnabled" not in str(error):
                raise
    return True


def recorded(device: int, stream: Any) -> Any:
    """An event at the end of what is queued there."""
    with _on(device):
        event = runtime.current().xp.cuda.Event(disable_timing=True)
        event.record(stream)
    return event


def _on(device: int) -> Any:
    """A context in which it is the current one."""
    return runtime.current().xp.cuda.Device(device)
