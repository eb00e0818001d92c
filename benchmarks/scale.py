"""Extrapolate from what was measured to larger studies: the table on scale in docs/performance.md."""

ITERATIONS, MEASURED = 50, 10  # of a setting of Figure 5, and of the points of growth
ROWS, NODES, SETTINGS = 10**8, 10**5, 10**6


def solving(growth, axis, value):
    """Return seconds and GB of one setting: time by its exponent, memory by what the last step added for each unit."""
    before, last = growth[axis]["points"][-2:]
    longer = (value / last[axis]) ** growth[axis]["exponent of time"] * ITERATIONS / MEASURED
    added = (last["peak memory in MB"] - before["peak memory in MB"]) / (last[axis] - before[axis])
    return last["seconds"] * longer, (last["peak memory in MB"] + added * (value - last[axis])) / 1024


def planning(grid, settings):
    """Return what planning so many settings takes, each number on a straight line through the last two points."""
    before, last = (grid["planning"][number] for number in sorted(grid["planning"], key=int)[-2:])

    def continued(value):
        each = (value(last) - value(before)) / (last["settings"] - before["settings"])
        return value(last) + each * (settings - last["settings"])

    return {
        "plan, seconds": continued(lambda point: point["plan, batches"]["CPU seconds"]),
        "plan, GB": continued(lambda point: point["plan, batches"]["peak MB"]) / 1024,
        "overhead, hours": settings * last["overhead of a setting, CPU seconds"] / 3600,
        "jobs": continued(lambda point: point["batches"]),
        "files": continued(lambda point: point["files"]),
        "GB on disk": continued(lambda point: point["MB"]) / 1024,
    }


def markdown(results, grid):
    """Return a table with one line for each size."""
    lines = ["| size | time | memory | disk |", "|---|---|---|---|"]
    for axis, value in (("rows", 10**7), ("rows", ROWS), ("nodes", NODES)):
        seconds, gigabytes = solving(results["growth"], axis, value)
        lines.append(f"| {value:,} {axis}, ten runs | {seconds / 60:.0f} min | {gigabytes:.1f} GB | a few MB |")
    found = planning(grid, SETTINGS)
    hours = SETTINGS * results["settings"]["N = 5"]["seconds"] / 3600
    time = f"{found['plan, seconds'] / 60:.0f} min of planning, {hours:.0f} h of solving"
    time += f", {found['overhead, hours']:.0f} h of starting, reading and writing"
    disk = f"{found['GB on disk']:.0f} GB in {found['files'] / 1e6:.1f} million files"
    what = f"{SETTINGS:,} settings, {found['jobs']:,.0f} jobs"
    lines.append(f"| {what} | {time} | {found['plan, GB']:.1f} GB to plan | {disk} |")
    return "\n".join(lines) + "\n"
