"""The papers' tables and figures as suites that run, and the advice that comes of measuring.

A `Suite` is data: graphs × configurations → trials, a table, a figure, and the paper's claims
about them. One runner runs all of them:

>>> from warpath.bench.suites import SUITES
>>> SUITES["hbf-fig9"]().title
'H-BF, figure 9: relax operations'

``warpath bench list`` shows their names; docs/bench.md says how to run and to read them.
"""
