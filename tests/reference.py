"""The algorithms once more, as plainly as the paper writes them: loops over runs, nodes and neighbours, no batching.

The even step uses the explicit gradient and the noise, as in the paper; every argmin is a node's own Newton iteration.
"""

import numpy as np
from numpy.polynomial import Chebyshev, Polynomial
from scipy.special import expit, softmax

from radmm.base.seeds import Purpose, generator
from radmm.privacy.noise_laws import draw_noise


class PlainProblem:
    def __init__(self, features, labels, node, C, rho, weighting="nodes"):
        self.nodes = int(node.max()) + 1
        self.rows = [features[node == i] * labels[node == i, None] for i in range(self.nodes)]
        share = [len(rows) / (len(features) / self.nodes) if weighting == "rows" else 1.0 for rows in self.rows]
        self.C, self.rho, self.dimension = [C * each for each in share], rho, features.shape[1]

    def gradient(self, i, f):
        margins = self.rows[i] @ f
        slope = -expit(-margins)
        return self.C[i] / len(margins) * self.rows[i].T @ slope + self.rho / self.nodes * f

    def hessian(self, i, f):
        sigma = expit(self.rows[i] @ f)
        weighted = self.rows[i] * (sigma * (1 - sigma))[:, None]
        return self.C[i] / len(sigma) * self.rows[i].T @ weighted + self.rho / self.nodes * np.eye(self.dimension)


class PlainSoftmax(PlainProblem):
    """f has a row for each class here, one after the other in the flat vector."""

    def __init__(self, features, labels, node, C, rho, classes):
        super().__init__(features, np.ones(len(node)), node, C, rho)
        self.labels, self.classes = [labels[node == i] for i in range(self.nodes)], classes
        self.dimension *= classes

    def gradient(self, i, f):
        total = self.rho / self.nodes * f
        for x, y in zip(self.rows[i], self.labels[i], strict=True):
            chance = softmax(f.reshape(self.classes, -1) @ x)
            total = total + self.C[i] / len(self.rows[i]) * np.kron(chance - np.eye(self.classes)[y], x)
        return total

    def hessian(self, i, f):
        total = self.rho / self.nodes * np.eye(self.dimension)
        for x in self.rows[i]:
            chance = softmax(f.reshape(self.classes, -1) @ x)
            spread = np.diag(chance) - np.outer(chance, chance)
            total = total + self.C[i] / len(self.rows[i]) * np.kron(spread, np.outer(x, x))
        return total


class PlainSquared(PlainProblem):
    def gradient(self, i, f):
        return self.C[i] / len(self.rows[i]) * self.rows[i].T @ (self.rows[i] @ f - 1) + self.rho / self.nodes * f

    def hessian(self, i, f):
        rows = self.rows[i]
        return self.C[i] / len(rows) * rows.T @ rows + self.rho / self.nodes * np.eye(self.dimension)


class PlainHuberHinge(PlainProblem):
    """Of width 1/2, so that the curvature is 1 between margins ½ and 1½."""

    def gradient(self, i, f):
        slope = -np.clip(1.5 - self.rows[i] @ f, 0, 1)
        return self.C[i] / len(slope) * self.rows[i].T @ slope + self.rho / self.nodes * f

    def hessian(self, i, f):
        margins = self.rows[i] @ f
        bent = self.rows[i][(margins > 0.5) & (margins < 1.5)]
        return self.C[i] / len(margins) * bent.T @ bent + self.rho / self.nodes * np.eye(self.dimension)


def argmin(problem, i, f, linear, ridge):
    """argmin of O(f, D_i) + linear·f + ridge‖f‖² by Newton steps, halved until the gradient shrinks."""

    def gradient(point):
        return problem.gradient(i, point) + linear + 2 * ridge * point

    for _ in range(500):
        if np.linalg.norm(gradient(f)) < 1e-12 * (1 + np.linalg.norm(linear)):
            break
        step = np.linalg.solve(problem.hessian(i, f) + 2 * ridge * np.eye(len(f)), gradient(f))
        while np.linalg.norm(gradient(f - step)) > np.linalg.norm(gradient(f)) and np.linalg.norm(step) > 1e-15:
            step = step / 2
        f = f - step
    return f


def iterate(problem, neighbours, name, eta, theta, gamma, noise, alpha, iterations, run, seed):
    """f_i(t) and λ_i(t), (iterations + 1, N, d) each. eta(k, i), theta(k, i) and alpha(k, i) are plain functions."""
    nodes, d = problem.nodes, problem.dimension
    f = generator(seed, Purpose.INITIAL_POINT, run).standard_normal((nodes, d))
    dual = np.zeros((nodes, d))
    primal, duals = [f.copy()], [dual.copy()]
    recycled = name in ("r-admm", "mr-admm")
    k, argmins, epsilon_in_objective = 0, {}, {}
    for t in range(1, iterations + 1):
        new = f.copy()
        if recycled and t % 2 == 0:
            for i in range(nodes):
                around = eta(k, i) * sum(f[i] - f[j] for j in neighbours[i])
                gradient = problem.gradient(i, argmins[i]) + epsilon_in_objective[i]
                new[i] = f[i] - (gradient + 2 * dual[i] + around) / (2 * eta(k, i) * len(neighbours[i]) + gamma)
            f = new
        else:
            k += 1
            scales = np.array([alpha(k, i) for i in range(nodes)])
            draws = draw_noise(scales, d, np.array([run]), seed, k)[:, :, 0] if noise else np.zeros((nodes, d))
            for i in range(nodes):
                degree, eta_i = len(neighbours[i]), eta(k, i)
                epsilon_in_objective[i] = {
                    None: 0 * draws[i],
                    "objective": draws[i],
                    "penalty": -2 * eta_i * degree * draws[i],
                    "output": 0 * draws[i],
                }[noise]
                pull = sum(f[i] + f[j] for j in neighbours[i])
                linear = 2 * dual[i] + epsilon_in_objective[i] - eta_i * pull
                argmins[i] = argmin(problem, i, f[i], linear, eta_i * degree)
                new[i] = argmins[i] + (draws[i] if noise == "output" else 0)
            f = new
            dual = np.array([dual[i] + theta(k, i) / 2 * sum(f[i] - f[j] for j in neighbours[i]) for i in range(nodes)])
        primal.append(f.copy())
        duals.append(dual.copy())
    return np.array(primal), np.array(duals)


def metropolis(neighbours):
    W = np.zeros((len(neighbours), len(neighbours)))
    for i, others in enumerate(neighbours):
        for j in others:
            W[i, j] = 1.0 / (1.0 + max(len(others), len(neighbours[j])))
        W[i, i] = 1.0 - W[i].sum()
    return W


def gossip_matrix(W, rounds, low, high):
    """p(W) as a sum of powers of W, with p Chebyshev's polynomial on [low, high], scaled to p(1) = 1."""
    polynomial = Chebyshev.basis(rounds, domain=[low, high]).convert(kind=Polynomial)
    powers = [np.linalg.matrix_power(W, k) for k in range(rounds + 1)]
    return sum(c * power for c, power in zip(polynomial.coef, powers, strict=True)) / polynomial(1.0)


def descend(problem, neighbours, method, draws, iterations, run, seed):
    """f(t) of one run of `dgd` or `gradient-tracking`, (iterations + 1, N, d), by loops over nodes."""
    nodes, W = problem.nodes, metropolis(neighbours)
    eigenvalues = np.linalg.eigvalsh(W)
    P = gossip_matrix(W, method.gossip, *outwards(eigenvalues[0], eigenvalues[-2]))
    f = generator(seed, Purpose.INITIAL_POINT, run).standard_normal((nodes, problem.dimension))
    v, y, before, path = np.zeros_like(f), None, None, [f]
    for t in range(1, iterations + 1):
        noise = draws(t)
        g = np.array([problem.gradient(i, f[i]) + noise[i] for i in range(nodes)])
        f = np.array([sum(W[i, j] * f[j] for j in range(nodes)) for i in range(nodes)])
        if method.name == "dgd":
            v = method.momentum * v - method.step * g
            f, v = P @ (f + v), P @ v
        else:
            if y is None:
                y = g
            else:
                y = np.array([sum(W[i, j] * y[j] for j in range(nodes)) for i in range(nodes)]) + g - before
            f, y, before = P @ (f - method.step * y), P @ y, g
        path.append(f)
    return np.array(path)


def outwards(least, second):
    """The eigenvalues rounded away from each other: four decimals of the least, four digits of 1 less the second."""
    digits = 3 - int(np.floor(np.log10(1 - second)))
    return np.floor(least * 1e4 - 1e-5) / 1e4, 1 - np.floor((1 - second) * 10.0**digits - 1e-5) / 10.0**digits
