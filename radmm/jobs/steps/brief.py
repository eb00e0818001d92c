"""Steps of a second or two, of which the search for garbage would be a fourth."""

import gc
from collections.abc import Callable

from radmm.jobs.steps.command import run


def run_brief(step: Callable[..., None], description: str | None, **arguments: Callable[[str], object]) -> None:
    """Like `run`, for a step that is over before its garbage could fill the memory: nobody looks for any.

    What the step alone needs is best imported within it: imports too make much for the collector to look at.

    Args:
        step: Its parameters are the options; one that has a default may be left out.
        description: What the step does.
        arguments: By each parameter's name, what makes its value of text.
    """
    gc.disable()
    run(step, description, **arguments)
    gc.freeze()  # what is there is not looked through at the process's end either
