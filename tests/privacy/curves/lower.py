"""A dynamic program over feasible paths: the largest positive variation on a grid bounds the curve from below."""

import numpy as np
from scipy.special import ndtr


def lower_removal(shift, curvature, gammas, height, reach=8.0, end=9.0, form="logistic"):
    """Normal noise: sup over grid paths of Σ (ψ(next) − ψ(here))₊, ψ = F(u + c s) − γ F(u)."""
    u = np.arange(-reach, reach, height * curvature)
    z = np.arange(-end, end + height, height)
    s = 1 / (1 + np.exp(-z)) if form == "logistic" else np.arange(0, 1 + height / 2, height)
    F = ndtr(u)
    G = ndtr(u[:, None] + shift * s)
    found = []
    for gamma in gammas:
        psi = G - gamma * F[:, None]
        V = np.zeros(len(s))
        for i in range(len(u) - 2, -1, -1):
            stay = np.maximum(psi[i + 1] - psi[i], 0) + V
            rise = np.maximum(psi[i + 1, 1:] - psi[i, :-1], 0) + V[1:]
            stay[:-1] = np.maximum(stay[:-1], rise)
            V = stay
        found.append(V.max())
    return np.array(found)
