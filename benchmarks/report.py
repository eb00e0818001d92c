"""Print the benchmark's numbers, and write them as the tables of docs/performance.md and performance_details.md."""

import math

from benchmarks import scale
from benchmarks.accountants import DELTA
from benchmarks.own_solvers import OWN
from benchmarks.peers import NORM, REMARKS

WANTED = {"sparse": 10.0, "dense": 3.0}  # how far ahead of the best peer the kernel should be
ALONE = "radmm, kernel, one run"
THROUGHPUT = 0.9  # of two processes, that two threads should reach
GAIN, ON = 1.25, 2  # a trick is kept if it gains so much on so many data sets


def show(name, values, indent=0):
    """Print nested values as indented lines."""
    if not isinstance(values, dict):
        print(f"{'  ' * indent}{name}: {number(values)}", flush=True)
        return
    print(f"{'  ' * indent}{name}")
    for key, value in values.items():
        if key == "points":
            for point in value:
                print("  " * (indent + 1) + ", ".join(f"{field}: {number(part)}" for field, part in point.items()))
        else:
            show(key, value, indent + 1)


def number(value):
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def lead(peers):
    """Return a table of the best peer of each data set and how far the kernel is ahead of it; what falls short comes
    first.
    """
    lines = ["| data | best peer | kernel, ten runs at once | kernel, one run | aim |", "|---" * 5 + "|"]
    found, missed = [], []
    for case, rows in peers.items():
        others = {name: row for name, row in rows.items() if name not in OWN and "milliseconds" in row}
        best = min(others, key=lambda name: others[name]["times the kernel's"])
        ahead = others[best]["times the kernel's"]
        alone = ahead / rows[ALONE]["times the kernel's"]
        wanted = WANTED["dense" if case.startswith("Covertype") else "sparse"]
        said = "reached, also by one run" if alone >= wanted else "reached by ten runs only"
        said = said if ahead >= wanted else "**not reached**"
        cells = [case, best, f"{ahead:.3g} times faster", f"{alone:.3g}", f"{wanted:g}: {said}"]
        missed += [case] if min(alone, ahead) < wanted else []
        found.append((min(alone, ahead) / wanted, f"| {' | '.join(cells)} |"))
    short = f"One run alone misses the aim on {len(missed)} of {len(peers)} data sets: {', '.join(missed)}."
    return "\n".join([*([short, ""] if missed else []), *lines, *(line for _, line in sorted(found))]) + "\n"


def findings(peers):
    """Return what the chart shows, as three points."""
    ratios = {name: [rows[name]["times the kernel's"] for rows in peers.values()] for name in OWN}
    numpy_alike = ratios["radmm, NumPy, ten runs at once"]
    numpy_alone = [b / a for a, b in zip(ratios[ALONE], ratios["radmm, NumPy, one run"], strict=True)]
    beaten = {
        case: sorted(
            name
            for name, row in rows.items()
            if name not in OWN
            and "milliseconds" in row
            and row["times the kernel's"] < rows["radmm, NumPy, one run"]["times the kernel's"]
        )
        for case, rows in peers.items()
    }
    said = "; ".join(f"on {case} {' and '.join(names)}" for case, names in beaten.items() if names)
    return (
        f"- **Batching is a large part of the lead.** Ten runs at once take {_range(ratios[ALONE])} times less for "
        "each argmin than one run,\n  because rows are read once for all. One run has the smaller lead of the table.\n"
        f"- **C gains a factor of {_range(numpy_alike)}** over the same method in NumPy with ten runs at once, and "
        f"{_range(numpy_alone)} with one run.\n"
        + (
            "- **Without C the method does not always win.** One run by the NumPy engine is slower than these peers:\n"
            f"  {said}.\n"
            if said
            else "- **The method wins without C, too.** One run by the NumPy engine is faster than every peer.\n"
        )
    )


def _range(values):
    low, high = f"{min(values):.2g}", f"{max(values):.2g}"
    return low if low == high else f"{low} to {high}"


def threads_said(table):
    """Return the throughput of two threads, in a sentence for each case."""
    lines = [
        "| | throughput of two threads over two processes | share of CPU seconds on one thread | bound on idle cores |"
    ]
    lines.append("|---" * 4 + "|")
    for case, row in table.items():
        measured = row["throughput of threads over that of processes"]
        share, most = row["share of CPU seconds on one thread"], row["so, with idle cores, at most"]
        lines.append(f"| {case} | {measured:.2f} | {100 * share:.1f} % | {most:.2f} |")
    fields = ("throughput of threads over that of processes", "so, with idle cores, at most")
    missed = [case for case, row in table.items() if min(row[field] for field in fields) < THROUGHPUT]
    said = f"missed by {'; '.join(missed)}" if missed else "reached by all"
    return "\n".join([*lines, "", f"The aim is {THROUGHPUT:.2f}, as measured and as the bound: {said}."]) + "\n"


def all_peers(peers):
    """Return a table of every solver on every data set: milliseconds, ratio, gradient norm, and what it solved."""
    lines = ["| data | solver | ms an argmin | times the kernel's | gradient norm | rows | rounds | remark |"]
    lines.append("|---" * 8 + "|")
    for case, rows in peers.items():
        for name, row in rows.items():
            if "refused" in row:
                lines.append(f"| {case} | {name} | – | – | – | – | – | {row['refused']} |")
                continue
            ratio = row["times the kernel's"]
            values = [f"{row['milliseconds']:.3g}", f"{ratio:.3g}", f"{row['gradient norm']:.1e}"]
            values += [row["rows"], str(row["rounds"]), REMARKS.get(name, "")]
            values[2] += "" if row["gradient norm"] <= NORM else " (did not get lower)"
            lines.append(f"| {case} | {name} | {' | '.join(values)} |")
    return "\n".join(lines) + "\n"


def accountants(table):
    """Return a table of seconds and ε of every accountant on every case."""
    names = list(dict.fromkeys(name for rows in table.values() for name in rows))
    lines = [
        f"| total ε at δ = {DELTA:g}, rounded up (CPU ms) | {' | '.join(table)} |",
        "|---" * (len(table) + 1) + "|",
    ]
    for name in names:
        cells = [_accountant(rows.get(name)) for rows in table.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _accountant(row):
    if row is None:
        return "–"
    if "refused" in row:
        return row["refused"]
    above = math.ceil(1e6 * row["ε"]) / 1e6
    return f"{above:.6f}" + (f" ({1e3 * row['seconds']:.3g})" if "seconds" in row else "")


def wide(values):
    """Return a table with one row for each name, and a column for each field."""
    fields = list(next(iter(values.values())))
    lines = [f"| | {' | '.join(fields)} |", "|---" * (len(fields) + 1) + "|"]
    lines += [f"| {name} | {' | '.join(number(row[field]) for field in fields)} |" for name, row in values.items()]
    return "\n".join(lines) + "\n"


def tricks(table):
    """Return what each trick gains on every data set, and on how many of them that is enough to keep it."""
    names = [name for name in next(iter(table.values())) if name != "seconds with all"]
    lines = [wide(table)]
    for name in names:
        enough = [case for case, row in table.items() if row[name] >= GAIN]
        short = "" if len(enough) >= ON else f", **fewer than the {ON} that the rule asks for**"
        lines.append(f"- {name}: a quarter or more on {len(enough)} of {len(table)} data sets{short}")
    return "\n".join(lines) + "\n"


def growth(table):
    """Return a table of seconds and memory along each axis, with the exponent of the last step."""
    lines = []
    for axis, part in table.items():
        fields = list(part["points"][0])
        lines += [f"| {' | '.join(fields)} |", "|---" * len(fields) + "|"]
        lines += [f"| {' | '.join(number(point[field]) for field in fields)} |" for point in part["points"]]
        power = f"{part['exponent of time']:.2f}"
        lines += ["", f"From the last but one to the last, time grows with the power {power} of {axis}.", ""]
    return "\n".join(lines)


def workflow(values):
    """Return a table of the workflow's numbers, one row each."""
    rows = [f"| {name} | {number(value)} |" for name, value in values.items()]
    return "\n".join(["| | |", "|---|---|", *rows]) + "\n"


def others(results, section):
    """Return a sentence on what else the machine did during the measurement of a section."""
    cores = results.get("cores of others", {}).get(section)
    if cores is None:
        return "\nAn older measurement: what else the machine did meanwhile was not recorded.\n"
    return f"\nMeanwhile other processes used {cores:.2f} cores of the machine.\n"


def blocks(results, grid):
    """Return the text of every block of both pages, by page and block.

    Args:
        results: Stored in results.json.
        grid: Stored in grid.json.
    """
    return {
        "performance.md": {
            "lead": lead(results["peers"]),
            "findings": findings(results["peers"]),
            "threads": threads_said(results["threads"]) + others(results, "threads"),
            "accountants": accountants(results["accountants"]),
            "scale": scale.markdown(results, grid),
        },
        "performance_details.md": {
            "peers": all_peers(results["peers"]) + others(results, "peers"),
            "settings": wide(results["settings"]) + others(results, "settings"),
            "tricks": tricks(results["tricks"]) + others(results, "tricks"),
            "dropped tricks": wide(results["dropped tricks"]),
            "threads": wide(results["threads"]) + others(results, "threads"),
            "growth": growth(results["growth"]) + others(results, "growth"),
            "workflow": workflow(results["workflow"]) + others(results, "workflow"),
        },
    }
