"""All operators of `operator_bodies` are in its tables, which the tests of CPU, emulator and GPU go through."""

import operator_bodies
from operator_bodies import AGGREGATIONS, CASES, VERTEX_CASES
from warpath.language.operator import Operator


def test_no_operator_is_in_no_table():
    cases = [*CASES.values(), *VERTEX_CASES.values()]
    tested = {case.operator for case in cases} | {row[0] for row in AGGREGATIONS.values()}
    assert tested == {one for one in vars(operator_bodies).values() if isinstance(one, Operator)}
