"""What is released, with which noise, and what that costs: noises, the oracle that has data, ledgers, accountants.

The oracle that only takes notes is here too, so a ledger is what the same steps asked for. What proofs ask for is in
`proof_conditions`, an ε with all that it rests on in `guarantee`, what a budget buys in `calibration`. No config is
read here, and no result is drawn.
"""
