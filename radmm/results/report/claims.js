// Verdicts on the paper's claims, one for each data set.

const WORDS = ["holds", "no difference", "mixed", "undecided", "fails", "not tested"];

function dataSetsOfClaims() { return [...new Set(DATA.claims.flatMap(({ verdicts }) => Object.keys(verdicts)))]; }

// What a claim says, its effect, and, folded, what the verdict rests on.
function claimText({ says, ours, place, effect, margin, evidence, counts, condition, exceptions, not_tested: missing }) {
  const facts = [["place", ours ? `added by us, at ${place}` : place], ["effect", `${effect} in the median case; smallest that matters: ${margin}`],
    ["cases", WORDS.filter((word) => counts[word]).map((word) => `${counts[word]} ${word}`).join(", ")], ["evidence", evidence],
    ["holds only if", condition], ["fails at", exceptions.join("; ")], ["not tested", missing.join("; ")]];
  return [says, folded("Evidence", definitions(facts.filter(([, text]) => text)))];
}

function verdictTable(options) {
  const bySentence = new Map(DATA.claims.map((claim) => [claim.says, claim]));
  const dataSets = dataSetsOfClaims();
  const rows = DATA.claims.map(({ says, figure, effect, verdicts }) => [...dataSets.map((name) => verdicts[name] ?? null), says, effect, figure]);
  const columns = [...dataSets.map((name) => ({ name, show: badge, title: `the verdict on the data set ${name}` })),
    { name: "claim", wide: true, show: (says) => claimText(bySentence.get(says)) },
    { name: "effect", title: "in the median case, with its interval" },
    { name: "figure", show: (name) => element("a", { href: `#experiment/${encodeURIComponent(name)}` }, name) }];
  return sortableTable({ caption: "Verdicts on the claims", columns, rows, options: fromAddress(options, "v"),
    changed: (now) => keepInAddress("v", now) });
}

// The claims that a figure is about, to stand beside it.
function claimsBeside(experiment) {
  const own = DATA.claims.filter(({ figure }) => figure === experiment.name);
  if (!own.length) return null;
  return element("aside", { "aria-label": "Claims about this figure" }, element("h2", {}, "Claims"), own.map((claim) =>
    element("div", { class: "claim" }, Object.entries(claim.verdicts).map(([data, word]) =>
      [badge(word), dataSetsOfClaims().length > 1 ? ` ${data} ` : " "]), claimText(claim))));
}
