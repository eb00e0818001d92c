// The first page: what to use, what a budget buys, verdicts, data and networks.

function overviewPage(options) {
  const { headline } = DATA;
  const drawings = [];
  const parts = [element("h1", {}, "Private decentralised ADMM: results"),
    element("div", { class: "lead" }, [DATA.recommended.sentence, headline?.sentences.join(" "), DATA.sentence].filter(Boolean).map((text) => element("p", {}, text))),
    quiet("Test error is that of the average of the nodes' classifiers. It is no average of the nodes' errors."),
    recommendedSection(options)];
  if (headline) {
    const { part, draw } = budgetSection(headline);
    parts.push(part);
    drawings.push(draw);
  }
  if (DATA.claims.length) {
    parts.push(section("Verdicts", verdictTable(options), links([["all cases, with intervals", "claims.md"]]), quiet(DATA.assumed)));
  }
  for (const [kind, studies] of [["tuned", DATA.tuned], ["replicated", DATA.replicated]]) {
    parts.push(...studies.map(({ name, sentences }) => section(`Study ${name}`, sentences.map((text) => element("p", {}, text)),
      links([[`the page of ${name}`, `#${kind}/${encodeURIComponent(name)}`]]))));
  }
  const networks = DATA.networks.map(networkCard);
  parts.push(section("Data", element("div", { class: "cards" }, DATA.facts.map(({ name, facts }) =>
    element("div", { class: "card" }, element("h3", {}, name), definitions(Object.entries(facts)))))),
  section("Networks", quiet("A red diamond marks a node that sets the privacy bound of some settings of this report. The bound is the largest over all nodes."),
    element("div", { class: "cards" }, networks.map(({ card }) => card))),
  section("Not for release", DATA.notices.map((text) => element("p", {}, text))));
  drawings.push(...networks.map(({ draw }) => draw));
  return { parts, draw: () => drawings.forEach((draw) => draw()) };
}

// What `radmm recommend` answers at a budget, with its commands.
function recommendedSection(options) {
  const { rows, target, relations, terms, meaning } = DATA.recommended;
  const view = { epsilon: options.get("epsilon") ?? String(target), neighbours: options.get("neighbours") ?? rows[0].neighbours };
  const different = (name) => [...new Set(rows.map((row) => String(row[name])))].sort(compare);
  const title = element("h2");
  const conditions = element("p", { class: "quiet" });
  const body = element("tbody");
  const hasFree = rows.some((row) => row.free !== null);
  const head = element("tr", {}, ["network", "threat model", "use", "test error", "against a curator", ...(hasFree ? ["against no privacy"] : []), "setting and commands"].map((name) =>
    element("th", { scope: "col" }, name)));

  function draw() {
    const shown = rows.filter(({ epsilon, neighbours }) => String(epsilon) === view.epsilon && neighbours === view.neighbours);
    title.textContent = `What to use at ε = ${view.epsilon}`;
    conditions.textContent = `${meaning} In brackets: 95 % intervals over splits and graphs. A trusted curator holds `
      + `all rows and spends the same ε. Without secrets, the attacker reads every message. With them, neighbours share random draws that the attacker `
      + `does not see. That study is not the one of the figures below. ε is a total over all messages: ${terms[view.neighbours]}.`;
    body.replaceChildren(...shown.map((row, place) => element("tr", {}, element("td", {}, row.network), element("td", {}, row.trust),
      element("td", {}, element("strong", {}, row.method), `, ${row.iterations} iteration${row.iterations === 1 ? "" : "s"}`), element("td", { class: "number" }, `${percent(row.error)} (${(100 * row.low).toFixed(1)}–${(100 * row.high).toFixed(1)})`),
      ...[row.above, ...(hasFree ? [row.free === null ? null : row.error - row.free] : [])].map((cost) => element("td", { class: "number" }, inPoints(cost))),
      element("td", {}, element("details", { open: place === 0 }, element("summary", {}, row.parameters), `Read the ${row.reads}. `,
        "Ask for your own data's size:", command(row.recommend), "Find the noise, without data:", command(row.calibrate),
        "Train once, on Adult:", command(row.train))))));
  }

  const change = (name) => (value) => { view[name] = value; keepInAddress("", view); draw(); };
  draw();
  return element("section", {}, title, element("div", { class: "controls" },
    select("Total ε", different("epsilon").map((value) => [value, value]), view.epsilon, change("epsilon")),
    select("Neighbouring data sets differ by", Object.entries(relations), view.neighbours, change("neighbours"))),
  element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Recommendations" },
    element("table", { id: "recommended" }, element("thead", {}, head), body)), conditions);
}

// Test error against total ε in this report, with the headline's setting below it.
function budgetSection({ experiment: name, setting, total, conditions }) {
  const experiment = DATA.experiments.find((each) => each.name === name);
  const view = viewOf(experiment, new URLSearchParams({ x: total, metric: "error_rate" }));
  const plot = element("div", { class: "plot", id: "budget", role: "figure" });
  const point = element("div", { class: "behind", role: "status" }, pointCard(experiment, setting));
  const part = section(`What a budget buys: ${experiment.title}`, quiet(experiment.set === "paper" ? "These are the paper's settings. " : "", "Points are means over the runs, bars their range. ",
    "Dashed: without noise. Click a point to see its setting."), plot, point, quiet(conditions),
  links([[`more choices: ${name}`, `#experiment/${encodeURIComponent(name)}?x=${total}&metric=error_rate`]]));
  return { part, draw: () => drawCurves(plot, experiment, view, (id) => point.replaceChildren(pointCard(experiment, id))) };
}

function networkCard({ name, nodes, edges, bound, places, pairs }) {
  const setters = Object.entries(bound).map(([node, settings]) => `node ${node} (${settings} settings)`).join(", ");
  const text = `${nodes} nodes, ${edges} edges.${setters ? ` The bound is set by ${setters}.` : ""}`;
  const plot = element("div", { class: "plot small", role: "figure", "aria-label": `${name}: ${text}` });
  const card = element("div", { class: "card" }, element("h3", {}, name), quiet(text), places ? plot : null);
  if (!places) return { card, draw: () => {} };
  const draw = () => {
    const layout = layoutOf({ xaxis: { visible: false }, yaxis: { visible: false, scaleanchor: "x" }, showlegend: false, margin: { l: 5, r: 5, t: 5, b: 5 } });
    const lines = { mode: "lines", line: { color: layout.font.color, width: 0.7 }, hoverinfo: "skip",
      x: pairs.flatMap(([one, other]) => [places[one][0], places[other][0], null]),
      y: pairs.flatMap(([one, other]) => [places[one][1], places[other][1], null]) };
    const sets = places.map((_, node) => node in bound);
    const dots = { mode: "markers", x: places.map(([x]) => x), y: places.map(([, y]) => y), text: places.map((_, node) => `node ${node}`),
      hoverinfo: "text", marker: { size: sets.map((is) => (is ? 14 : 9)), symbol: sets.map((is) => (is ? "diamond" : "circle")),
        color: sets.map((is) => (is ? "#ee6677" : "#4477aa")) } };
    Plotly.react(plot, [lines, dots], layout, { ...PLAIN, displayModeBar: false });
  };
  return { card, draw };
}
