"""Solving the argmins of data-touching steps: the solver, its engines, the compiled kernel, the centralised optimum.

The even step of recycled ADMM is not here, as it reads no rows. Nothing here knows of noise or of algorithms: given
linear terms and weights, the solver returns points with the gradient norms reached there.
"""
