"""The keyword ``device`` of functions that take no other."""

from collections.abc import Mapping
from typing import Any, TypedDict

from warpath.graph.check import choose
from warpath.typing import DEVICES, BuildDeviceName, DeviceName


class Device(TypedDict, total=False):
    """The further keyword of functions that look at all distances, or at none."""

    device: DeviceName


def engine(device: DeviceName = "auto") -> BuildDeviceName:
    """``"cpu"`` or ``"cuda"``; the former unless the latter is asked for.

    Raises
    ------
    ValueError
        If there is no such device.
    """
    return "cuda" if choose("device", device, DEVICES) == "cuda" else "cpu"


def on_the_cpu(where: Mapping[str, Any]) -> bool:
    """Whether neither a GPU nor a way to search was asked for.

    Raises
    ------
    ValueError
        If there is no such device.
    """
    return engine(where.get("device", "auto")) == "cpu" and where.keys() <= {"device"}
