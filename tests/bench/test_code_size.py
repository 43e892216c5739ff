from warpath.balance import TECHNIQUES
from warpath.bench import code_size


def test_every_balance_has_lines() -> None:
    assert min(map(code_size.lines, TECHNIQUES.values())) > 5


def test_what_is_included_counts_but_for_the_baselines() -> None:
    decomposition, hierarchical = (
        code_size.lines(TECHNIQUES[name]) for name in ("workload-decomposition", "hierarchical")
    )
    needed = code_size._needed("balance/hierarchical.cuh")
    assert {"balance/workload_decomposition.cuh", "core/worklist.cuh"} <= needed
    assert hierarchical > decomposition
    # Comments are no code.
    header = "balance/thread_mapped.cuh"
    text = code_size._kernels().joinpath(header).read_text()
    assert 0 < code_size._lines_of_header(header) < len(text.splitlines()) / 2
