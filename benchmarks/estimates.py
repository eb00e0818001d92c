"""What jobs use against what they ask for: `python -m benchmarks.estimates` adds it to benchmarks/grid.json.

Full-size settings of several kinds run, each in a job of its own. `--folder` compares the jobs of a run that is there.
"""

import argparse
import json
import re
import tempfile
from pathlib import Path

import yaml

from benchmarks.cases import ROOT
from benchmarks.grid import ALONE, HERE, Project
from radmm.base.store import write_json
from radmm.jobs.batches import SNAKEMAKE_MEGABYTES, make_batches
from radmm.jobs.estimates import estimated_megabytes
from radmm.jobs.study import Study
from radmm.study.resolution import resolve

NOISE = {"kind": "objective", "alpha": 1.0}
RECYCLED = {"name": "mr-admm", "penalty": {"ratio": 1.04}, "gamma": 0.5}
PLAIN = {"name": "admm", "penalty": 1.0}


def many_nodes(nodes, law="ring", **others):
    """Return a setting with many nodes; C·N is the same for all, as in the study of topologies."""
    network = {"law": law, "nodes": nodes}
    return {"algorithm": RECYCLED, "noise": NOISE, "network": network, "problem": {"C": 8750 / nodes}, **others}


SETTINGS = {
    "ADMM, one run (fig2)": {"algorithm": PLAIN, "runs": 1},
    "private ADMM (fig5)": {"algorithm": PLAIN, "noise": NOISE},
    "private MR-ADMM (fig5)": {"algorithm": RECYCLED, "noise": NOISE},
    "private ADMM, N = 20 (fig5_n20)": {"algorithm": PLAIN, "noise": NOISE, "network": {"nodes": 20}},
    "R-ADMM, 300 iterations (fig1b)": {
        "algorithm": {"name": "r-admm", "penalty": 1.0, "gamma": 0.5},
        "iterations": 300,
    },
    "private MR-ADMM, N = 100": many_nodes(100),
    "private MR-ADMM, N = 500": many_nodes(500),
    "private MR-ADMM, N = 500, complete": many_nodes(500, "complete"),
    "private MR-ADMM, N = 1000": many_nodes(1000),
    "private ADMM, N = 1000": many_nodes(1000, algorithm=PLAIN),
    "private MR-ADMM, 100 runs": {"algorithm": RECYCLED, "noise": NOISE, "runs": 100},
}


EXPERIMENT = {"figure": "comparison", "settings": SETTINGS}


def jobs():
    """Return a batch for each setting, by label."""
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    settings = resolve({**config, "experiments": {"grid": EXPERIMENT}})["grid"]
    batches = {
        setting: batch for batch in make_batches({"grid": settings}, 0, {}).values() for setting in batch.settings
    }
    return {setting.label: batches[setting.id] for setting in settings}


def shipped():
    """Return the batches of the shipped config, by name."""
    return Study.of(yaml.safe_load((ROOT / "config" / "config.yaml").read_text())).batches


def used_by_jobs(folder, batches):
    """Return, for each batch that has run, what was estimated, what it asked for and what its last job used."""
    found = {}
    for batch in batches:
        log = folder / "results" / "logs" / "batches" / f"{batch.name}.log"
        said = log.read_text() if log.is_file() else ""
        for seconds, megabytes in re.findall(r"used ([\d.]+) CPU seconds and (\d+) MB$", said, re.MULTILINE):
            found[batch.name] = {
                "estimated seconds": batch.seconds,
                "used seconds": float(seconds),
                "asked minutes": batch.minutes_to_ask_for,
                "estimated MB": estimated_megabytes(batch.settings.values()),
                "used MB": int(megabytes),
                "asked MB": batch.megabytes_to_ask_for - SNAKEMAKE_MEGABYTES,
            }
    return found


def measure():
    """Run each setting in a job of its own, and return what its job used, by label."""
    with tempfile.TemporaryDirectory() as folder:
        Project(Path(folder), EXPERIMENT).snakemake(ALONE, "--cores=1")
        measured = used_by_jobs(Path(folder), jobs().values())
    return {label: measured[batch.name] for label, batch in jobs().items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--output", type=Path, default=HERE / "grid.json")
    arguments = parser.parse_args()
    if arguments.folder:
        print(markdown(used_by_jobs(arguments.folder, shipped().values())))
        return
    results = json.loads(arguments.output.read_text())
    results["jobs"] = measure()
    write_json(arguments.output, results)
    print(markdown(results["jobs"]))


def markdown(jobs):
    """Return the table of jobs in docs/cluster.md."""
    lines = ["| job | estimated | used | time limit | estimated | used | memory limit |", "|---" * 7 + "|"]
    for name, job in jobs.items():
        seconds = f"{job['estimated seconds']:.1f} s | {job['used seconds']:.1f} s | {job['asked minutes']} min"
        megabytes = f"{job['estimated MB']:.0f} MB | {job['used MB']} MB | {job['asked MB']} MB"
        lines.append(f"| {name} | {seconds} | {megabytes} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
