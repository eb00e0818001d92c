"""Schedules of penalties, noise and step sizes: the base class, and one file for each that radmm ships."""
