// The first page: outcome, budget against error, verdicts, data and networks.

const WORDS = ["holds", "no difference", "mixed", "undecided", "fails", "not tested"];
const ERRORS = ["error_rate", "loss", "error_rate_average", "loss_average"];

function overviewPage(options) {
  const drawings = [];
  const parts = [element("h1", {}, "Private decentralised ADMM: what came out"),
    element("div", { class: "lead" }, DATA.sentences.map((text) => element("p", {}, text))),
    element("p", { class: "quiet" }, DATA.notices.join(" "))];
  if (DATA.budget) {
    const { panel, draw } = budgetPanel(options);
    parts.push(section("What a budget buys", panel));
    drawings.push(draw);
  }
  if (DATA.claims.length) parts.push(section("Verdicts", verdictCounts(), element("p", { class: "quiet" }, DATA.assumed), verdictTable(options)));
  parts.push(section("Data", element("div", { class: "cards" }, DATA.facts.map(({ name, facts }) =>
    element("div", { class: "card" }, element("h3", {}, name), definitions(Object.entries(facts)))))));
  const networks = DATA.networks.map(networkCard);
  parts.push(section("Networks", element("p", { class: "quiet" },
    "A red diamond is a node that sets the privacy bound of a setting: the bound is the largest over the nodes."),
  element("div", { class: "cards" }, networks.map(({ card }) => card))));
  drawings.push(...networks.map(({ draw }) => draw));
  return { parts, draw: () => drawings.forEach((draw) => draw()) };
}

function verdictCounts() {
  const of = (word) => DATA.claims.filter(({ verdict }) => verdict === word).length;
  return element("p", {}, WORDS.filter(of).flatMap((word) => [badge(word), ` ${of(word)}  `]),
    element("a", { href: "claims.md" }, "all cases, with intervals"));
}

function verdictTable(options) {
  const rows = DATA.claims.map(({ verdict, says, place, ours, effect, margin, figure, evidence, elsewhere, counts, condition, exceptions, not_tested: missing }) => [
    verdict, says, ours ? `ours; ${place}` : place, effect, margin, figure,
    [evidence, ...Object.entries(elsewhere).map(([data, word]) => `${data}: ${word}`)].join("; "),
    WORDS.filter((word) => counts[word]).map((word) => `${counts[word]} ${word}`).join(", "),
    [condition && `holds only if ${condition}`, exceptions.length && `fails at ${exceptions.join("; ")}`,
      verdict === "not tested" && missing.join("; ")].filter(Boolean).join(". ")]);
  const columns = [{ name: "verdict", show: badge }, "claim", "place", { name: "effect", title: "in the median case, with its interval" },
    { name: "margin", title: "smallest effect that matters" }, { name: "figure", show: (name) => element("a", { href: `figures/${name}.pdf` }, name) },
    "evidence", "cases", "exceptions"];
  return sortableTable({ caption: "Verdicts on the claims", columns, rows, options: fromAddress(options, "v"),
    changed: (now) => keepInAddress("v", now) });
}

// Budgets of one experiment: total ε across, error or loss upwards, a line for each label.
function budgetPanel(options) {
  const view = { experiment: options.get("experiment") ?? DATA.budget, total: options.get("total") ?? "", error: options.get("error") ?? "error_rate" };
  const plot = element("div", { class: "plot", id: "budget", role: "figure" });
  const controls = element("div", { class: "controls" });
  const note = element("p", { class: "quiet", role: "status" });
  const totalsOf = (experiment) => Object.keys(DATA.metrics).filter((metric) => metric.startsWith("epsilon_")
    && experiment.ends.some((end) => metric in end));
  const private_ = DATA.experiments.filter((experiment) => totalsOf(experiment).length);

  function draw() {
    const experiment = private_.find(({ name }) => name === view.experiment) ?? private_[0];
    const totals = totalsOf(experiment);
    if (!totals.includes(view.total)) [view.total] = totals;
    const errors = ERRORS.filter((metric) => experiment.ends.some((end) => metric in end));
    if (!errors.includes(view.error)) [view.error] = errors;
    const change = (name) => (value) => { view[name] = value; keepInAddress("", view); draw(); };
    controls.replaceChildren(
      select("Experiment", private_.map(({ name }) => [name, name]), experiment.name, change("experiment")),
      select("Total ε by", totals.map((metric) => [metric, nameOf(metric)]), view.total, change("total")),
      select("Against", errors.map((metric) => [metric, nameOf(metric)]), view.error, change("error")));
    note.textContent = `Across: ${meaningOf(view.total)}. Bars are the range over the runs; dotted lines have no noise. ${experiment.caveats.join(" ")}`;
    plot.setAttribute("aria-label", `${nameOf(view.error)} against total ε in ${experiment.name}; numbers on its page`);
    Plotly.react(plot, budgetTraces(experiment, view), layoutOf({
      xaxis: { title: { text: `total ε (${nameOf(view.total).replace(/^ε, /, "")})` }, type: "log" },
      yaxis: { title: { text: nameOf(view.error) } } }), PLAIN).then(() => {
      plot.removeAllListeners("plotly_click");
      plot.on("plotly_click", ({ points }) => { window.location.hash = `settings?filter=${points[0].text}`; });
    });
  }
  return { panel: element("div", {}, controls, note, plot), draw };
}

function budgetTraces(experiment, { total, error }) {
  const both = experiment.settings.map((setting, place) => ({ ...setting, end: experiment.ends[place] }));
  const points = both.filter(({ end }) => total in end && error in end);
  const width = [Math.min(...points.map(({ end }) => end[total])), Math.max(...points.map(({ end }) => end[total]))];
  const labels = [...new Set(points.map(({ label }) => label))];
  const lines = labels.map((label, place) => {
    const own = points.filter((point) => point.label === label).sort((one, other) => one.end[total] - other.end[total]);
    const { colour, dash, marker } = look(place);
    const reach = (edge) => own.map(({ end }) => Math.abs((end[`${error}_${edge}`] ?? end[error]) - end[error]));
    return { x: own.map(({ end }) => end[total]), y: own.map(({ end }) => end[error]), name: plain(label), mode: "lines+markers",
      error_y: { type: "data", symmetric: false, array: reach("max"), arrayminus: reach("min"), thickness: 1 },
      text: own.map(({ id }) => id), customdata: own.map(({ end }) => roundedUp(end[total])), line: { color: colour, dash }, marker: { symbol: marker, size: 8 },
      hovertemplate: `${plain(label)}<br>total ε %{customdata}: %{y:.5g}<br>%{text}<extra></extra>` };
  });
  const free = both.filter(({ private: noisy, end }) => !noisy && error in end);
  return [...lines, ...free.map(({ id, label, end }) => ({ x: width, y: [end[error], end[error]], name: plain(label), mode: "lines",
    text: [id, id], line: { dash: "dot", color: COLOURS[6] }, hovertemplate: `${plain(label)}: %{y:.5g}<br>${plain(id)}<extra></extra>` }))];
}

function networkCard({ name, nodes, edges, bound, places, pairs }) {
  const setters = Object.entries(bound).map(([node, settings]) => `node ${node} (${settings} settings)`).join(", ");
  const text = `${nodes} nodes, ${edges} edges${setters ? `; the bound is set by ${setters}` : ""}`;
  const plot = element("div", { class: "plot small", role: "figure", "aria-label": `${name}: ${text}` });
  const card = element("div", { class: "card" }, element("h3", {}, name), element("p", { class: "quiet" }, text), places ? plot : null);
  if (!places) return { card, draw: () => {} };
  const draw = () => {
    const layout = layoutOf({ xaxis: { visible: false }, yaxis: { visible: false, scaleanchor: "x" }, showlegend: false, margin: { l: 5, r: 5, t: 5, b: 5 } });
    const lines = { mode: "lines", line: { color: layout.font.color, width: 0.7 }, hoverinfo: "skip",
      x: pairs.flatMap(([one, other]) => [places[one][0], places[other][0], null]),
      y: pairs.flatMap(([one, other]) => [places[one][1], places[other][1], null]) };
    const sets = places.map((_, node) => node in bound);
    const dots = { mode: "markers", x: places.map(([x]) => x), y: places.map(([, y]) => y), text: places.map((_, node) => `node ${node}`),
      hoverinfo: "text", marker: { size: sets.map((is) => (is ? 14 : 9)), symbol: sets.map((is) => (is ? "diamond" : "circle")),
        color: sets.map((is) => (is ? COLOURS[1] : COLOURS[0])) } };
    Plotly.react(plot, [lines, dots], layout, { ...PLAIN, displayModeBar: false });
  };
  return { card, draw };
}
