"""The CPU engine: persistent kernels that a team of threads runs (`warpath.parallel.team`).

Each module is one algorithm: what it computes and which published one it is, every
trick in its encoding, small step functions, the driver loop.
"""
