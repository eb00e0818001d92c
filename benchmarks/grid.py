"""What the workflow itself costs on large grids: `python -m benchmarks.grid` writes benchmarks/grid.json.

Settings are tiny, so that nearly all that is measured is overhead. --slurm runs some of them through the profile, too,
on a cluster that is there (`python -m tests.slurm.cluster start`). --counts 20 is a quick look.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

from benchmarks.cases import ROOT, raw_folder
from radmm.base.store import write_json

HERE = Path(__file__).parent
TABLE = "results/tables/grid.parquet"
BATCHED, ALONE = "batches={seconds: 10}", "batches={seconds: 0}"
WAYS = {"one job a setting": (ALONE, 40), "batches": (BATCHED, 1000)}  # and how many settings are enough to see


def grid(count):
    """Return an experiment with R-ADMM at two values of α, and ADMM at the same total bounds."""
    tiny = {"split": {"train": 60, "test": 60}, "problem": {"C": 10}, "iterations": 2, "runs": 1}
    recycled = {"kind": "objective", "alpha": [1.0, 2.0]}
    settings = {
        "R-ADMM": {"algorithm": {"name": "r-admm", "penalty": 1.0, "gamma": 0.5}, "noise": recycled},
        "ADMM": {
            "algorithm": {"name": "admm", "penalty": 1.0},
            "noise": {"kind": "objective", "total_bound": {"same_as": "R-ADMM"}},
        },
    }
    seeds = {"seed": list(range(count // 4))}
    return {"figure": "comparison", "defaults": {**tiny, **seeds}, "settings": settings}


class Project:
    """A folder with the raw data, in which a single experiment runs."""

    def __init__(self, folder, experiment):
        self.folder = folder
        shutil.copytree(raw_folder(), folder / "data" / "raw")
        (folder / "grid.yaml").write_text(yaml.safe_dump({"shipped": False, "experiments": {"grid": experiment}}))

    def snakemake(self, batches, *options, profile="default"):
        """Run the workflow, and return wall and CPU seconds with those of all jobs, peak megabytes, and its output."""
        command = [str(Path(sys.executable).parent / "snakemake"), "--snakefile", str(ROOT / "Snakefile")]
        command += ["--workflow-profile", str(ROOT / "workflow" / "profiles" / profile), "--configfile", "grid.yaml"]
        command += ["--config", batches, *options, "--", TABLE]
        begin = time.perf_counter()
        with (self.folder / "output").open("w+") as output:
            process = subprocess.Popen(command, cwd=self.folder, stdout=output, stderr=output)
            _, status, used = os.wait4(process.pid, 0)
            output.seek(0)
            said = output.read()
        if status:
            raise RuntimeError(said)
        seconds = time.perf_counter() - begin
        cost = {"wall seconds": seconds, "CPU seconds": used.ru_utime + used.ru_stime, "peak MB": used.ru_maxrss / 1024}
        return cost, said

    def solving(self):
        logs = [log.read_text() for log in (self.folder / "results/logs/batches").iterdir()]
        return sum(float(seconds) for log in logs for seconds in re.findall(r"solved in ([\d.]+) CPU seconds", log))

    def on_disk(self):
        files = [path for name in ("results", ".snakemake") for path in (self.folder / name).rglob("*")]
        files = [path for path in files if path.is_file()]
        return {"files": len(files), "MB": sum(path.stat().st_size for path in files) / 1e6}


def planning(project, count):
    """Plan batches and single jobs, run the batches, and check that a further call finds nothing to do."""
    row = {"settings": count}
    row["plan, one job a setting"], _ = project.snakemake(ALONE, "--cores=2", "--dry-run", "--quiet")
    row["plan, batches"], _ = project.snakemake(BATCHED, "--cores=2", "--dry-run", "--quiet")
    row["run, batches"], _ = project.snakemake(BATCHED, "--cores=2")
    row["overhead of a setting, CPU seconds"] = (row["run, batches"]["CPU seconds"] - project.solving()) / count
    row["nothing to do, batches"], said = project.snakemake(BATCHED, "--cores=2")
    if "Nothing to be done" not in said:
        raise RuntimeError(said)
    return {**row, "batches": len(list((project.folder / "results/logs/batches").glob("*.log"))), **project.on_disk()}


def per_setting(batches, count, *options, profile="default"):
    """Return the wall seconds of each of these tiny settings, with the data prepared."""
    with tempfile.TemporaryDirectory() as folder:
        project = Project(Path(folder), grid(count))
        project.snakemake(batches, "--cores=2", "--until", "split")
        cost, _ = project.snakemake(batches, *options, profile=profile)
    return {"settings": count, "wall seconds": cost["wall seconds"] / count}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--counts", type=int, nargs="*", default=[100, 1000, 10_000])
    parser.add_argument("--slurm", action="store_true")
    parser.add_argument("--output", type=Path, default=HERE / "grid.json")
    arguments = parser.parse_args()
    results = json.loads(arguments.output.read_text()) if arguments.output.exists() else {}
    for count in arguments.counts:
        with tempfile.TemporaryDirectory() as folder:
            results.setdefault("planning", {})[str(count)] = planning(Project(Path(folder), grid(count)), count)
            write_json(arguments.output, results)
    places = {"2 cores": ("--cores=2",)} | ({"Slurm, 6 CPUs": ()} if arguments.slurm else {})
    for place, options in places.items():
        profile = "default" if options else "slurm"
        for way, (batches, enough) in WAYS.items():
            count = min([enough, *arguments.counts]) // 4 * 4
            row = per_setting(batches, count, *options, profile=profile)
            results.setdefault("wall seconds of a setting", {}).setdefault(place, {})[way] = row
            write_json(arguments.output, results)


def markdown(results):
    """Return the tables of docs/cluster.md."""
    costs = ["plan, one job a setting", "plan, batches", "nothing to do, batches", "run, batches"]
    lines = [f"| settings | jobs | {' | '.join(costs)} | overhead of a setting | on disk |", "|---" * 8 + "|"]
    for row in results["planning"].values():
        cells = [f"{row[name]['CPU seconds']:.1f} s, {row[name]['peak MB']:.0f} MB" for name in costs]
        overhead = f"{row['overhead of a setting, CPU seconds']:.3f} s"
        disk = f"{row['files']} files, {row['MB']:.0f} MB"
        lines.append(f"| {row['settings']} | {row['batches']} | {' | '.join(cells)} | {overhead} | {disk} |")
    lines += ["", f"| wall seconds of a setting | {' | '.join(WAYS)} |", "|---|---|---|"]
    for place, row in results["wall seconds of a setting"].items():
        cells = [f"{row[way]['wall seconds']:.2f} ({row[way]['settings']} settings)" for way in WAYS]
        lines.append(f"| {place} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
