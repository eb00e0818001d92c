"""The workflow's steps: each a command that reads files, calls the package, and writes files whole."""
