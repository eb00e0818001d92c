"""Settings for tests that need one, whatever it says."""

from radmm.study.settings import Setting

PLAIN = {
    "data": "adult",
    "split": {"train": 30, "test": None, "seed": 0},
    "network": {"law": "ring", "nodes": 3},
    "partition": {"law": "even"},
    "problem": {"C": 5.0, "rho": 0.4, "weighting": "nodes", "loss": "logistic"},
    "algorithm": {"name": "r-admm", "penalty": 1.0, "gamma": 0.5},
    "noise": None,
    "iterations": 3,
    "tolerance": 1e-8,
    "runs": 2,
    "seed": 0,
    "initial_scale": 1.0,
}


def made_setting(**sections):
    """A small setting on Adult, with other values in whole sections.

    Args:
        sections: The other values, as JSON has them.
    """
    return Setting.from_json(PLAIN | sections)
