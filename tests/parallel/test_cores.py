import os
import subprocess
import sys
import textwrap

import pytest

from teams import check_prefix_sums
from warpath.parallel import cores, team, thread_count

V2 = "30 23 0:26 / {at} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
V1 = "31 23 0:27 {root} {at} rw - cgroup cgroup rw,cpu,cpuacct\n"
MEMORY = "32 23 0:28 / {at} rw - cgroup cgroup rw,memory\n"


@pytest.fixture
def process(tmp_path):
    """Make a process's folder in ``/proc``, and folders of cgroups with what they grant."""

    def make(cgroup, mountinfo, **files):
        folder = tmp_path / "proc"
        folder.mkdir()
        (folder / "cgroup").write_text(cgroup)
        (folder / "mountinfo").write_text(
            "22 1 8:1 / / rw shared:1 - ext4 /dev/vda rw\n" + mountinfo
        )
        return folder

    return make


def grant(folder, **files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("cpu_", "cpu.")).write_text(f"{text}\n")


@pytest.mark.parametrize(
    ("granted", "cores_granted"),
    [
        ("max 100000", None),
        ("200000 100000", 2),
        ("150000 100000", 2),
        ("10000 100000", 1),
        ("1600000 50000", 32),
        ("", None),
        ("a lot", None),
    ],
)
def test_quota_of_version_2(granted, cores_granted, process, tmp_path):
    at = tmp_path / "cgroup"
    grant(at / "user" / "job", cpu_max=granted)
    assert cores.quota(process("0::/user/job\n", V2.format(at=at))) == cores_granted


@pytest.mark.parametrize("tightest", ["", "user", "user/job"])
def test_the_tightest_cgroup_of_the_hierarchy_counts(tightest, process, tmp_path):
    at = tmp_path / "cgroup"
    for folder in ("", "user", "user/job", "user/other"):
        grant(at / folder, cpu_max="800000 100000")
    grant(at / tightest, cpu_max="300000 100000")
    grant(at / "user/other", cpu_max="100000 100000")
    grant(tmp_path, cpu_max="100000 100000")  # above the hierarchy
    assert cores.quota(process("0::/user/job\n", V2.format(at=at))) == 3


@pytest.mark.parametrize(
    ("quota", "period", "cores_granted"),
    [("-1", "100000", None), ("250000", "100000", 3), ("1", "100000", 1), ("5", "0", None)],
)
def test_quota_of_version_1(quota, period, cores_granted, process, tmp_path):
    at, memory = tmp_path / "cpu,cpuacct", tmp_path / "memory"
    grant(at / "docker" / "a1", cpu_cfs_quota_us=quota, cpu_cfs_period_us=period)
    grant(memory / "small", cpu_cfs_quota_us="100000", cpu_cfs_period_us="100000")
    mounts = MEMORY.format(at=memory) + V1.format(root="/", at=at)
    own = "5:memory:/small\n3:cpuset:/\n2:cpuacct,cpu:/docker/a1\n1:name=systemd:/\n"
    assert cores.quota(process(own, mounts)) == cores_granted


def test_version_1_beside_an_empty_version_2(process, tmp_path):
    old, new = tmp_path / "cpu", tmp_path / "unified"
    grant(old / "job", cpu_cfs_quota_us="400000", cpu_cfs_period_us="100000")
    grant(new)
    mounts = V2.format(at=new) + V1.format(root="/", at=old)
    assert cores.quota(process("1:cpu:/job\n0::/job\n", mounts)) == 4


@pytest.mark.parametrize(
    ("own", "root", "below"),
    [
        ("/docker/a1", "/docker/a1", ""),  # a container sees its own cgroup mounted
        ("/docker/a1/job", "/docker/a1", "job"),
        ("/../b2", "/", ""),  # what it is in cannot be seen
    ],
)
def test_a_cgroup_below_the_root_is_mounted(own, root, below, process, tmp_path):
    at = tmp_path / "with space"
    grant(at / below, cpu_cfs_quota_us="200000", cpu_cfs_period_us="100000")
    mounts = V1.format(root=root, at=str(at).replace(" ", r"\040"))
    assert cores.quota(process(f"4:cpu:{own}\n", mounts)) == 2


def test_a_process_without_cgroups(process, tmp_path):
    assert cores.quota(tmp_path / "none") is None
    assert cores.quota(process("", "")) is None


def test_count_is_the_smaller_of_affinity_and_quota(monkeypatch):
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    for granted, count in ((None, allowed), (1, 1), (allowed + 1, allowed)):
        monkeypatch.setattr(cores, "_own_quota", lambda granted=granted: granted)
        assert cores.count() == count


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("current", [0, 3, 9, 77])
def test_parts_are_disjoint_and_begin_at_the_caller(size, current):
    allowed = {0, 1, 3, 4, 7, 8, 9, 70}
    parts = cores.parts(allowed, current, size)
    assert len(parts) == size
    assert set().union(*parts) == allowed
    assert sum(map(len, parts)) == len(allowed)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    if current in allowed:
        assert current in parts[0]


def test_members_share_all_cores_where_there_are_too_few():
    assert cores.parts({2, 5}, 2, 3) == [frozenset({2, 5})] * 3


def test_two_processes_bind_their_workers_to_different_cores():
    first, second = (cores.parts({0, 1}, current, 2) for current in (0, 1))
    assert first == second[::-1]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity on this system")
def test_a_binding_is_of_the_thread_that_calls_it():
    script = """
        import os
        from threading import Thread
        from warpath.parallel import cores

        before = os.sched_getaffinity(0)
        members, _, back, _ = cores.spread(1, frozenset(before), frozenset(before))
        core = min(before)
        cores._binding(frozenset({core}))()
        assert os.sched_getaffinity(0) == {core}
        back()
        assert os.sched_getaffinity(0) == before
        seen = []

        def bind():
            cores._binding(frozenset({core}))()
            seen.append(os.sched_getaffinity(0))

        thread = Thread(target=bind)
        thread.start()
        thread.join()
        assert seen == [{core}] and os.sched_getaffinity(0) == before
        cores._binding(frozenset({5000}))()  # there is no such core: nothing happens
        assert os.sched_getaffinity(0) == before
        for size in (len(before), len(before) + 1):
            spread = cores.spread(size, frozenset(before), frozenset(before))
            assert spread.apart is (size == len(before)) is (spread.cores[0] is not None)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity on this system")
def test_a_call_spreads_over_the_cores_and_leaves_the_callers_affinity(size):
    allowed = os.sched_getaffinity(0)
    masks = {}

    def kernel(thread, threads, sync):
        masks[thread] = os.sched_getaffinity(0)
        if thread in failing:
            raise ArithmeticError

    kernel.compile = lambda signature: kernel  # a plain function needs no compiling
    failing = set()
    team.run(kernel, size)
    assert os.sched_getaffinity(0) == allowed
    assert len(masks) == size
    assert set().union(*masks.values()) == allowed
    if size <= len(allowed):
        assert sum(map(len, masks.values())) == len(allowed)
    for thread in range(size):
        failing = {thread}
        with pytest.raises(ArithmeticError):
            team.run(kernel, size)
        assert os.sched_getaffinity(0) == allowed


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity on this system")
def test_a_team_keeps_to_the_callers_affinity():
    allowed = os.sched_getaffinity(0)
    thread_count.set_num_threads(2)
    check_prefix_sums(4)  # with a worker that may run everywhere
    masks = []

    def kernel(thread, threads, sync):
        masks.append(os.sched_getaffinity(0))

    kernel.compile = lambda signature: kernel
    for core in allowed:
        masks.clear()
        os.sched_setaffinity(0, {core})
        try:
            team.run(kernel, 2)
            assert os.sched_getaffinity(0) == {core}
        finally:
            os.sched_setaffinity(0, allowed)
        assert masks == [{core}] * 2
