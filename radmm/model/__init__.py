"""What is solved, and what is public about it: losses, the problem, the network, schedules, the public facts.

Whatever a privacy bound may depend on is made here, in `facts`. How anything is solved, perturbed or spent is not: that
is in the rooms above.
"""
