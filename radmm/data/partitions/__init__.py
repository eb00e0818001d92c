"""The partitions that radmm ships: laws that say which node a training row belongs to.

Which rows train at all is not decided here, but by the split.
"""
