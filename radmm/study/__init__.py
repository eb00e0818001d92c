"""Config files and settings: typed models made from the components, grids, settings and their ids.

Everything that can be refused before anything runs is refused here, in a sentence. No data are read and nothing is
solved.
"""
