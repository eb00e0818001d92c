// Two settings side by side: their curves, what differs in their parameters, and what each reached.

function comparePage(options) {
  const every = DATA.experiments.flatMap((experiment) => experiment.settings.map((setting, place) => ({
    key: `${experiment.name}/${setting.label}/${setting.id}`, text: `${experiment.name}: ${settingName(experiment, setting)}`,
    experiment, setting, end: experiment.ends[place] })));
  const start = Math.max(0, every.findIndex(({ setting, experiment }) => DATA.headline && setting.id === DATA.headline.setting
    && experiment.name === DATA.headline.experiment));
  const { experiment: own, setting: first } = every[start];
  const rival = every.find(({ experiment, setting }) => experiment === own && setting.label !== first.label
    && JSON.stringify(setting.point) === JSON.stringify(first.point)) ?? every.at(start - 1);
  const view = { one: options.get("one") ?? every[start].key, other: options.get("other") ?? rival.key,
    metric: options.get("metric") ?? "error_rate" };
  const controls = element("div", { class: "controls" });
  const plot = element("div", { class: "plot", id: "compared", role: "figure" });
  const table = element("div");

  function draw() {
    const change = (name) => (value) => { view[name] = value; keepInAddress("", view); draw(); };
    const choices = every.map(({ key, text }) => [key, text]);
    const pair = [view.one, view.other].map((key) => every.find((each) => each.key === key) ?? every[0]);
    const metrics = metricsOf(pair[0].experiment).filter((metric) => metricsOf(pair[1].experiment).includes(metric));
    if (!metrics.includes(view.metric)) [view.metric] = metrics;
    controls.replaceChildren(select("First setting", choices, pair[0].key, change("one")), select("Second setting", choices, pair[1].key, change("other")),
      select("Vertical axis", metrics.map((metric) => [metric, nameOf(metric)]), view.metric, change("metric")));
    const drawn = { x: "iteration", metric: view.metric, iterate: "last", show: "range", iterations: "later" };
    const curves = pair.flatMap(({ experiment, setting, text }, place) => alongRuns(experiment, drawn, [setting]).map((curve) =>
      ({ name: `${place + 1}: ${text}`, look: { ...experiment.looks[setting.label][0][0], dash: place ? "6px,4px" : "solid" }, ...curve })));
    Plotly.react(plot, tracesOf(curves, drawn, "iteration t"), layoutOf({ xaxis: { title: { text: "iteration t" } }, yaxis: { title: { text: nameOf(view.metric) } } }), PLAIN);
    plot.setAttribute("aria-label", `${nameOf(view.metric)} of two settings; the table below has their last values`);
    table.replaceChildren(comparisonTable(pair));
  }

  return { parts: [element("h1", {}, "Two settings compared"), controls, plot, table], draw };
}

function comparisonTable(pair) {
  const { columns, rows } = DATA.settings;
  const own = pair.map(({ experiment, setting }) => rows.find((row) => row[0] === setting.id && row[1] === experiment.name && row[2] === setting.label) ?? []);
  const parameters = columns.map((name, place) => [name, ...own.map((row) => row[place] ?? null)]).filter(([, one, other]) => one !== other);
  const metrics = Object.keys(DATA.metrics).filter((metric) => pair.some(({ end }) => metric in end)).map((metric) => {
    const write = isEpsilon(metric) ? roundedUp : formatted;
    const [one, other] = pair.map(({ end }) => end[metric]);
    return [metric.startsWith("epsilon_") ? `total ε (${DATA.metrics[metric][2]})` : nameOf(metric), one === undefined ? null : write(one), other === undefined ? null : write(other),
      one === undefined || other === undefined ? null : formatted(other - one)];
  });
  const body = [...parameters.map(([name, one, other]) => [name, one, other, null]), ...metrics];
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Comparison" }, element("table", {},
    element("caption", {}, "Parameters that differ, then means over the runs after the last iteration"),
    element("thead", {}, element("tr", {}, ["", "first", "second", "second − first"].map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, body.map((row) => element("tr", {}, row.map((value) => element("td", {}, formatted(value))))))));
}
