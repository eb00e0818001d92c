// The pages, and which of them the address asks for.

let redraw = () => {};

// Options of one of several tables on a page have a letter before their names.
function fromAddress(options, letter) {
  return { sort: options.get(`${letter}sort`) ?? "", filter: options.get(`${letter}filter`) ?? "" };
}

function keepInAddress(letter, now) {
  const options = Object.fromEntries(readAddress().options);
  for (const [name, value] of Object.entries(now)) options[letter + name] = value;
  writeOptions(options);
}

function experimentPage(experiment, options) {
  const { panel, draw } = curvesPanel(experiment, options);
  const name = experiment.name;
  const files = [["figure (PDF)", `figures/${name}.pdf`], ["table (CSV)", `tables/${name}.csv`], ["table (Parquet)", `tables/${name}.parquet`]];
  const parts = [
    element("h1", {}, name),
    element("figure", { style: "margin: 0" }, element("img", { src: experiment.figure, alt: `The figure ${name}; its numbers are in the table below` }),
      element("figcaption", { class: "quiet" }, caption(experiment))),
    section("Curves", panel),
    section("Table", endsTable(experiment, options)),
    section("Parameters that were used", element("h3", {}, "the same in all settings"), definitions(experiment.shared),
      element("h3", {}, "that differ"), definitions(experiment.varied)),
    ...experiment.partitions.map(({ text, figure }) => section("Partition", element("p", {}, text), element("img", { src: figure, alt: text }))),
    section("Where it comes from", definitions([["data", experiment.provenance.data.join(", ")], ["code of the traces", experiment.provenance.code.join(", ")]]),
      element("p", {}, files.flatMap(([text, href]) => [element("a", { href }, text), " "])),
      element("p", {}, "This makes what is missing or outdated of it, and nothing else (with --forcerun table, table and figure in any case):"),
      element("pre", { tabindex: "0" }, experiment.command)),
  ];
  return { parts, draw };
}

function caption(experiment) {
  const runs = new Set(experiment.ends.map((end) => end.runs));
  const ended = experiment.runs_ended ? ` ${experiment.runs_ended} runs ended early.` : "";
  const totals = Object.keys(DATA.metrics).filter((metric) => experiment.ends.some((end) => metric in end)
    && isEpsilon(metric));
  const budgets = totals.length ? ` ${experiment.assumed} Shown are: ${totals.map((metric) => `${nameOf(metric)}: ${meaningOf(metric)}`).join("; ")}.` : "";
  return `${experiment.settings.length} settings with ${[...runs].join(" or ")} runs each.${ended}${budgets}`;
}

function endsTable(experiment, options) {
  const metrics = Object.keys(DATA.metrics).filter((metric) => experiment.ends.some((end) => metric in end));
  const numbers = ["T", "K", "runs", ...metrics.flatMap((metric) => (metric.startsWith("error_rate") ? [metric, `${metric}_min`, `${metric}_max`] : [metric]))]
    .filter((key) => experiment.ends.some((end) => key in end));
  const head = (key) => {
    const [, metric, edge] = /^(.*?)(_min|_max)?$/.exec(key);
    if (!(metric in DATA.metrics)) return { name: key, title: { T: "iterations", K: "iterations that touch data", runs: "number of runs" }[key] };
    return { name: nameOf(metric) + (edge ? edge.replace("_", ", ") : ""), title: meaningOf(metric), show: isEpsilon(metric) ? roundedUp : undefined };
  };
  const rows = experiment.settings.map((setting, place) => [setting.label,
    ...experiment.axes.map(({ path }) => asNumber(setting.point[path])), ...numbers.map((key) => experiment.ends[place][key] ?? null), setting.id]);
  const columns = ["label", ...experiment.axes.map(({ name }) => name), ...numbers.map(head), { name: "setting", show: settingLink }];
  return sortableTable({ caption: `${experiment.name}: what settings end with, means over the runs`, columns, rows,
    options: fromAddress(options, "t"), changed: (now) => keepInAddress("t", now) });
}

function asNumber(text) {
  if (text === undefined) return null;
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

function settingsPage(options) {
  const columns = DATA.settings.columns.map((name) => ({ setting: { name, show: traceLink },
    experiment: { name, show: (value) => element("a", { href: `#experiment/${encodeURIComponent(value)}` }, value) } })[name]
    ?? (/total_(epsilon|bound)/.test(name) ? { name, show: roundedUp } : name));
  return { parts: [element("h1", {}, "Settings"),
    element("p", {}, "Parameters that differ between settings. An id leads to the trace beside this page; seconds are from the log of the job that solved it."),
    sortableTable({ caption: "Settings", columns, rows: DATA.settings.rows, options: fromAddress(options, ""),
      changed: (now) => keepInAddress("", now) })], draw: () => {} };
}

function auditPage(options) {
  const { columns, rows, total, fallen } = DATA.audit;
  const at = (name) => columns.indexOf(name);
  const compared = rows.filter((row) => row[at("bound")] > 0 && row[at("low")] > 0 && row[at("accountant")]);
  const plot = element("div", { class: "plot", id: "audit", role: "figure", "aria-label": "What was found for certain as a share of each bound; numbers in the table below" });
  const kinds = [...new Set(compared.map((row) => row[at("accountant")]))];
  const draw = () => {
    const bounds = compared.map((row) => row[at("bound")]);
    const points = kinds.map((kind, place) => {
      const own = compared.filter((row) => row[at("accountant")] === kind);
      const { colour, marker } = look(place);
      return { x: own.map((row) => row[at("bound")]), y: own.map((row) => row[at("reached")]), name: plain(kind), mode: "markers",
        text: own.map((row) => plain(`bound ${roundedUp(row[at("bound")])}: ${row[at("algorithm")]}, ${row[at("mechanism")]}, ${row[at("law")]}: ${row[at("quantity")]}, ${row[at("neighbours")] ?? "replace"}`)),
        marker: { color: colour, symbol: marker, size: 6 }, hovertemplate: "found %{y:.3f} of it<br>%{text}<extra></extra>" };
    });
    const line = { x: [Math.min(...bounds), Math.max(...bounds)], y: [1, 1], mode: "lines", line: { dash: "dot", color: COLOURS[6] },
      name: "all of the bound", hoverinfo: "skip" };
    Plotly.react(plot, [...points, line], layoutOf({ xaxis: { type: "log", title: { text: "bound" } }, yaxis: { title: { text: "found for certain / bound" } } }), PLAIN);
  };
  const columnsShown = columns.map((name) => ({ verdict: { name, show: badge }, epsilon: { name, show: roundedUp }, bound: { name, show: roundedUp },
    low: { name, title: "found for certain: the lower limit of what the audit found" },
    reached: { name, title: "the same over the bound" }, checks: { name, title: "alike but for direction and δ; the closest is shown" },
    neighbours: { name, title: "the relation that ε and δ of this row are for" } })[name] ?? name);
  return { parts: [element("h1", {}, "Audit"),
    element("p", {}, `${total} checks of privacy bounds by exact losses, quadrature, membership tests and canaries: `, fallen ? badge("falls") : badge("stands"),
      fallen ? ` ${fallen} fall.` : " every bound stands. Above the line a bound would fall."),
    plot, sortableTable({ caption: "Every bound beside what was found", columns: columnsShown, rows, options: fromAddress(options, ""),
      changed: (now) => keepInAddress("", now) }), ...(DATA.red_team ? redTeam(options) : [])], draw };
}

function redTeam(options) {
  const columns = DATA.red_team.columns.map((name) => ({ epsilon: { name, show: roundedUp, title: "that the files of one guess promise" },
    silent: { name, title: "nothing found to guess from" }, allowed: { name, title: "probability of a right guess that ε allows" } })[name] ?? name);
  return [element("h2", {}, "Red team"),
    element("p", {}, "Attacks that guess a label from published files. They must succeed on research files, which are not for release, and on no release."),
    sortableTable({ caption: "Right guesses of each attack", columns, rows: DATA.red_team.rows, options: fromAddress(options, "r"),
      changed: (now) => keepInAddress("r", now) })];
}

function show() {
  const { page, name, options } = readAddress();
  const experiment = page === "experiment" ? DATA.experiments.find((each) => each.name === name) : undefined;
  const tuned = page === "tuned" ? DATA.tuned.find((each) => each.name === name) : undefined;
  const replicated = page === "replicated" ? DATA.replicated.find((each) => each.name === name) : undefined;
  const made = experiment ? experimentPage(experiment, options) : tuned ? tunedPage(tuned, options)
    : replicated ? replicatedPage(replicated, options)
    : page === "settings" ? settingsPage(options) : page === "audit" && DATA.audit ? auditPage(options) : overviewPage(options);
  const links = [["#overview", "Overview"], ...DATA.experiments.map((each) => [`#experiment/${encodeURIComponent(each.name)}`, each.name]),
    ...DATA.tuned.map((each) => [`#tuned/${encodeURIComponent(each.name)}`, each.name]),
    ...DATA.replicated.map((each) => [`#replicated/${encodeURIComponent(each.name)}`, each.name]), ["#settings", "Settings"], ...(DATA.audit ? [["#audit", "Audit"]] : [])];
  const here = `#${decodeHash().split("?")[0] || "overview"}`;
  document.getElementById("nav").replaceChildren(...links.map(([href, text]) =>
    element("a", { href, "aria-current": href === here ? "page" : null }, text)));
  document.getElementById("main").replaceChildren(...made.parts);
  document.title = `radmm: ${experiment || tuned || replicated ? name : page}`;
  redraw = made.draw;
  redraw();
  window.scrollTo(0, 0);
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
window.addEventListener("hashchange", show);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraw());
show();
