// The controls of curves, and the setting behind a point.

// Each change redraws the curves and goes into the address.
function curvesPanel(experiment, options) {
  const view = viewOf(experiment, options);
  const plot = element("div", { class: "plot", id: "curves", role: "figure" });
  const controls = element("div", { class: "controls" });
  const note = element("p", { class: "quiet", role: "status" });
  const point = element("div", { class: "behind", role: "status" });

  function change(name, value) {
    view[name] = value;
    if (name === "x") Object.assign(view, axesFor(experiment, view));
    keepInAddress("", view);
    draw();
  }

  function drawControls() {
    const focused = document.activeElement && document.activeElement.dataset.path;
    const choose = (name, label, choices, disabled) => {
      const made = select(label, choices, view[name], (value) => change(name, value), disabled);
      made.querySelector("select").dataset.path = name;
      return made;
    };
    const along = isAlong(view.x);
    controls.replaceChildren(labelBoxes(experiment, view, change),
      choose("metric", "Vertical axis", metricsOf(experiment).map((metric) => [metric, nameOf(metric)])),
      choose("x", "Horizontal axis", horizontals(experiment)),
      ...experiment.axes.filter(({ path }) => path !== view.x).map((axis) => choose(axis.path, axis.name,
        [["", "all values"], [POOLED, "mean over all values"], ...valuesOn(experiment, axis).map((value) => [value, value])])),
      choose("iterate", "Iterate", [["last", "last"], ["average", "average of all"]], !AVERAGED[view.metric]),
      choose("show", "Runs", [["range", "mean and range"], ["runs", "each run"]], !along),
      choose("iterations", "Iterations", [["later", "from 1 on"], ["all", "from 0 on"], ["odd", "odd ones"]], !along),
      choose("scale", "Vertical scale", [["log", "log"], ["linear", "linear"]]),
      element("button", { type: "button", onclick: () => download(`${experiment.name}-${metricOf(view)}.csv`, "text/csv",
        curveCsv(experiment, view)) }, "Download data (CSV)"),
      element("button", { type: "button", onclick: () => Plotly.downloadImage(plot, { format: "svg",
        filename: `${experiment.name}-${metricOf(view)}`, width: 900, height: 560 }) }, "Download SVG"));
    const again = focused && controls.querySelector(`[data-path="${CSS.escape(focused)}"]`);
    if (again) again.focus();
  }

  function draw() {
    drawControls();
    const metric = metricOf(view);
    const shown = chosenSettings(experiment, view);
    const isThinned = shown.some(({ id }) => typeof DATA.traces[id].at !== "number");
    note.textContent = `${shown.length} settings. ${sentence(nameOf(metric))}: ${meaningOf(metric)}.`
      + (isAlong(view.x) ? " Lines are means over the runs, bands their range." : " Points are means over the runs after the last iteration, bars their range.")
      + (isThinned ? " Some iterations are left out here. The traces have all." : "") + " Click a point to see its setting.";
    drawCurves(plot, experiment, view, (id) => point.replaceChildren(pointCard(experiment, id)));
  }

  return { panel: element("div", {}, controls, note, plot, point), draw };
}

function sentence(text) { return text.charAt(0).toUpperCase() + text.slice(1); }

function labelBoxes(experiment, view, change) {
  const labels = [...new Set(experiment.settings.map(({ label }) => label))];
  const chosen = view.labels ? view.labels.split("|").map(decodeURIComponent) : labels;
  return checkboxes("Algorithm", labels.map((label) => ({ text: label, checked: chosen.includes(label), flip: () => {
    const now = labels.filter((each) => (each === label ? !chosen.includes(each) : chosen.includes(each)));
    change("labels", now.length === labels.length ? "" : now.map(encodeURIComponent).join("|") || "%20");
  } })));
}

function settingName(experiment, setting) {
  const point = experiment.axes.filter(({ path }) => setting.point[path] !== undefined);
  return [setting.label, ...point.map(({ path, name }) => `${name.split(" (")[0]} = ${setting.point[path]}`)].join(", ");
}

// The setting behind a point: what it reached and spent, and the command that makes its trace.
function pointCard(experiment, id) {
  const place = experiment.settings.findIndex((setting) => setting.id === id);
  const [setting, end] = [experiment.settings[place], experiment.ends[place]];
  const totals = totalsOf(experiment).filter((total) => total in end && /replacing one row/.test(meaningOf(total)));
  const facts = [["setting", settingLink(id)], ["trace", traceLink(id)], ["test error", "error_rate" in end ? percent(end.error_rate) : "–"],
    ...totals.slice(0, 1).map((total) => ["total ε", `${roundedUp(end[total])} (${DATA.metrics[total][2]})`]),
    ["iterations", `${end.T}, of which ${end.K} use the data`], ["runs", end.runs]];
  return element("div", { class: "card" }, element("h3", {}, settingName(experiment, setting)), definitions(facts),
    quiet("This command makes its trace, if it is missing or outdated:"), command(`${experiment.trace_command}/${id}.parquet`));
}
