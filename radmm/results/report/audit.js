// The audit: every bound beside what was found, and the red team's attacks.

function auditPage(options) {
  const { columns, rows, total, fallen } = DATA.audit;
  const at = (name) => columns.indexOf(name);
  const compared = rows.filter((row) => row[at("bound")] > 0 && row[at("low")] > 0 && row[at("accountant")]);
  const plot = element("div", { class: "plot", id: "audit", role: "figure", "aria-label": "What was found for certain as a share of each bound; numbers in the table below" });
  const kinds = [...new Set(compared.map((row) => row[at("accountant")]))];
  const draw = () => {
    const bounds = compared.map((row) => row[at("bound")]);
    const points = kinds.map((kind) => {
      const own = compared.filter((row) => row[at("accountant")] === kind);
      const { colour, symbol, title } = DATA.accountants[kind] ?? { colour: "#7f7f7f", symbol: "circle", title: kind };
      return { x: own.map((row) => row[at("bound")]), y: own.map((row) => row[at("reached")]), name: plain(title), mode: "markers",
        text: own.map((row) => plain(`bound ${roundedUp(row[at("bound")])}: ${row[at("algorithm")]}, ${row[at("mechanism")]}, ${row[at("law")]}: ${row[at("quantity")]}, ${row[at("neighbours")] ?? "replace"}`)),
        marker: { color: colour, symbol, size: 6 }, hovertemplate: "found %{y:.3f} of it<br>%{text}<extra></extra>" };
    });
    const line = { x: [Math.min(...bounds), Math.max(...bounds)], y: [1, 1], mode: "lines", line: { dash: "dot", color: "#7f7f7f" },
      name: "the whole bound", hoverinfo: "skip" };
    Plotly.react(plot, [...points, line], layoutOf({ xaxis: { type: "log", title: { text: "bound" } }, yaxis: { title: { text: "worst case found / bound" } } }), PLAIN);
  };
  const shown = columns.map((name) => ({ name, hidden: ["case", "d", "B", "K", "estimate", "high", "checks"].includes(name),
    ...{ verdict: { show: badge }, epsilon: { show: roundedUp }, bound: { show: roundedUp },
      low: { title: "found for certain: the lower limit of what the audit found" }, reached: { title: "low over bound" },
      checks: { title: "checks that differ in direction and δ only; the closest is shown" },
      neighbours: { title: "relation that ε and δ of this row are for" } }[name] }));
  return { parts: [element("h1", {}, "Audit"),
    element("p", {}, fallen ? badge("falls") : badge("stands"), fallen ? ` ${fallen} of ${total} checks refute a bound.` : ` Every bound stands in ${total} checks.`,
      " They use exact losses, quadrature, membership tests and canaries. A point above the dotted line would refute its bound."),
    plot, sortableTable({ caption: "Every bound beside what was found", columns: shown, rows, options: fromAddress(options, ""),
      changed: (now) => keepInAddress("", now) }), ...(DATA.red_team ? redTeam(options) : [])], draw };
}

function redTeam(options) {
  const columns = DATA.red_team.columns.map((name) => ({ epsilon: { name, show: roundedUp, title: "ε of the files of one guess" },
    silent: { name, title: "nothing found to guess from" }, allowed: { name, title: "probability of a right guess that ε allows" } })[name] ?? name);
  return [section("Red team",
    element("p", {}, "Attacks guess a label from published files. They must succeed on research files, which are not for release, and on no release."),
    sortableTable({ caption: "Right guesses of each attack", columns, rows: DATA.red_team.rows, options: fromAddress(options, "r"),
      changed: (now) => keepInAddress("r", now) }))];
}
