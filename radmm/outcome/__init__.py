"""What one does with a result: its classifier, kept in a plain file, test metrics of choice, and a quick picture.

Nothing here is a part of what makes a trace, and solver jobs import none of it: `Result` looks it up when it is asked.
"""
