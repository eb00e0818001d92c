"""Config files and settings: typed models made from the components, grids, settings and their ids.

Everything that can be refused before anything runs is refused here, in a sentence. No data are read, nothing is solved,
and neither pandas nor Matplotlib is imported: a config is read by every job.
"""
