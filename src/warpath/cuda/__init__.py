"""The CUDA engine: kernels compiled at run time, on arrays in device memory.

Importing it imports neither CuPy nor the CUDA libraries; `warpath.devices` says whether
they are there.
"""
