"""Solvers that users would otherwise pick, each solving the argmins of one node, in an environment of their own.

`python peer_solvers.py CASE.npz` answers requests on its input, as `serve` says. Gradient norms are computed here and
not by the solvers. Nothing here imports radmm. What a solver prepares once for all argmins, like its copy of the rows,
is not timed.
"""

import ctypes
import json
import sys
import time
import warnings
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit, logsumexp


@dataclass(frozen=True)
class Case:
    """The argmins of one node: min (weight) Σ L + linear·f + ½ ridge‖f‖² for each step, one after the other.

    With several classes f is flat, class by class. Runs differ in their linear terms and starts.
    """

    x: sparse.csr_array | np.ndarray
    y: np.ndarray  # −1 and 1, or the number of the class
    weight: float
    linear: np.ndarray  # (step, entry of f, run)
    ridge: np.ndarray  # (step,)
    start: np.ndarray  # (entry of f, run)
    exact: np.ndarray  # argmins of the first run, (step, entry of f)
    plain: np.ndarray  # the same without linear terms

    @property
    def classes(self):
        """Number of columns of f: 1 for two classes, else one a class."""
        return self.start.shape[0] // self.x.shape[1]

    def slopes(self, f):
        """Return Σ L and Σ ∇L at one point."""
        if self.classes == 1:
            margins = self.y * (self.x @ f)
            return np.logaddexp(0.0, -margins).sum(), -(self.x.T @ (self.y * expit(-margins)))
        scores = self.x @ f.reshape(self.classes, -1).T
        total, own = logsumexp(scores, axis=1), (np.arange(len(self.y)), self.y)
        chances = np.exp(scores - total[:, None])
        chances[own] -= 1.0
        return (total - scores[own]).sum(), (self.x.T @ chances).T.ravel()

    def objective(self, f, linear, ridge):
        value, slope = self.slopes(f)
        return self.weight * value + linear @ f + ridge / 2 * f @ f, self.weight * slope + linear + ridge * f

    def largest_norm(self, points, has_linear):
        """Return the largest gradient norm at points (step, entry of f, run)."""
        return max(
            float(np.linalg.norm(self.objective(point[:, run], has_linear * linear[:, run], ridge)[1]))
            for point, linear, ridge in zip(points, self.linear, self.ridge, strict=False)
            for run in range(point.shape[1])
        )


def read_case(path, dense):
    """Read what `argmin_cases.write_case` stored."""
    with np.load(path) as stored:
        parts = {name: stored[name] for name in stored.files}
    x = sparse.csr_array((parts.pop("data"), parts.pop("indices"), parts.pop("indptr")), tuple(parts.pop("shape")))
    return Case(x.toarray() if dense else x, weight=float(parts.pop("weight")), **parts)


class OneByOne:
    """Base class of solvers of one argmin at a time, which solve those of the first run, each from where the last one
    ended.
    """

    has_linear = True  # whether it can solve the subproblem itself, which has a linear term

    def __init__(self, case):
        self.case = case

    def solve(self, tolerance, steps):
        f, points = self.case.start[:, 0], []
        for linear, ridge in zip(self.case.linear[:steps, :, 0], self.case.ridge[:steps], strict=True):
            f = self.argmin(f, linear, float(ridge), tolerance)
            points.append(f)
        return np.array(points)[:, :, None]


class SciPy(OneByOne):
    """SciPy's L-BFGS-B on loss and gradient in NumPy."""

    def argmin(self, f, linear, ridge, tolerance):
        options = {"gtol": tolerance, "ftol": 0.0, "maxiter": 1000}
        return minimize(self.case.objective, f, (linear, ridge), "L-BFGS-B", jac=True, options=options).x


class ScikitLearn(OneByOne):
    """scikit-learn, where a linear term is two rows x of opposite labels with weights a and −a: L(z) − L(−z) = −z.

    With several classes it is such a pair for each class against the last. What all classes have in common is no part
    of the loss, and so is found without a fit.
    """

    solver = "lbfgs"

    def __init__(self, case):
        super().__init__(case)
        b, d = case.x.shape
        self.pairs = max(1, case.classes - 1)
        labels = [(1, -1)] if case.classes == 1 else [(c, self.pairs) for c in range(self.pairs)]
        self.y = np.concatenate([case.y, *labels])
        self.sample_weight = np.ones(len(self.y))
        if isinstance(case.x, np.ndarray):
            self.x = np.vstack([case.x, np.ones((2 * self.pairs, d))])
            self.extra = self.x[b:]
        else:
            self.x = sparse.vstack([case.x, np.ones((2 * self.pairs, d))], format="csr")
            self.x.indices, self.x.indptr = self.x.indices.astype(np.int32), self.x.indptr.astype(np.int32)
            self.extra = self.x.data[case.x.nnz :].reshape(2 * self.pairs, d)

    def argmin(self, f, linear, ridge, tolerance):
        from sklearn.linear_model import LogisticRegression

        weight, shape = self.case.weight, (self.case.classes, -1)
        terms, common = linear.reshape(shape), np.zeros(self.case.x.shape[1])
        if self.case.classes > 1:
            common = terms.mean(axis=0)
            terms = (terms - common)[:-1]
        norms = np.linalg.norm(terms, axis=1)
        self.extra[:] = np.repeat(-terms / norms[:, None], 2, axis=0)
        self.sample_weight[-2 * self.pairs :] = np.ravel(np.outer(norms / weight, (1.0, -1.0)))
        model = LogisticRegression(
            C=weight / ridge, fit_intercept=False, tol=tolerance, solver=self.solver, max_iter=1000, warm_start=True
        )
        model.coef_ = f.reshape(shape) + common / ridge
        model.fit(self.x, self.y, self.sample_weight)
        return (model.coef_ - common / ridge).ravel()


class ScikitLearnNewton(ScikitLearn):
    solver = "newton-cholesky"


class Glum(OneByOne):
    """glum, where a linear term is an offset of every row: with g = f + linear/ridge it vanishes from the objective."""

    def __init__(self, case):
        import tabmat

        super().__init__(case)
        dense = isinstance(case.x, np.ndarray)
        self.x = tabmat.DenseMatrix(np.asfortranarray(case.x)) if dense else tabmat.from_csc(sparse.csc_matrix(case.x))

    def argmin(self, f, linear, ridge, tolerance):
        from glum import GeneralizedLinearRegressor

        centre = linear / ridge
        model = GeneralizedLinearRegressor(
            alpha=ridge / self.case.weight / len(self.case.y), fit_intercept=False, family="binomial", link="logit",
            gradient_tol=tolerance, start_params=f + centre, max_iter=1000,
        )  # fmt: skip
        model.fit(self.x, (self.case.y + 1.0) / 2.0, offset=-(self.case.x @ centre))
        return model.coef_ - centre


class WithoutLinear(OneByOne):
    """Base class of solvers that have neither linear terms nor offsets, which solve the same problem without them.

    Its starts are as far from its argmins, in the same direction, as those of the others.
    """

    has_linear = False

    def solve(self, tolerance, steps):
        before = np.concatenate([self.case.start[None, :, 0], self.case.exact[:-1]])
        starts = (self.case.plain + before - self.case.exact)[:steps]
        ridges = self.case.ridge[:steps]
        points = [self.argmin(f, None, float(q), tolerance) for f, q in zip(starts, ridges, strict=True)]
        return np.array(points)[:, :, None]


class LibLinear(WithoutLinear):
    """LIBLINEAR's trust-region Newton on the primal (`-s 0`), started from a point by its parameter `init_sol`."""

    def __init__(self, case):
        from liblinear.liblinear import problem

        super().__init__(case)
        self.problem = problem(case.y, sparse.csr_matrix(case.x))
        self.problem.set_bias(-1)

    def argmin(self, f, linear, ridge, tolerance):
        from liblinear.liblinear import liblinear, parameter

        options = parameter(f"-s 0 -q -c {self.case.weight / ridge!r} -e {tolerance!r}")
        start = (ctypes.c_double * len(f))(*f)
        options.init_sol = ctypes.cast(start, ctypes.POINTER(ctypes.c_double))
        model = liblinear.train(self.problem, options)
        found = np.array(model.contents.w[: len(f)])
        liblinear.free_and_destroy_model(ctypes.byref(model))
        return found


class SnapML(WithoutLinear):
    """Snap ML's coordinate descent on the dual, which can't be started from a point: each argmin begins at zero."""

    def __init__(self, case):
        super().__init__(case)
        self.x = case.x if isinstance(case.x, np.ndarray) else sparse.csr_matrix(case.x)

    def argmin(self, f, linear, ridge, tolerance):
        from snapml import LogisticRegression

        model = LogisticRegression(regularizer=ridge / self.case.weight, tol=tolerance, max_iter=1000)
        return np.asarray(model.fit(self.x, self.case.y).coef_, dtype=float).ravel()


def jax_solver(case):
    """Return the solver that solves all runs at once by JAX."""
    from peer_jax import Jax

    return Jax(case)


PEERS = {
    "SciPy L-BFGS": SciPy,
    "scikit-learn lbfgs": ScikitLearn,
    "scikit-learn newton-cholesky": ScikitLearnNewton,
    "glum": Glum,
    "liblinear": LibLinear,
    "snapml": SnapML,
    "JAX L-BFGS, ten runs at once": jax_solver,
}


def serve(path, solvers):
    """Answer each line of the input by CPU seconds for each argmin and the largest gradient norm.

    A line is JSON: the solver's name, the form of its rows, its own tolerance, and how many steps it solves.

    Args:
        path: Of the case.
        solvers: {name: what makes a solver of a case}.
    """
    made = {}
    for line in sys.stdin:
        name, form, tolerance, steps = json.loads(line)
        if (name, form) not in made:
            made[name, form] = solvers[name](read_case(path, form == "dense"))
        solver = made[name, form]
        begin = time.process_time()
        points = solver.solve(tolerance, steps)
        seconds = (time.process_time() - begin) / (points.shape[0] * points.shape[2])
        print(json.dumps([seconds, solver.case.largest_norm(points, solver.has_linear)]), flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of solvers that stop before their own tolerance; the norm is measured anyway
    serve(sys.argv[1], PEERS)
