"""What all algorithms share: a checked call, its answer, how it went."""
