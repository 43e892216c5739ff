"""Block rows of a matrix on several devices: which device owns which, and what each does when.

No CUDA here: `execute` calls an object that has devices.

Groups of rows are distributed to the devices cyclically. The blocked algorithm's step through group g relaxes all rows
through those of g, which their owner has closed and sent to the others. The owner of group g + 1 first relaxes that
group through g and closes it, then continues with its other rows. So the next rows are sent while all devices work:

    device 0   close 0 │ others through 0           │ 2 through 1, close 2 │ others through 1
    device 1           │ 1 through 0, close 1 │ others through 0           │ others through 1
    sent         0 →                      ← 1                       2 →

Each device works in order on one queue and copies in order on another one; a step waits for steps
of other queues by their numbers. A device has two buffers for rows that are sent, which alternate.
One device is the case of one: it sends nothing.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from warpath.cuda.minplus import Rows

BUFFERS = 2  # of rows that were sent to a device: one is read while another arrives


class BlockCyclic(NamedTuple):
    """Rows of a square, in groups, each a device's.

    Attributes
    ----------
    n : int
    size : int
        Rows of a group; the last one may have fewer.
    devices : int
    """

    n: int
    size: int
    devices: int

    @property
    def groups(self) -> int:
        """How many there are."""
        return -(-self.n // self.size)

    def vertices(self, group: int) -> Rows:
        """A group's rows of the square."""
        low = group * self.size
        return Rows(low, min(self.size, self.n - low))

    def owner(self, group: int) -> int:
        """The device that has its rows."""
        return group % self.devices

    def owned(self, device: int) -> range:
        """The groups of a device."""
        return range(device, self.groups, self.devices)

    def place(self, group: int) -> Rows:
        """A group's rows among those of its owner."""
        return Rows(group // self.devices * self.size, self.vertices(group).size)

    def rows(self, device: int) -> int:
        """How many a device has."""
        return sum(self.vertices(group).size for group in self.owned(device))

    def others(self, device: int, group: int) -> Rows:
        """A device's own rows without those of this group and the next."""
        apart = [
            self.place(one)
            for one in (group, group + 1)
            if one < self.groups and self.owner(one) == device
        ]
        gap = sum(rows.size for rows in apart)  # side by side, if there are two
        at = apart[0].first if apart else 0
        return Rows(0, self.rows(device) - gap, at, gap)


def distribute(n: int, unit: int, devices: int, block: int) -> BlockCyclic:
    """Groups of about ``block`` rows, as many for each device, of multiples of ``unit``.

    Parameters
    ----------
    n : int
        A multiple of ``unit``.
    """
    rounds = -(-n // (devices * block))
    return BlockCyclic(n, max(-(-n // (devices * rounds * unit)), 1) * unit, devices)


class Close(NamedTuple):
    """Relax a group's rows through its own vertices, on its owner."""

    group: int


class Update(NamedTuple):
    """Relax a device's ``rows`` through a group's."""

    group: int
    rows: Rows


class Broadcast(NamedTuple):
    """Send a group's rows from their owner to all other devices, on the queues for copies."""

    group: int


class Step(NamedTuple):
    """Something to do.

    Attributes
    ----------
    what : Close, Update or Broadcast
    devices : tuple of int
        That take part: all in a broadcast, else one.
    after : tuple of int
        Numbers of steps to wait for, in addition to the earlier ones in the same queue. A
        device waits for its own part of a broadcast.
    """

    what: Close | Update | Broadcast
    devices: tuple[int, ...]
    after: tuple[int, ...]


def schedule(layout: BlockCyclic) -> list[Step]:
    """All steps, in an order in which they can be queued; a step's number is its place."""
    steps: list[Step] = []
    sent: dict[int, int] = {}  # by group, the number of its broadcast
    readers: dict[int, list[int]] = {group: [] for group in range(-BUFFERS, layout.groups)}

    def add(what: Close | Update | Broadcast, devices: tuple[int, ...], *after: int | None) -> int:
        steps.append(Step(what, devices, tuple(one for one in after if one is not None)))
        return len(steps) - 1

    def update(group: int, rows: Rows, device: int) -> None:
        if rows.size:
            # The group before may be on its way from rows that are about to change.
            after = sent.get(group), sent.get(group - 1)
            readers[group].append(add(Update(group, rows), (device,), *after))

    for group in range(layout.groups + 1):
        if group < layout.groups:
            owner = layout.owner(group)
            if group > 0:
                update(group - 1, layout.place(group), owner)
            closed = add(Close(group), (owner,))
            if layout.devices > 1:
                everyone = tuple(range(layout.devices))
                # Its buffers must not be read any more.
                sent[group] = add(Broadcast(group), everyone, closed, *readers[group - BUFFERS])
        if group > 0:
            for device in range(layout.devices):
                update(group - 1, layout.others(device, group - 1), device)
    return steps


class Devices(Protocol):
    """What `execute` calls. All of it is queued; the event of a step is its end."""

    def wait(self, device: int, copies: bool, event: Any) -> None:
        """Let what is queued next, of work or of copies, wait for an event of any device."""

    def close(self, device: int, group: int) -> Any:
        """See `Close`; returns its event."""

    def relax(self, device: int, group: int, rows: Rows) -> Any:
        """See `Update`; returns its event."""

    def broadcast(self, group: int) -> Mapping[int, Any]:
        """See `Broadcast`; returns each device's event."""

    def finish(self, event: Any) -> None:
        """Return when it has happened."""


def execute(layout: BlockCyclic, devices: Devices, progress: Callable[[int, int], None]) -> None:
    """Do all steps; some may still be queued in the end.

    Parameters
    ----------
    progress : callable
        Called with (groups that all rows are relaxed through, groups); may raise to stop.
    """
    ends: list[Mapping[int, Any]] = []
    group_ends: list[Any] = []
    for what, taking_part, after in schedule(layout):
        for device in taking_part:
            for before in after:
                mine = ends[before]
                for event in [mine[device]] if device in mine else mine.values():
                    devices.wait(device, isinstance(what, Broadcast), event)
        (first, *_) = taking_part
        if isinstance(what, Broadcast):
            ends.append(devices.broadcast(what.group))
        elif isinstance(what, Update):
            ends.append({first: devices.relax(first, what.group, what.rows)})
        else:
            # Two groups are queued; more would only be queued sooner.
            if what.group >= BUFFERS:
                devices.finish(group_ends[what.group - BUFFERS])
                progress(what.group - BUFFERS, layout.groups)
            ends.append({first: devices.close(first, what.group)})
            group_ends.append(ends[-1][first])
