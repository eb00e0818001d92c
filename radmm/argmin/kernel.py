"""The compiled engine: kernel.c behind the interface of engine.py.

The library is built when the package is installed. Where it is missing, the NumPy engine gives the same results, after
one warning that it is slower.
"""

import ctypes
import sys
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radmm.argmin.engine import Inverse, NumpyEngine, Solution
from radmm.argmin.layout import lay_out
from radmm.argmin.lbfgs import MAX_PASSES
from radmm.argmin.row_blocks import are_dense
from radmm.argmin.small_nodes import RowInverse
from radmm.base.arrays import Array, Integers
from radmm.base.compiled_library import load_compiled
from radmm.model.problem import Problem

SOURCES = sorted(Path(__file__).parent.glob("kernel*.[ch]"))

MOST_CLASSES = 32  # as in kernel.c

_INTEGER, _NUMBER, _POINTER = ctypes.c_int64, ctypes.c_double, ctypes.c_void_p


class _Task(ctypes.Structure):
    """The `struct task` of kernel.c."""

    _fields_ = (
        *((name, _INTEGER) for name in ("nodes", "dimension", "runs")),
        *((name, _POINTER) for name in ("data", "node_start", "weight", "curvature")),
        *((name, _POINTER) for name in ("linear", "point", "slope", "loss", "residual", "passes")),
        *((name, _POINTER) for name in ("matrix", "ridge", "gram")),
        *((name, _INTEGER) for name in ("small", "core", "known", "max_passes")),
        ("tolerance", _NUMBER),
        ("width", _NUMBER),
        ("classes", _INTEGER),
        ("label", _POINTER),
        ("threads", _INTEGER),
    )


@lru_cache(maxsize=1)
def load_library() -> ctypes.CDLL:
    """Load the compiled kernel that suits this CPU, or raise a CompiledCodeError."""
    library = load_kernel("radmm.argmin._kernel")
    return load_kernel("radmm.argmin._kernel_avx2") if library.radmm_machine_has_avx2() else library


def load_kernel(module: str) -> ctypes.CDLL:
    """Load the kernel that was built under a module's name, for one set of instructions."""
    library = load_compiled(module, "radmm_source_digest", SOURCES)
    library.radmm_instruction_set.restype = ctypes.c_char_p
    return library


def _fill(task: _Task, values: Mapping[str, NDArray[Any] | float]) -> None:
    """Set a task's fields, arrays as pointers; the caller keeps the arrays alive."""
    for name, value in values.items():
        setattr(task, name, value.ctypes.data if isinstance(value, np.ndarray) else value)


def _arrays_of(precondition: Inverse) -> dict[str, Array]:
    if isinstance(precondition, RowInverse):
        return {"matrix": precondition.matrix, "ridge": precondition.ridge, "gram": precondition.nodes.gram}
    return {"matrix": precondition.matrix, "ridge": precondition.ridge}


class CompiledEngine:
    """Engine that calls the compiled kernel once for all nodes and runs; `Engine` says what each method returns."""

    runs_together = 64  # whole batches of the kernel's lanes
    small_nodes_together = sys.maxsize  # the kernel shares them out itself

    def __init__(self, problem: Problem, library: ctypes.CDLL, threads: int = 1) -> None:
        self.problem, self.threads, self._library = problem, threads, library
        self._layout = problem.once("layout", lambda: lay_out(problem, library))
        self._data = {
            "data": self._layout.rows,
            "node_start": problem.node_start,
            "weight": problem.row_weights,
            "width": getattr(problem.loss, "width", 0.0),
            "classes": problem.outputs,
            "threads": threads,
            "label": np.zeros(0, dtype=np.int64) if problem.label is None else np.ascontiguousarray(problem.label),
        }
        self._rows = _Task(problem.nodes, problem.dimension)
        _fill(self._rows, self._data)

    def restricted(self, nodes: Integers) -> "CompiledEngine":
        part = self.problem.restricted(nodes)
        part.once("layout", lambda: self._layout.restricted(nodes))
        return CompiledEngine(part, self._library, self.threads)

    def losses(self, point: Array) -> Array:
        return self._sum_over_rows("radmm_losses", point)

    def gradients(self, point: Array) -> Array:
        point = np.ascontiguousarray(point, dtype=np.float64)  # which is all that C reads
        slope = np.empty_like(point)
        self._call("radmm_gradients", self._task(point.shape[2], point=point, slope=slope))
        return slope

    @cached_property
    def _plain(self) -> NumpyEngine:
        """NumPy engine of the same rows, for dense Hessians, and for what the kernel can't do with several classes."""
        return NumpyEngine(self.problem, self.threads)

    def mistakes(self, point: Array) -> Array:
        if self.problem.label is not None:
            return self._plain.mistakes(point)
        return self._sum_over_rows("radmm_mistakes", point)

    def _sum_over_rows(self, function: str, point: Array) -> Array:
        point = np.ascontiguousarray(point)
        sums = np.empty((self.problem.nodes, point.shape[2]))
        self._call(function, self._task(point.shape[2], point=point, loss=sums))
        return sums

    def curvatures(self, point: Array) -> Array:
        if self.problem.label is not None:
            return self._plain.curvatures(point)
        point = np.ascontiguousarray(point)
        curvature: Array = np.empty(self.problem.rows.shape[0])
        self._call("radmm_curvatures", self._task(point.shape[2], point=point), curvature)
        curvature /= point.shape[2]
        return curvature

    def hessians(self, curvature: Array) -> Array:
        dense = are_dense(self.problem)
        if dense.all():
            return self._plain.hessians(curvature)
        hessian = np.empty((self.problem.nodes, self.problem.features, self.problem.features))
        self._call("radmm_hessians", self._task(1), np.ascontiguousarray(curvature), hessian)
        if dense.any():
            hessian[dense] = self._plain.hessians(curvature)[dense]
        return hessian

    def minimise(
        self, linear: Array, curvature: Array, start: Array | Solution, precondition: Inverse, tolerance: float
    ) -> Solution:
        inputs = {"linear": linear, "curvature": curvature, **_arrays_of(precondition)}
        inputs = {name: np.ascontiguousarray(values) for name, values in inputs.items()}
        solution = self._begin(linear, start, precondition)
        small = isinstance(precondition, RowInverse)
        options = {"small": small, "core": len(precondition.matrix[0]) if small else 0}
        options |= {"known": isinstance(start, Solution), "max_passes": MAX_PASSES}
        task = self._task(linear.shape[2], tolerance=tolerance, **options, **inputs, **vars(solution))
        self._call("radmm_minimise", task)
        return solution

    @staticmethod
    def _begin(linear: Array, start: Array | Solution, precondition: Inverse) -> Solution:
        """Allocate the arrays that the kernel fills; those that it reads first hold what is known at the start."""
        nodes, _, runs = linear.shape
        loss, residual, passes = (
            np.empty((nodes, runs)),
            np.empty((nodes, runs)),
            np.empty((nodes, runs), dtype=np.int64),
        )
        if isinstance(precondition, RowInverse):
            shape = nodes, precondition.matrix.shape[1], runs
            slope = start.slope.copy() if isinstance(start, Solution) else np.zeros(shape)
            return Solution(np.empty(linear.shape), loss, residual, passes, slope)
        if isinstance(start, Solution):
            return Solution(start.point.copy(), start.loss.copy(), residual, passes, start.slope.copy())
        return Solution(start.copy(), loss, residual, passes, np.empty(linear.shape))

    def _task(self, runs: int, **fields: Any) -> _Task:
        """Build the kernel's task for these rows, with the given fields set."""
        task = _Task.from_buffer_copy(self._rows)
        _fill(task, {"runs": runs, **fields})
        return task

    def _call(self, function: str, task: _Task, *arrays: Array) -> None:
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
        if getattr(self._library, function)(ctypes.byref(task), *pointers):
            raise MemoryError(f"{function} found no memory to work in")
