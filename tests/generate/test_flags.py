"""Options that are True or False."""

import pytest

import warpath as wp

CALLS = {
    "rmat": (
        wp.generate.rmat,
        (4, 2),
        ("directed", "simple", "permute", "by_degree", "distributed"),
    ),
    "erdos_renyi": (wp.generate.erdos_renyi, (9, 9), ("directed", "replace", "distributed")),
    "grid": (wp.generate.grid, (3,), ("directed",)),
    "local": (wp.generate.local, ((9, 9), [2] * 81), ("loops",)),
    "mesh": (wp.generate.mesh, ((9, 9), 3), ("loops", "periodic")),
    "named": (wp.generate.named, ("path", 3), ("directed",)),
    "configuration": (wp.generate.configuration, ([1, 1],), ("simple",)),
}


@pytest.mark.parametrize("name", CALLS)
def test_text_is_no_flag(name):
    call, arguments, flags = CALLS[name]
    call(*arguments)
    for flag in flags:
        with pytest.raises(ValueError, match=f"{flag} must be True or False, not 'no'"):
            call(*arguments, **{flag: "no"})
