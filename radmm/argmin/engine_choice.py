"""Choice of the engine that reads a problem's rows: the compiled one where it can, else that of NumPy."""

import sys
from functools import lru_cache

from radmm.argmin.engine import Engine, NumpyEngine
from radmm.argmin.kernel import MOST_CLASSES, CompiledEngine, load_library
from radmm.base.compiled_library import CompiledCodeError
from radmm.model.losses.huber_hinge import HuberHinge
from radmm.model.losses.logistic import Logistic
from radmm.model.losses.softmax import Softmax
from radmm.model.problem import Problem


def engine_for(problem: Problem, threads: int = 1) -> Engine:
    """Return the compiled engine where it is available and implements the loss, else the NumPy engine.

    Args:
        problem: Rows that the engine is to read, and the loss.
        threads: Number of threads among which it shares out nodes and rows.
    """
    try:
        if type(problem.loss) not in (Logistic, HuberHinge, Softmax) or problem.outputs > MOST_CLASSES:
            name = getattr(problem.loss, "name", type(problem.loss).__name__)
            served = f"logistic, huber-hinge and softmax of up to {MOST_CLASSES} classes"
            raise CompiledCodeError(f"the compiled one is for the losses {served}, not {name}")
        return CompiledEngine(problem, load_library(), threads)
    except CompiledCodeError as reason:
        _say_once(str(reason))
        return NumpyEngine(problem, threads)


@lru_cache
def _say_once(reason: str) -> None:
    print(f"radmm: using the NumPy engine, which is several times slower ({reason})", file=sys.stderr)
