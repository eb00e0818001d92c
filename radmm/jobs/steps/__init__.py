"""The workflow's steps: each a function that reads files, calls the package, and writes whole files."""
