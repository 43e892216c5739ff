"""What `test_gpu_ranks.py` runs on several processes; its argument is the folder of the emulator's programs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))
import warpath as wp
from conftest import Emulator
from distributed_cases import GRAPHS, check
from emulated_device import emulated_device
from emulated_runtime import EmulatedRuntime
from warpath.distributed.context import current

emulator = Emulator("g++", Path(sys.argv[1]))
with EmulatedRuntime(emulator) as runtime, emulated_device(runtime, 2):
    wp.distributed.init(gpu_exchange="host")  # no process reaches another one's memory
    check(GRAPHS["karate"](), 0, device="cuda")
    print("passed", flush=True)
    current().leave()  # as at the end of the process, when there is no emulator any more
