"""Privacy: noises, the oracle that perturbs its answers, ledgers of what is released, and accountants.

An oracle without data records the queries of the same steps, from which the ledger is made. Conditions of the proofs
are in `proof_conditions`, an ε with all that it rests on in `guarantee`, noise for a given ε in `calibration`, and how
that is searched for in `noise_search`. No config is read here, and no result is drawn.
"""
