"""Operators of a caller's own: frontiers, and what edges and vertices do, on CPUs and GPUs."""
