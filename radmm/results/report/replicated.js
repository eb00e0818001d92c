// A replication: pairs of methods at equal budgets, over many splits and graphs.

function replicatedPage(study, options) {
  const verdicts = [{ name: "verdict", show: badge }, "more accurate", "than", "at", { name: "better", title: "cases in which the first is better" },
    { name: "no difference", title: "cases in which they differ by less than the margin" }, { name: "worse", title: "cases in which it is worse" },
    "undecided"];
  const shown = study.columns.map((name) => ({ outcome: { name, show: badge, title: "holds if the method has the smaller error" } })[name] ?? name);
  const parts = [element("h1", {}, `${study.name}: pairs of methods at equal budgets`),
    element("div", { class: "lead" }, study.sentences.map((text) => element("p", {}, text))),
    study.said.map((text) => element("p", {}, text)),
    element("p", {}, `Of every ε and P(T): ${study.assumed.join("; ")}.`),
    section("Verdicts", element("p", { class: "quiet" }, study.rule.replaceAll("*", "")),
      sortableTable({ caption: `Verdicts of ${study.name}`, columns: verdicts, rows: study.verdicts,
        options: fromAddress(options, "v"), changed: (now) => keepInAddress("v", now) })),
    section("Figure", picture(study.figure, `The figure ${study.name}; its numbers are in the table below`)),
    section("Table", sortableTable({ caption: `Differences in ${study.name}`, columns: shown, rows: study.rows,
      options: fromAddress(options, "t"), changed: (now) => keepInAddress("t", now) })),
    section("Source", filesOf(study), element("p", {}, "The runs are in replicated/, one file for each method and cell."))];
  return { parts: parts.flat(), draw: () => {} };
}
