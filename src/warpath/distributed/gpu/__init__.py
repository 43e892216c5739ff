"""Parts of a graph on GPUs: where they lie, how they exchange, and how they are searched there."""
