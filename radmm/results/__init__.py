"""Results made from traces: tables, figures, verdicts on the paper's claims, the audit, and the theorems' conditions.

It reads files that jobs wrote, and the settings they belong to. Nothing here decides what runs, where or when.
"""
