"""The benchmark's numbers for people: printed, plotted, and as docs/performance.md."""

import json
from pathlib import Path

import matplotlib.pyplot as plt

HERE = Path(__file__).parent


def show(name, values, indent=0):
    """Nested values as indented lines."""
    if not isinstance(values, dict):
        print(f"{'  ' * indent}{name}: {_number(values)}", flush=True)
        return
    print(f"{'  ' * indent}{name}")
    for key, value in values.items():
        if key == "points":
            for point in value:
                print("  " * (indent + 1) + ", ".join(f"{field}: {_number(number)}" for field, number in point.items()))
        else:
            show(key, value, indent + 1)


def _number(value):
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def plot(results, target):
    """Seconds of radmm and of the two baselines, side by side for each network."""
    names = list(results["by hand"])
    figure, axes = plt.subplots(figsize=(5, 3), layout="constrained")
    bars = {"SciPy, dense": ("dense", "0.75"), "SciPy, CSR": ("csr", "0.5"), "radmm": ("radmm", "black")}
    for place, (label, (key, color)) in enumerate(bars.items()):
        seconds = [results["by hand"][name][key]["seconds"] for name in names]
        drawn = axes.bar([at + 0.27 * (place - 1) for at in range(len(names))], seconds, 0.25, label=label, color=color)
        axes.bar_label(drawn, [f"{value:.0f} s" if value >= 10 else f"{value:.2g} s" for value in seconds], fontsize=7)
    axes.set_yscale("log")
    axes.margins(y=0.15)
    axes.set_xticks(range(len(names)), names)
    axes.set_ylabel("CPU seconds for ten private runs")
    axes.legend(frameon=False)
    figure.savefig(target, dpi=150, metadata={"Software": None})
    plt.close(figure)


def markdown(results):
    """The tables of docs/performance.md."""
    lines = ["| network | SciPy, dense | SciPy, CSR | radmm | ratio, dense | ratio, CSR |", "|---|---|---|---|---|---|"]
    for name, row in results["by hand"].items():
        dense, csr, ours = row["dense"], row["csr"], row["radmm"]
        cells = [f"{part['seconds']:.3g} s (± {part['spread']:.2g})" for part in (dense, csr, ours)]
        lines.append(f"| {name} | {' | '.join(cells)} | {dense['ratio']:.1f} | {csr['ratio']:.1f} |")
    lines += ["", "| network | solver | largest gradient norm | largest loss error |", "|---|---|---|---|"]
    for name, row in results["by hand"].items():
        for solver, part in (("SciPy, dense", row["dense"]), ("SciPy, CSR", row["csr"]), ("radmm", row)):
            lines.append(
                f"| {name} | {solver} | {part['largest gradient norm']:.1e} | {part['largest loss error']:.1e} |"
            )
    for title, key in SECTIONS.items():
        lines += ["", f"**{title}**", "", *_table(results[key])]
    lines += ["", "**Growth**"]
    for axis, part in results["growth"].items():
        fields = list(part["points"][0])
        lines += ["", f"| {' | '.join(fields)} |", "|---" * len(fields) + "|"]
        lines += [f"| {' | '.join(_number(point[field]) for field in fields)} |" for point in part["points"]]
        lines += [
            "",
            f"From the last but one to the last, time grows with the power {part['exponent of time']:.2f} of {axis}.",
        ]
    return "\n".join(lines) + "\n"


SECTIONS = {
    "Against two fused passes for each odd iteration": "against the limit",
    "Against scikit-learn's centralised fit": "against scikit-learn",
    "R-ADMM against ADMM for as many iterations": "recycling",
    "Other losses, N = 5, 8,000 rows, 20 iterations, CPU seconds: SciPy by hand against radmm": "other losses",
    "Census-Income (KDD), N = 5, ten private runs, CPU seconds; by hand one run counted ten times": "census",
    "Start of a solver job, CPU seconds": "start-up",
    "Two jobs at once, wall seconds": "two jobs at once",
    "The workflow, data present, 2 cores": "workflow",
}


def _table(values):
    rows = []
    for name, value in values.items():
        cells = (
            ", ".join(f"{key} {_number(number)}" for key, number in value.items())
            if isinstance(value, dict)
            else _number(value)
        )
        rows.append(f"| {name} | {cells} |")
    return ["| | |", "|---|---|", *rows]


if __name__ == "__main__":
    print(markdown(json.loads((HERE / "results.json").read_text())))
