import pytest

from warpath.bench import conclusion
from warpath.bench.suite import Case, Claim, Suite
from warpath.bench.summary import Summary
from warpath.bench.trial import Trial

SUITE = Suite(
    "t, figure 7: a and b", (Case("G"), Case("H")), (), published={("G", "a"): 3.0, ("G", "b"): 2.0},
    claims=(Claim("a takes 2.9 times as long", lambda _: None),),
)  # fmt: skip


@pytest.fixture
def found() -> Summary:
    times = {("G", "a"): 0.02, ("G", "b"): 0.01, ("H", "a"): 0.9, ("H", "b"): 0.3, ("H", "c"): 5}
    return Summary(
        SUITE,
        [
            Trial("s", {"name": graph}, {"label": label}, seconds=value, relaxations=1000 * value)
            for (graph, label), value in times.items()
        ],
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("a / b", "2.0 to 3.0"),
        ("b / a", "0.33 to 0.50"),
        ("a / b @ H", "3.0"),
        ("a / b @ G; H", "2.0 to 3.0"),
        ("a @ G", "20"),
        ("c / b", "17"),  # where both are
        ("c", "5,000"),
        ("relaxations: a @ H", "900"),
        ("relaxations: a / b @ H", "3.0"),
        ("paper: a / b @ G", "1.50"),
        ("best @ G", "`b`"),
        ("best @ G; H", "`b`"),
    ],
)
def test_answers(found: Summary, question: str, answer: str) -> None:
    split = question.replace(" / ", " /\n")
    assert conclusion.fill(f"It is {{{{ {split} }}}} times.", found) == f"It is {answer} times."


@pytest.mark.parametrize(
    "question", ["a / z", "z @ G", "c @ G", "a @ X", "paper: a / b @ H", "b: a"]
)
def test_what_was_not_measured_is_refused(found: Summary, question: str) -> None:
    with pytest.raises(ValueError, match="not measured"):
        conclusion.fill(f"{{{{ {question} }}}}", found)


def test_a_number_by_hand_is_found() -> None:
    text = "{{ a / b }} times, 2.9 in the paper, as figure 7 has it; `width=32`, but 4.1 and 1,000."
    assert conclusion.loose_numbers(text, SUITE) == ["4.1", "1,000"]
