"""A matrix of arcs that shares of devices close."""

from warpath.cuda.several import BLOCK, Shares
from warpath.operators import lookup


def close_in_shares(
    distance, predecessor=None, algebra="shortest", *, devices, block=BLOCK, **options
):
    """Close a matrix in place."""
    dtype = distance.dtype
    shares = Shares(len(distance), dtype, predecessor is not None, devices, block=block)
    shares.load(distance, predecessor, lookup(algebra).none(dtype))
    shares.close(algebra, **options)
    shares.store(distance, predecessor)
