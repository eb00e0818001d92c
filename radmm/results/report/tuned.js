// A tuned study: every method at its best for a budget, judged on splits and graphs that it wasn't chosen on.

function tunedPage(study, options) {
  const at = (name) => study.columns.indexOf(name);
  const isReference = (row) => row[at("more than the best")] === null;
  const relations = Object.keys(study.terms).filter((each) => study.rows.some((row) => row[at("neighbours")] === each));
  const cells = [...new Set(study.rows.filter((row) => !isReference(row)).map((row) => row[at("cell")]))];
  const different = (name) => [...new Set(study.rows.map((row) => row[at(name)]))];
  const [dataSets, rules] = [different("data set"), different("chosen on")];
  const view = { neighbours: options.get("neighbours") ?? relations[0], cell: options.get("cell") ?? cells[0],
    data: options.get("data") ?? dataSets[0], rule: options.get("rule") ?? rules[0] };
  const plot = element("div", { class: "plot", id: "tuned", role: "figure" });
  const controls = element("div", { class: "controls" });
  const note = element("p", { class: "quiet", role: "status" });

  function draw() {
    const change = (name) => (value) => { view[name] = value; keepInAddress("", view); draw(); };
    controls.replaceChildren(select("Neighbours", relations.map((each) => [each, each]), view.neighbours, change("neighbours")),
      select("Cell", cells.map((each) => [each, each]), view.cell, change("cell")),
      dataSets.length > 1 ? select("Data set", dataSets.map((each) => [each, each]), view.data, change("data")) : "",
      rules.length > 1 ? select("Chosen on", rules.map((each) => [each, each]), view.rule, change("rule")) : "");
    note.textContent = `Total ε: ${study.terms[view.neighbours]}. Bars are 95 % intervals over ${study.judgement} splits and graphs.`;
    plot.setAttribute("aria-label", `test error against total ε in ${view.cell}; numbers in the table below`);
    const rows = study.rows.filter((row) => row[at("neighbours")] === view.neighbours && row[at("data set")] === view.data
      && row[at("chosen on")] === view.rule && (isReference(row) || row[at("cell")] === view.cell));
    Plotly.react(plot, tunedTraces(rows, at, isReference), layoutOf({
      xaxis: { title: { text: "total ε, at most" }, type: "log", tickvals: [...new Set(rows.map((row) => row[at("ε at most")]))] }, yaxis: { title: { text: "test error" } } }), PLAIN);
  }

  const shown = study.columns.map((name) => ({ "ε at most": { name, show: roundedUp }, "ε spent": { name, show: roundedUp }, reads: { name, title: "the last iterate, or the average of all" },
    "more than the best": { name, title: "difference from the best method of the cell and budget, in pairs of splits" },
    rounds: { name, title: "iterations after which it stops" } })[name] ?? name);
  const parts = [element("h1", {}, `${study.name}: which method, at which budget`),
    element("div", { class: "lead" }, study.sentences.map((text) => element("p", {}, text))),
    element("p", {}, `Hyper-parameters, rounds, and whether the last iterate or the average is read, were chosen on ${study.selection} splits and graphs; `
      + `errors are means over ${study.judgement} others. To choose them on private data would itself cost budget, which is not counted here.`,
    study.untuned.length ? ` Not tuned, but run as published: ${study.untuned.join(", ")}.` : "",
    Object.entries(study.threats).map(([method, threat]) => ` Of ${method}, ε holds ${threat}.`), ` Of every ε: ${study.assumed.join("; ")}.`),
    controls, note, plot,
    section("Table", sortableTable({ caption: `What was chosen in ${study.name}`, columns: shown, rows: study.rows,
      options: fromAddress(options, "t"), changed: (now) => keepInAddress("t", now) })),
    section("Figure", element("img", { src: study.figure, alt: `The figure ${study.name}; its numbers are in the table above` })),
    section("Where it comes from", filesOf(study), element("p", {}, "The runs behind it are in tuned/, a file for each method and cell."))];
  return { parts, draw };
}

// The files of a tuned study or a replication, which lie beside this page.
function filesOf(study) {
  const files = [[study.page, study.page], ["table (CSV)", `tables/${study.name}.csv`], ["figure (PDF)", `figures/${study.name}.pdf`]];
  return element("p", {}, files.flatMap(([text, href]) => [element("a", { href }, text), " "]));
}

function tunedTraces(rows, at, isReference) {
  const methods = [...new Set(rows.map((row) => row[at("method")]))];
  return methods.map((method, place) => {
    const own = rows.filter((row) => row[at("method")] === method).sort((one, other) => one[at("ε at most")] - other[at("ε at most")]);
    const { colour, dash, marker } = look(place);
    const reference = isReference(own[0]);
    const reach = (edge) => own.map((row) => Math.abs(row[at(edge)] - row[at("test error")]));
    return { x: own.map((row) => row[at("ε at most")]), y: own.map((row) => row[at("test error")]), name: plain(method),
      mode: reference ? "lines" : "lines+markers",
      error_y: reference ? undefined : { type: "data", symmetric: false, array: reach("high"), arrayminus: reach("low"), thickness: 1 },
      text: own.map((row) => plain(`${row[at("rounds")]} rounds, ${row[at("reads")]}, ${row[at("chosen")]}`)),
      line: reference ? { dash: "dot", color: COLOURS[6] } : { color: colour, dash }, marker: { symbol: marker, size: 8 },
      hovertemplate: `${plain(method)}<br>ε at most %{x}: %{y:.4f}<br>%{text}<extra></extra>` };
  });
}
