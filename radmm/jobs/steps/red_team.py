"""Let the red team attack research files and releases: write how often each attack was right, and fail if one errs."""

import sys
from pathlib import Path

import pandas as pd
from threadpoolctl import threadpool_limits

from radmm.base.store import write_csv
from radmm.jobs.steps.step_runner import say
from radmm.results.audit.red_team.contest import RELEASES, kinds, play
from radmm.results.audit.red_team.game import make_game

ROUNDS = 100


def red_team(seed: int, csv: Path) -> None:
    """Write the table of all attacks; attacks must succeed on research files, and on no release.

    Numbers of releases differ from run to run: their noise has no seed.

    Args:
        seed: Seed of the coins, and of the research files' seeds.
        csv: Where the table goes.
    """
    game, tried = make_game(), kinds()
    with threadpool_limits(1, user_api="blas"):  # the bytes must not depend on the number of cores
        outcomes = [outcome for files in tried for outcome in play(game, files, ROUNDS, seed)]
    write_csv(csv, pd.DataFrame([outcome.row() for outcome in outcomes]))
    wrong = [complaint for outcome in outcomes if (complaint := outcome.complaint())]
    if wrong:
        sys.exit(f"error: {wrong[0]}" + (f"; {len(wrong) - 1} more" if len(wrong) > 1 else ""))
    spared = "none on releases" if RELEASES in tried else "releases are not tried without opendp (radmm[release])"
    say(f"{ROUNDS} rounds of each attack: all succeed on research files, {spared}")
