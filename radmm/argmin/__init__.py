"""How an argmin is found: the solver, the engines that read the rows, the compiled kernel, the centralised optimum.

The even step is not here, as it reads no rows. Nothing here knows of noise, of algorithms or of who asks: it is given
linear terms and weights, and gives points with the gradient norms that they reached.
"""
