// The pages, and which of them the address asks for.

// Options of one of several tables on a page have a letter before their names.
function fromAddress(options, letter) {
  return Object.fromEntries(["sort", "filter", "columns"].map((name) => [name, options.get(letter + name) ?? ""]));
}

function keepInAddress(letter, now) {
  const options = Object.fromEntries(readAddress().options);
  for (const [name, value] of Object.entries(now)) options[letter + name] = value;
  writeOptions(options);
}

function experimentPage(experiment, options) {
  const { panel, draw } = curvesPanel(experiment, options);
  const { name, title, provenance } = experiment;
  const files = [["figure (PDF)", `figures/${name}.pdf`], ["table (CSV)", `tables/${name}.csv`], ["table (Parquet)", `tables/${name}.parquet`]];
  const parts = [
    element("h1", {}, title),
    element("div", { class: "beside" }, element("figure", {}, picture(experiment.figure, `${title}; the numbers are in the table below`), caption(experiment)),
      claimsBeside(experiment)),
    section("Curves", panel),
    section("Table", endsTable(experiment, options)),
    section("Parameters", element("h3", {}, "Different between settings"), definitions(experiment.varied),
      folded("The same in all settings", definitions(experiment.shared))),
    ...experiment.partitions.map(({ text, figure }) => section("Partition", element("p", {}, text), picture(figure, text))),
    section("Source", links(files), quiet("This command makes whatever is missing or outdated:"), command(experiment.command),
      folded("Data and code", definitions([["data", provenance.data.join(", ")], ["code of the traces", provenance.code.join(", ")]]))),
  ];
  return { parts, draw };
}

// What is shown, and folded the conditions of each ε.
function caption(experiment) {
  const runs = [...new Set(experiment.ends.map((end) => end.runs))];
  const ended = experiment.runs_ended ? ` ${experiment.runs_ended} runs ended early.` : "";
  const totals = Object.keys(DATA.metrics).filter((metric) => isEpsilon(metric) && experiment.ends.some((end) => metric in end));
  return element("figcaption", { class: "quiet" }, `${experiment.caption.join(" ")} `,
    `${experiment.settings.length} settings with ${runs.map((count) => (count === 1 ? "one run" : `${count} runs`)).join(" or ")} each.${ended}`,
    totals.length ? folded("Conditions of every ε", experiment.conditions.map((text) => element("p", {}, text)),
      definitions(totals.map((metric) => [nameOf(metric), meaningOf(metric)]))) : null);
}

function endsTable(experiment, options) {
  const metrics = Object.keys(DATA.metrics).filter((metric) => experiment.ends.some((end) => metric in end));
  const numbers = ["T", "K", "runs", ...metrics.flatMap((metric) => (metric.startsWith("error_rate") ? [metric, `${metric}_min`, `${metric}_max`] : [metric]))]
    .filter((key) => experiment.ends.some((end) => key in end));
  const first = ["T", "K", "loss", "error_rate", "error_rate_min", "error_rate_max", "privacy_loss", DATA.budget];
  const head = (key) => {
    const [, metric, edge] = /^(.*?)(_min|_max)?$/.exec(key);
    const told = metric in DATA.metrics ? { name: nameOf(metric) + (edge ? edge.replace("_", ", ") : ""), title: meaningOf(metric), show: isEpsilon(metric) ? roundedUp : undefined }
      : { name: key, title: { T: "iterations", K: "iterations that use the data", runs: "number of runs" }[key] };
    return { ...told, hidden: !first.includes(key) };
  };
  const rows = experiment.settings.map((setting, place) => [setting.label,
    ...experiment.axes.map(({ path }) => asNumber(setting.point[path])), ...numbers.map((key) => experiment.ends[place][key] ?? null), setting.id]);
  const columns = ["label", ...experiment.axes.map(({ name }) => name), ...numbers.map(head), { name: "setting", show: settingLink }];
  return sortableTable({ caption: `${experiment.name}: means over the runs after the last iteration`, columns, rows,
    options: fromAddress(options, "t"), changed: (now) => keepInAddress("t", now) });
}

function asNumber(text) {
  if (text === undefined) return null;
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

function settingsPage(options) {
  const shown = ["setting", "experiment", "label", "status", "CPU seconds"];
  const columns = DATA.settings.columns.map((name) => ({ name, hidden: !shown.includes(name) && !/ \(/.test(name), ...{ setting: { show: traceLink },
    experiment: { show: (value) => element("a", { href: `#experiment/${encodeURIComponent(value)}` }, value) } }[name],
  ...(/total_(epsilon|bound)/.test(name) ? { show: roundedUp } : {}) }));
  return { parts: [element("h1", {}, "Settings"),
    element("p", {}, "Each row is a setting, with the parameters in which settings differ. Its id leads to its trace. CPU seconds are from the log of its job."),
    sortableTable({ caption: "Settings", columns, rows: DATA.settings.rows, options: fromAddress(options, ""),
      changed: (now) => keepInAddress("", now) })], draw: () => {} };
}

// [address, text, title, page] of every page, in the order of the navigation.
function everyPage() {
  const named = (kind, studies, make) => studies.map((each) => [`${kind}/${encodeURIComponent(each.name)}`, each.name, each.title ?? each.name,
    (options) => make(each, options)]);
  return [["overview", "Overview", "Overview", overviewPage], ...named("experiment", DATA.experiments, experimentPage), ...named("tuned", DATA.tuned, tunedPage),
    ...named("replicated", DATA.replicated, replicatedPage), ["compare", "Compare", "Two settings compared", comparePage],
    ["settings", "Settings", "Settings", settingsPage], ...(DATA.audit ? [["audit", "Audit", "Audit", auditPage]] : [])];
}

function show() {
  const { path, options } = readAddress();
  const pages = everyPage();
  const [here, , title, make] = pages.find(([address]) => address === path) ?? pages[0];
  const { parts, draw } = make(options);
  document.getElementById("nav").replaceChildren(...pages.map(([address, text, about]) =>
    element("a", { href: `#${address}`, title: about, "aria-current": address === here ? "page" : null }, text)));
  document.getElementById("main").replaceChildren(...parts);
  document.title = `radmm: ${title}`;
  draw();
  window.scrollTo(0, 0);
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
window.addEventListener("hashchange", show);
show();
