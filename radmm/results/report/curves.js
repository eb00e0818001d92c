// Curves of an experiment: what they show, against what, of which settings, is chosen.

const AVERAGED = { loss: "loss_average", error_rate: "error_rate_average" };
const MOST_CURVES = 8; // that are shown at first; then the grid is cut at one of its values
const POOLED = "mean"; // over an axis: its settings become one curve
const KEPT = { later: (iteration) => iteration > 0, all: () => true, odd: (iteration) => iteration % 2 === 1 };

function metricsOf(experiment) {
  const found = new Set(experiment.settings.flatMap(({ id }) => Object.keys(DATA.traces[id].statistics)));
  return Object.keys(DATA.metrics).filter((metric) => found.has(metric) && !Object.values(AVERAGED).includes(metric));
}

function totalsOf(experiment) {
  return Object.keys(DATA.metrics).filter((metric) => metric.startsWith("epsilon_") && experiment.ends.some((end) => metric in end));
}

function valuesOn(experiment, { path }) {
  return [...new Set(experiment.settings.map(({ point }) => point[path]).filter((value) => value !== undefined))].sort(compare);
}

// [value, text] pairs of the horizontal axis: along a run, or across settings after their last iteration.
function horizontals(experiment) {
  const along = Object.entries(DATA.along).filter(([name]) => experiment.settings.some(({ id }) => alongOf(id, name)));
  const numbers = experiment.axes.filter((axis) => valuesOn(experiment, axis).every((value) => Number.isFinite(Number(value))));
  return [["iteration", "iteration t"], ...along, ...totalsOf(experiment).map((total) => [total, `total ${nameOf(total)}`]),
    ...numbers.map(({ path, name }) => [path, name])];
}

// What an axis says: a total comes with its accountant, δ and relation.
function axisText(experiment, x) {
  return x in DATA.metrics && x.startsWith("epsilon_") ? `total ε (${DATA.metrics[x][2]})` : new Map(horizontals(experiment)).get(x) ?? x;
}

function isAlong(x) { return x === "iteration" || x in DATA.along; }

// The options of a view: those of the experiment's figure, and those that the address has.
function viewOf(experiment, options) {
  const view = { x: "iteration", metric: "loss", iterate: "last", show: "range", iterations: "later", labels: "", ...experiment.first };
  for (const name of Object.keys(view)) if (options.has(name)) view[name] = options.get(name);
  const metrics = metricsOf(experiment);
  if (!metrics.includes(view.metric)) [view.metric] = metrics;
  Object.assign(view, axesFor(experiment, view));
  for (const { path } of experiment.axes) if (options.has(path)) view[path] = options.get(path);
  view.scale = options.get("scale") ?? (view.metric.startsWith("error_rate") ? "linear" : "log");
  return view;
}

// What is chosen on the grid's axes at first: seeds are pooled, noises are on one curve against ε, and others are cut if they are many.
function axesFor(experiment, view) {
  const isPooled = (path) => path.endsWith(".seed") || (view.x.startsWith("epsilon_") && path.startsWith("noise."));
  const axes = Object.fromEntries(experiment.axes.map(({ path }) => [path, isPooled(path) ? POOLED : ""]));
  for (const axis of [...experiment.axes].reverse()) {
    const isMany = groupsOf(experiment, { ...view, ...axes }).size > MOST_CURVES;
    const first = experiment.settings.find(({ point }) => point[axis.path] !== undefined).point[axis.path];
    if (isMany && !axes[axis.path] && axis.path !== view.x) axes[axis.path] = first;
  }
  return axes;
}

function metricOf(view) { return view.iterate === "average" ? AVERAGED[view.metric] ?? view.metric : view.metric; }

function isPicked(view, path) { return view[path] && view[path] !== POOLED; }

// A setting that has no value on an axis, such as one without noise, goes with all of them.
function chosenSettings(experiment, view) {
  const labels = view.labels ? view.labels.split("|").map(decodeURIComponent) : null;
  return experiment.settings.filter(({ label, point }) => (!labels || labels.includes(label))
    && experiment.axes.every(({ path }) => !isPicked(view, path) || point[path] === undefined || point[path] === view[path]));
}

function curveName(experiment, view, setting) {
  const free = experiment.axes.filter(({ path }) => !view[path] && path !== view.x && setting.point[path] !== undefined);
  return [setting.label, ...free.map(({ path, name }) => `${name.split(" (")[0]} = ${setting.point[path]}`)].join(", ");
}

// Settings by the name of the curve that they are on.
function groupsOf(experiment, view) {
  const groups = new Map();
  for (const setting of chosenSettings(experiment, view)) {
    const name = curveName(experiment, view, setting);
    groups.set(name, [...(groups.get(name) ?? []), setting]);
  }
  return groups;
}

// Mean of the means and range of the ranges of several settings.
function pooled(all) {
  if (all.length === 1) return all[0];
  const at = all.reduce((shortest, { at: own }) => (own.length < shortest.length ? own : shortest), all[0].at);
  const over = (values) => at.map((_, place) => values(place));
  return { at, mean: over((place) => all.reduce((sum, { mean }) => sum + mean[place], 0) / all.length),
    min: over((place) => Math.min(...all.map(({ min }) => min[place]))), max: over((place) => Math.max(...all.map(({ max }) => max[place]))) };
}

// The looks of curves by name: a label's curves have shades of its colour, whichever labels are ticked.
function looksOf(experiment, view) {
  const groups = [...groupsOf(experiment, { ...view, labels: "" })];
  return new Map(groups.map(([name, [{ label }]]) => {
    const own = groups.filter(([, [setting]]) => setting.label === label).map(([each]) => each);
    const shades = experiment.looks[label][Math.min(own.length, experiment.looks[label].length) - 1];
    return [name, shades[own.indexOf(name) % shades.length]];
  }));
}

// [{name, look, points: [{x, y, low, high, iteration, id}], run, isReference}], what is drawn and downloaded.
function curvesOf(experiment, view) {
  const make = isAlong(view.x) ? alongRuns : acrossSettings;
  const looks = looksOf(experiment, view);
  return [...groupsOf(experiment, view)].flatMap(([name, settings]) => {
    const measured = settings.filter(({ id }) => statisticsOf(id, metricOf(view)));
    return measured.length ? make(experiment, view, measured).map((curve) => ({ name, look: looks.get(name), ...curve })) : [];
  });
}

function alongRuns(experiment, view, settings) {
  const metric = metricOf(view);
  const [{ id }] = settings;
  const across = alongOf(id, view.x);
  if (!across) return [];
  const places = new Map(iterationsOf(DATA.traces[id].at).map((iteration, place) => [iteration, across[place]]));
  const points = (at, values, low = values, high = values) => [...at].map((iteration, place) => ({ x: places.get(iteration),
    y: values[place], low: low[place], high: high[place], iteration, id })).filter(({ x, y, iteration }) =>
    x !== undefined && Number.isFinite(y) && KEPT[view.iterations](iteration));
  if (view.show === "runs") {
    return settings.flatMap((setting) => runsOf(setting.id, metric)).map(({ at, values }, run) => ({ run, points: points(at, values) }));
  }
  const { at, mean, min, max } = pooled(settings.map((setting) => statisticsOf(setting.id, metric)));
  return [{ points: points(at, mean, min, max) }];
}

function acrossSettings(experiment, view, settings) {
  const ends = new Map(experiment.settings.map(({ id }, place) => [id, experiment.ends[place]]));
  const valueOf = ({ id, point }) => (view.x.startsWith("epsilon_") ? ends.get(id)[view.x] : point[view.x]);
  const values = [...new Set(settings.map(valueOf))].sort(compare);
  const points = values.map((value) => {
    const own = settings.filter((setting) => valueOf(setting) === value);
    const { at, mean, min, max } = pooled(own.map(({ id }) => statisticsOf(id, metricOf(view))));
    const last = at.length - 1;
    return { x: value === undefined ? null : Number(value), y: mean[last], low: min[last], high: max[last], iteration: at[last], id: own[0].id };
  });
  return [{ points: points.filter(({ y }) => Number.isFinite(y)), isReference: values[0] === undefined }];
}

function tracesOf(curves, view, across) {
  const metric = metricOf(view);
  const [write, writeAcross] = [metric, view.x].map((name) => (isEpsilon(name) ? roundedUp : formatted));
  const all = curves.flatMap(({ points }) => points.map(({ x }) => x)).filter((x) => x !== null);
  const seen = new Set();
  return curves.filter(({ points }) => points.length).flatMap(({ name: text, look, points, run, isReference }) => {
    const name = plain(text);
    const shown = isReference ? [Math.min(...all), Math.max(...all)].map((x) => ({ ...points[0], x })) : points;
    const x = shown.map((point) => point.x);
    const isRange = run === undefined && shown.some(({ low, high }) => low !== high);
    const isBand = isRange && isAlong(view.x);
    const band = { x: [...x, ...[...x].reverse()], y: [...shown.map(({ high }) => high), ...shown.map(({ low }) => low).reverse()],
      fill: "toself", fillcolor: `${look.colour}26`, line: { width: 0 }, mode: "lines", hoverinfo: "skip", showlegend: false, name, legendgroup: name };
    const bars = { type: "data", symmetric: false, thickness: 1, array: shown.map(({ y, high }) => high - y), arrayminus: shown.map(({ y, low }) => y - low) };
    const first = !seen.has(name);
    seen.add(name);
    const told = shown.map(({ x: at, y, low, high, iteration, id }) => plain([isReference ? "" : `${across}: ${writeAcross(at)}`,
      `${nameOf(metric)} ${write(y)}${isRange ? ` (${write(low)} to ${write(high)})` : ""}`,
      `iteration ${iteration}${run === undefined ? "" : `, run ${run}`}`, id].filter(Boolean).join("\n")).replaceAll("\n", "<br>"));
    return [...(isBand ? [band] : []), {
      x, y: shown.map(({ y }) => y), name, legendgroup: name, showlegend: first, text: told, customdata: shown.map(({ id }) => id),
      mode: run === undefined && !isReference ? "lines+markers" : "lines", hovertemplate: `${name}<br>%{text}<extra></extra>`,
      error_y: isRange && !isBand && !isReference ? bars : undefined, line: { color: look.colour, dash: look.dash, width: run === undefined ? 2 : 1 },
      marker: { symbol: look.symbol, size: isAlong(view.x) ? 6 : 9, maxdisplayed: 25, color: look.colour },
    }];
  });
}

// Draws curves; `clicked` gets the id of the setting behind a point.
function drawCurves(plot, experiment, view, clicked) {
  const curves = curvesOf(experiment, view);
  const all = curves.flatMap(({ points }) => points.map(({ x }) => x)).filter((x) => x !== null);
  const isWide = !isAlong(view.x) && Math.min(...all) > 0 && Math.max(...all) > 20 * Math.min(...all);
  const across = axisText(experiment, view.x);
  Plotly.react(plot, tracesOf(curves, view, across), layoutOf({
    xaxis: { title: { text: across }, type: isWide || view.x.startsWith("epsilon_") ? "log" : "linear" },
    yaxis: { title: { text: nameOf(metricOf(view)) }, type: view.scale } }), PLAIN).then(() => {
    plot.removeAllListeners("plotly_click");
    plot.on("plotly_click", ({ points }) => clicked(points[0].customdata));
  });
  plot.setAttribute("aria-label", `${nameOf(metricOf(view))} against ${across} in ${experiment.name}; the page's table has the numbers`);
}

function curveCsv(experiment, view) {
  const rows = curvesOf(experiment, view).flatMap(({ name, run, points }) => points.map(({ x, y, low, high, iteration, id }) =>
    [name, id, run ?? "", iteration, axisText(experiment, view.x), x, metricOf(view), y, run === undefined ? low : "", run === undefined ? high : ""]));
  return asCsv(["curve", "setting", "run", "iteration", "x is", "x", "metric", "value or mean", "min", "max"], rows);
}
