"""The papers' forms of load-balancing techniques and ours: a suite of warpath's own."""

from warpath.bench.suite import Case, Suite
from warpath.bench.suites.listing import on_gpu, suite
from warpath.bench.suites.survey import EXPANDED

FORMS = {
    "cta-warp-scan": "cta-warp-scan:gather=contest",
    "block-search": "block-search:slots=contiguous",
    "two-phase-search": "two-phase-search:partition=array",
    "multi-phase-search": "multi-phase-search:access=scattered",
    "workload-decomposition": "workload-decomposition:share=contiguous",
    "edge-parallel": "edge-parallel:chunking=off",
    "dynamic-virtual-warp": "dynamic-virtual-warp:warp_workload=32",
    "merge-path": "merge-path:coupling=global",
}
"""Our form of a technique, and the knob that is the paper's."""


@suite("balance-forms")
def balance_forms() -> Suite:
    """Each technique in our form and in the paper's, on the survey's four graphs.

    One frontier of all vertices, as in survey-fig12.
    """
    return Suite(
        "balances, forms: the papers' and ours",
        tuple(Case(graph) for graph in EXPANDED),
        tuple(on_gpu(form, "expand", balance=form) for pair in FORMS.items() for form in pair),
    )
