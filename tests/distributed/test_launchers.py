"""What is made of the variables that launchers set."""

import pytest

import warpath as wp
from warpath.distributed import context, launchers
from warpath.distributed.launchers import transport_of

NAMES = *launchers._SIZES, *launchers._TORCHRUN
TORCHRUN = {"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29500"}


@pytest.fixture
def started(monkeypatch):
    """Set what a launcher sets, and which packages there are."""

    def start(variables, *packages):
        for name in NAMES:
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(launchers, "find_spec", lambda name: name in packages or None)

    return start


def test_one_process_needs_nothing(started):
    started({})
    assert transport_of(None, 1.0) is None


@pytest.mark.parametrize(
    "variables", [{"PMI_SIZE": "4"}, {"OMPI_COMM_WORLD_SIZE": "4"}, {"SLURM_STEP_NUM_TASKS": "4"}]
)
def test_ranks_of_mpi_need_mpi4py(started, variables):
    started(variables, "torch")
    with pytest.raises(ModuleNotFoundError, match=r"4 processes .*'warpath\[distributed\]"):
        transport_of(None, 1.0)


@pytest.mark.parametrize(
    "variables", [{"SLURM_STEP_NUM_TASKS": "4"}, {"OMPI_COMM_WORLD_SIZE": "3"}]
)
def test_another_mpi_is_refused(started, variables):
    pytest.importorskip("mpi4py.MPI")
    started(variables, "mpi4py")
    with pytest.raises(RuntimeError, match="but mpi4py sees one"):
        transport_of(None, 1.0)


def test_ranks_of_torchrun_need_pytorch(started):
    started(TORCHRUN, "mpi4py")
    with pytest.raises(ModuleNotFoundError, match="torchrun started 2 processes"):
        transport_of(None, 1.0)


@pytest.mark.parametrize(
    "variables",
    [
        TORCHRUN,
        TORCHRUN | {"SLURM_STEP_NUM_TASKS": "1"},
        TORCHRUN | {"SLURM_STEP_NUM_TASKS": "2", "TORCHELASTIC_RUN_ID": "7"},
    ],
)
def test_torchruns_ranks_are_joined_by_gloo(started, monkeypatch, variables):
    started(variables, "mpi4py", "torch")
    monkeypatch.setattr(launchers, "GlooTransport", lambda timeout: ("gloo", timeout))
    assert transport_of(None, 7.0) == ("gloo", 7.0)


@pytest.mark.parametrize("variables", [{"PMI_SIZE": "2"}, TORCHRUN])
def test_without_init_processes_that_were_started_together_are_warned(
    started, monkeypatch, recwarn, variables
):
    monkeypatch.setattr(context, "_of_process", None)
    started(variables)
    with pytest.warns(
        UserWarning, match=r"2 processes were started, .* call wp\.distributed\.init"
    ):
        assert wp.distributed.size() == 1
    assert wp.distributed.rank() == 0  # once is enough
    monkeypatch.setattr(context, "_of_process", None)
    started({})
    assert wp.distributed.size() == 1
    assert not recwarn


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"timeout": 0}, "timeout must be positive, not 0"),
        ({"gpu_exchange": "mail"}, "unknown gpu_exchange 'mail'; choose one of nccl, host"),
    ],
)
def test_what_init_does_not_know_is_named(started, options, message):
    started({})
    with pytest.raises(ValueError, match=message):
        wp.distributed.init(**options)


def test_a_job_of_slurm_is_no_launcher(started):
    """``sbatch -n 4`` says so to one process, which srun has not started."""
    started({"SLURM_NTASKS": "4"})
    assert transport_of(None, 1.0) is None


def test_what_is_no_communicator(started):
    started({})
    MPI = pytest.importorskip("mpi4py.MPI")
    with pytest.raises(TypeError, match="init takes a communicator of mpi4py, not 10"):
        transport_of(10, 1.0)
    with pytest.raises(ValueError, match=r"not MPI\.COMM_NULL"):
        transport_of(MPI.COMM_NULL, 1.0)
