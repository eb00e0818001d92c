"""The accountants, each of which bounds the (ε, δ) of all releases of a ledger by proofs of its own.

`accountant` is the interface; `exponential`, `shift_law` and `dominating` are mathematics that several share. An
accountant sees releases and nothing else: no algorithm, no data.
"""
