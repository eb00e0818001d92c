"""A verdict on each empirical claim of the paper, from the traces."""
