"""The losses: one file each, and `loss.py`, which says what a loss is and has the list of them."""
