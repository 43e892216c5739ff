"""Spanning trees."""
