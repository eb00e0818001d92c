"""The losses, one file each; `loss.py` has their interface and registry."""
