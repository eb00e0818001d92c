"""The problem and what is public about it: losses, the objective, the network, schedules, the public facts.

Whatever a privacy bound may depend on is made here, in `public_facts`. How problems are solved, perturbed or accounted
for is the concern of other packages.
"""
