"""Threads that work as one team, and the atomics they need: the lowest layer."""
