"""Uses of a result: its classifier, saved in a plain file, test metrics, and a quick picture.

Nothing here takes part in making a trace, and solver jobs import none of it: `Result` imports it on demand.
"""
