// Curves of an experiment over the iterations, of whatever is chosen.

const AVERAGED = { loss: "loss_average", error_rate: "error_rate_average" };
const MOST_CURVES = 14; // that are shown at first; then the grid is cut at one of its values

function metricsOf(experiment) {
  const found = new Set(experiment.settings.flatMap(({ id }) => Object.keys(DATA.traces[id].statistics)));
  return Object.keys(DATA.metrics).filter((metric) => found.has(metric) && !Object.values(AVERAGED).includes(metric));
}

function valuesOn(experiment, axis) {
  const values = experiment.settings.map(({ point }) => point[axis.path]).filter((value) => value !== undefined);
  return [...new Set(values)].sort(compare);
}

// The options of a view, from the address where it has them.
function viewOf(experiment, options) {
  const view = { metric: "loss", iterate: "last", show: "range", scale: "log", iterations: "all", labels: "" };
  for (const axis of experiment.axes) view[axis.path] = "";
  const metrics = metricsOf(experiment);
  if (!metrics.includes("loss")) [view.metric] = metrics;
  for (const axis of [...experiment.axes].reverse()) {
    if (chosenSettings(experiment, view).length > MOST_CURVES) view[axis.path] = valuesOn(experiment, axis)[0];
  }
  for (const name of Object.keys(view)) if (options.has(name)) view[name] = options.get(name);
  return view;
}

function metricOf(view) { return view.iterate === "average" ? AVERAGED[view.metric] ?? view.metric : view.metric; }

// A setting that has no value on an axis, such as one without noise, goes with all of them.
function chosenSettings(experiment, view) {
  const labels = view.labels ? view.labels.split("|").map(decodeURIComponent) : null;
  return experiment.settings.filter(({ label, point }) => (!labels || labels.includes(label))
    && experiment.axes.every(({ path }) => !view[path] || point[path] === undefined || point[path] === view[path]));
}

function curveName(experiment, view, setting) {
  const free = experiment.axes.filter(({ path }) => !view[path] && setting.point[path] !== undefined);
  const point = free.map(({ path, name }) => `${name.split(" (")[0]} = ${setting.point[path]}`).join(", ");
  return point ? `${setting.label}, ${point}` : setting.label;
}

// [{setting, name, place, at, values, min, max}], what is drawn and downloaded.
function curvesOf(experiment, view) {
  const metric = metricOf(view);
  const keep = view.iterations === "odd" ? (iteration) => iteration % 2 === 1 : () => true;
  const names = experiment.settings.map(({ id, label }) => `${label} ${id}`);
  return chosenSettings(experiment, view).flatMap((setting) => {
    const place = names.indexOf(`${setting.label} ${setting.id}`);
    const statistics = statisticsOf(setting.id, metric);
    if (!statistics) return [];
    const lines = view.show === "runs" ? runsOf(setting.id, metric).map(({ at, values }, run) => ({ at, values, run }))
      : [{ at: statistics.at, values: statistics.mean, min: statistics.min, max: statistics.max }];
    const common = { setting: setting.id, name: curveName(experiment, view, setting), place };
    return lines.map((line) => {
      const places = [...line.at.keys()].filter((index) => keep(line.at[index]));
      const pick = (values) => values && places.map((index) => (Number.isFinite(values[index]) ? values[index] : null));
      return { ...common, run: line.run, at: places.map((index) => line.at[index]), values: pick(line.values),
        min: pick(line.min), max: pick(line.max) };
    });
  });
}

function tracesOf(curves, metric) {
  const written = isEpsilon(metric) ? roundedUp : formatted;
  const seen = new Set();
  const order = [...new Set(curves.map(({ place }) => place))];
  return curves.flatMap((curve) => {
    const { colour, dash, marker } = look(order.indexOf(curve.place));
    const first = !seen.has(curve.place);
    seen.add(curve.place);
    const name = plain(curve.name);
    const band = curve.min && curve.min.some((value, index) => value !== curve.max[index]) ? [{
      x: [...curve.at, ...[...curve.at].reverse()], y: [...curve.max, ...[...curve.min].reverse()], fill: "toself",
      fillcolor: `${colour}2e`, line: { width: 0 }, mode: "lines", hoverinfo: "skip", showlegend: false, name, legendgroup: name,
    }] : [];
    const range = curve.min ? curve.at.map((_, index) => `range ${written(curve.min[index])} to ${written(curve.max[index])}`)
      : curve.at.map(() => (curve.run === undefined ? "" : `run ${curve.run}`));
    return [...band, {
      x: curve.at, y: curve.values, name, legendgroup: name, showlegend: first, mode: curve.run === undefined ? "lines+markers" : "lines",
      line: { color: colour, dash, width: curve.run === undefined ? 2 : 1 },
      marker: { symbol: marker, size: 5, maxdisplayed: 25 }, customdata: range, text: curve.values.map(written), meta: curve.setting,
      hovertemplate: `${name}<br>iteration %{x}: %{text}<br>%{customdata}<br>${plain(curve.setting)}<extra></extra>`,
    }];
  });
}

function curveCsv(curves, metric) {
  const rows = curves.flatMap((curve) => curve.at.map((iteration, index) => [curve.name, curve.setting, curve.run ?? "",
    iteration, metric, curve.values[index], curve.min ? curve.min[index] : "", curve.max ? curve.max[index] : ""]));
  return asCsv(["curve", "setting", "run", "iteration", "metric", "value or mean", "min", "max"], rows);
}

// The controls and the plot; each change redraws it and goes into the address.
function curvesPanel(experiment, options) {
  const view = viewOf(experiment, options);
  const plot = element("div", { class: "plot", id: "curves", role: "figure" });
  const controls = element("div", { class: "controls" });
  const note = element("p", { class: "quiet", role: "status" });

  function change(name, value) {
    view[name] = value;
    writeOptions(view);
    draw();
  }

  function drawControls() {
    const at = (path) => controls.querySelector(`[data-path="${CSS.escape(path)}"]`);
    const focused = document.activeElement && document.activeElement.dataset.path;
    const choose = (name, label, choices, disabled) => {
      const made = select(label, choices, view[name], (value) => change(name, value), disabled);
      made.querySelector("select").dataset.path = name;
      return made;
    };
    controls.replaceChildren(
      labelBoxes(experiment, view, change),
      ...experiment.axes.map((axis) => choose(axis.path, axis.name,
        [["", "all values"], ...valuesOn(experiment, axis).map((value) => [value, value])])),
      choose("metric", "Metric", metricsOf(experiment).map((metric) => [metric, nameOf(metric)])),
      choose("iterate", "Iterate", [["last", "last"], ["average", "average of released"]], !AVERAGED[view.metric]),
      choose("show", "Show", [["range", "mean, range over runs"], ["runs", "single runs"]]),
      choose("scale", "Vertical axis", [["log", "log"], ["linear", "linear"]]),
      choose("iterations", "Iterations", [["all", "all"], ["odd", "odd"]]),
      element("button", { type: "button", onclick: () => download(`${experiment.name}-${metricOf(view)}.csv`, "text/csv",
        curveCsv(curvesOf(experiment, view), metricOf(view))) }, "Download data (CSV)"),
      element("button", { type: "button", onclick: () => Plotly.downloadImage(plot, { format: "svg",
        filename: `${experiment.name}-${metricOf(view)}`, width: 900, height: 560 }) }, "Download SVG"));
    if (focused && at(focused)) at(focused).focus();
  }

  function draw() {
    drawControls();
    const curves = curvesOf(experiment, view);
    const metric = metricOf(view);
    const thinned = curves.some(({ setting }) => typeof DATA.traces[setting].at !== "number");
    note.textContent = `${new Set(curves.map(({ setting }) => setting)).size} settings; ${nameOf(metric)}: ${meaningOf(metric)}.`
      + (view.show === "range" ? " Lines are means over the runs, bands their range." : "")
      + (thinned ? " Not every iteration is kept here: the traces have all." : "") + " A click on a point leads to its setting.";
    plot.setAttribute("aria-label", `${nameOf(metric)} over the iterations of ${experiment.name}; numbers in the table below`);
    Plotly.react(plot, tracesOf(curves, metric), layoutOf({ xaxis: { title: { text: "iteration" } },
      yaxis: { title: { text: nameOf(metric) }, type: view.scale, exponentformat: "power" } }), PLAIN).then(() => {
      plot.removeAllListeners("plotly_click");
      plot.on("plotly_click", ({ points }) => { window.location.hash = `settings?filter=${points[0].data.meta}`; });
    });
  }

  return { panel: element("div", {}, controls, note, plot), draw };
}

function labelBoxes(experiment, view, change) {
  const labels = [...new Set(experiment.settings.map(({ label }) => label))];
  const chosen = view.labels ? view.labels.split("|").map(decodeURIComponent) : labels;
  const boxes = labels.map((label) => {
    const flip = () => {
      const now = labels.filter((each) => (each === label ? !chosen.includes(each) : chosen.includes(each)));
      change("labels", now.length === labels.length ? "" : now.map(encodeURIComponent).join("|") || "%20");
    };
    const box = element("input", { type: "checkbox", checked: chosen.includes(label), onchange: flip });
    box.dataset.path = `label ${label}`;
    return element("label", {}, box, label);
  });
  return element("fieldset", {}, element("legend", {}, "Algorithm"), boxes);
}
