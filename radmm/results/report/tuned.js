// A tuned study: methods tuned for each budget on some splits and graphs, and judged on others.

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
    Plotly.react(plot, tunedTraces(study, rows, at, isReference), layoutOf({
      xaxis: { title: { text: "total ε, at most" }, type: "log", tickvals: [...new Set(rows.map((row) => row[at("ε at most")]))] }, yaxis: { title: { text: "test error" } } }), PLAIN);
  }

  const hidden = ["data set", "chosen on", "neighbours", "low", "high", "more, low", "more, high", "ε spent"];
  const shown = study.columns.map((name) => ({ name, hidden: hidden.includes(name), ...{ "ε at most": { show: roundedUp }, "ε spent": { show: roundedUp },
    reads: { title: "the last iterate, or the average of all" }, "more than the best": { title: "difference from the best method of the cell and budget, in pairs of splits" },
    rounds: { title: "iterations after which it stops" } }[name] }));
  const parts = [element("h1", {}, `${study.name}: methods compared at equal budgets`),
    element("div", { class: "lead" }, study.sentences.map((text) => element("p", {}, text))),
    element("p", {}, `Hyper-parameters, rounds and the choice of last iterate or average come from ${study.selection} splits and graphs. `
      + `Errors are means over ${study.judgement} others. Tuning on private data would itself cost budget, which is not counted here.`,
    study.untuned.length ? ` Run as published, not tuned: ${study.untuned.join(", ")}.` : "",
    Object.entries(study.threats).map(([method, threat]) => ` Of ${method}, ε holds ${threat}.`), ` Of every ε: ${study.assumed.join("; ")}.`),
    controls, note, plot,
    section("Table", sortableTable({ caption: `What was chosen in ${study.name}`, columns: shown, rows: study.rows,
      options: fromAddress(options, "t"), changed: (now) => keepInAddress("t", now) })),
    section("Figure", picture(study.figure, `The figure ${study.name}; its numbers are in the table above`)),
    section("Source", filesOf(study), element("p", {}, "The runs are in tuned/, one file for each method and cell."))];
  return { parts, draw };
}

// The files of a tuned study or a replication, which lie beside this page.
function filesOf(study) {
  return links([[study.page, study.page], ["table (CSV)", `tables/${study.name}.csv`], ["figure (PDF)", `figures/${study.name}.pdf`]]);
}

function tunedTraces(study, rows, at, isReference) {
  const methods = [...new Set(rows.map((row) => row[at("method")]))];
  return methods.map((method) => {
    const own = rows.filter((row) => row[at("method")] === method).sort((one, other) => one[at("ε at most")] - other[at("ε at most")]);
    const { colour, dash, symbol } = study.looks[method] ?? { colour: "#7f7f7f", dash: "dot" };
    const reference = isReference(own[0]);
    const reach = (edge) => own.map((row) => Math.abs(row[at(edge)] - row[at("test error")]));
    return { x: own.map((row) => row[at("ε at most")]), y: own.map((row) => row[at("test error")]), name: plain(method),
      mode: reference ? "lines" : "lines+markers",
      error_y: reference ? undefined : { type: "data", symmetric: false, array: reach("high"), arrayminus: reach("low"), thickness: 1 },
      text: own.map((row) => plain(`${row[at("rounds")]} rounds, ${row[at("reads")]}, ${row[at("chosen")]}`)),
      line: { color: colour, dash }, marker: { symbol, size: 8, color: colour },
      hovertemplate: `${plain(method)}<br>ε at most %{x}: %{y:.4f}<br>%{text}<extra></extra>` };
  });
}
