"""The accountants: what all releases of a ledger cost together, in (ε, δ), each by proofs of its own.

`accountant` says what one is; `exponential`, `shift_law` and `dominating` are the mathematics that several share. They
look at releases and at nothing else: no algorithm, no data.
"""
