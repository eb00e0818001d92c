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
    figure, axes = plt.subplots(figsize=(6, 3.4), layout="constrained")
    bars = {"SciPy, dense": ("dense", "0.85"), "SciPy, CSR": ("csr", "0.7"), "JAX": ("jax", "0.5")}
    bars |= {"radmm": ("radmm", "black"), "radmm, tolerance 5e-5": ("equal accuracy", "0.3")}
    rows = {name: dict(results["by hand"][name]) for name in names}
    if results.get("by JAX"):
        rows[names[0]]["jax"] = {"seconds": results["by JAX"]["JAX"]}
    for place, (label, (key, color)) in enumerate(bars.items()):
        taken = {at: rows[name][key]["seconds"] for at, name in enumerate(names) if key in rows[name]}
        drawn = axes.bar([at + 0.18 * (place - 2) for at in taken], taken.values(), 0.17, label=label, color=color)
        texts = [f"{value:.0f} s" if value >= 10 else f"{value:.2g} s" for value in taken.values()]
        axes.bar_label(drawn, texts, fontsize=5)
    fit = results.get("against scikit-learn", {}).get("scikit-learn, newton-cholesky")
    if fit:
        named = "one centralised fit: scikit-learn, newton-cholesky"
        axes.axhline(fit["seconds"], color="black", lw=0.8, ls=":", label=named)
    axes.set_yscale("log")
    axes.margins(y=0.15)
    axes.set_xticks(range(len(names)), names)
    axes.set_ylabel("CPU seconds for ten private runs")
    axes.legend(frameon=False, fontsize=6, ncols=2, loc="lower left", bbox_to_anchor=(0.0, 1.0))
    figure.savefig(target, dpi=150, metadata={"Software": None})
    plt.close(figure)


def markdown(results):
    """The tables of docs/performance.md."""
    heads = ["network", "SciPy, dense", "SciPy, CSR", "radmm", "ratio, dense", "ratio, CSR"]
    heads += ["radmm, tolerance 5e-5", "ratio, dense", "ratio, CSR"]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for name, row in results["by hand"].items():
        hand = row["dense"], row["csr"]
        cells = [f"{part['seconds']:.3g} s (± {part['spread']:.2g})" for part in (*hand, row["radmm"])]
        cells += [f"{part['ratio']:.1f}" for part in hand]
        cells += [f"{row['equal accuracy']['seconds']:.3g} s (± {row['equal accuracy']['spread']:.2g})"]
        cells += [f"{part['ratio at equal accuracy']:.1f}" for part in hand]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += ["", "| network | solver | largest gradient norm | largest loss error |", "|---|---|---|---|"]
    for name, row in results["by hand"].items():
        solvers = {"SciPy, dense": row["dense"], "SciPy, CSR": row["csr"], "radmm": row}
        for solver, part in {**solvers, "radmm, tolerance 5e-5": row["equal accuracy"]}.items():
            lines.append(
                f"| {name} | {solver} | {part['largest gradient norm']:.1e} | {part['largest loss error']:.1e} |"
            )
    for title, key in SECTIONS.items():
        if not results.get(key):  # a peer that was not installed
            continue
        lines += ["", f"**{title}**", "", *_table(_beside(results.get(f"{key}, before", {}), results[key]))]
    for title, key in WIDE.items():
        if key in results:
            lines += ["", f"**{title}**", "", *_wide(results[key])]
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
    "Before and after: CPU seconds of an earlier version (always 1e-8) and of this one, in turns": "before and after",
    "JAX (`vmap` over nodes and runs, L-BFGS, float64, dense), N = 5, CPU seconds": "by JAX",
    "Against two fused passes for each odd iteration": "against the limit",
    "Against scikit-learn's centralised fit": "against scikit-learn",
    "R-ADMM against ADMM for as many iterations": "recycling",
    "What loss and test error of averaged iterates cost: CPU seconds with them over those without": "averages",
    "Other losses, N = 5, 8,000 rows, 20 iterations, CPU seconds: SciPy by hand against radmm": "other losses",
    "Census-Income (KDD), N = 5, ten private runs, CPU seconds; by hand one run counted ten times": "census",
    "Ten million rows: Adult's many times over, N = 5, ten runs of ten iterations": "ten million rows",
    "Start of a solver job, CPU seconds": "start-up",
    "Two jobs at once, wall seconds": "two jobs at once",
    "The workflow, data present, 2 cores": "workflow",
}

WIDE = {
    "What each trick gains, N = 5: median of CPU seconds without it over those with it, in turns": "tricks",
    "Two threads beside two processes, ten private runs, in turns": "threads",
}


def _wide(values):
    """One row for each name, and a column for each field."""
    fields = list(next(iter(values.values())))
    lines = [f"| | {' | '.join(fields)} |", "|---" * (len(fields) + 1) + "|"]
    return lines + [
        f"| {name} | {' | '.join(_number(row[field]) for field in fields)} |" for name, row in values.items()
    ]


def _beside(before, after):
    """What an earlier version took, if that was measured, and this one."""
    return {
        name: {"before": before[name], "after": value} if name in before else value for name, value in after.items()
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
