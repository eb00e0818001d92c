"""The red team: attacks that must succeed on research files, and of which none may succeed on a release.

`game.py` says what an attacker knows and has to find out; every attack has a file of its own.
"""
