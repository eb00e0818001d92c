"""The command line, one file for each command, which reads flags, calls the package and prints the answer.

Nothing is computed here that Python can't be asked for. A command's module has `add`, which declares its flags, and
`run`.
"""
