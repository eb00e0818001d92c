"""What is made of traces: tables, figures, the verdicts on the paper's claims, the audit, what the theorems say.

It reads files that jobs wrote, and the settings they belong to. Nothing here decides what runs, where or when.
"""
