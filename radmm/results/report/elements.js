// Elements of a page. Texts become text nodes, never HTML: a label may say whatever it likes.

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined).map((child) =>
    child instanceof Node ? child : document.createTextNode(String(child))));
  return made;
}

function section(title, ...children) { return element("section", {}, element("h2", {}, title), ...children); }

function quiet(...children) { return element("p", { class: "quiet" }, ...children); }

function folded(summary, ...children) { return element("details", {}, element("summary", {}, summary), ...children); }

function definitions(pairs) {
  return element("dl", {}, pairs.map(([term, text]) => [element("dt", {}, term), element("dd", {}, text)]));
}

// choices: [value, text] pairs
function select(label, choices, chosen, change, disabled = false) {
  const options = choices.map(([value, text]) => element("option", { value, selected: value === chosen }, text));
  const list = element("select", { disabled, onchange: (event) => change(event.target.value) }, options);
  return element("label", {}, label, list);
}

// [{text, checked, flip}] in a frame.
function checkboxes(title, boxes) {
  return element("fieldset", {}, element("legend", {}, title), boxes.map(({ text, checked, flip }) =>
    element("label", {}, element("input", { type: "checkbox", checked, onchange: flip, "data-path": `${title} ${text}` }), text)));
}

// A command with a button that copies it; where the browser refuses, the command stays selected. Lines end between words.
function command(text) {
  const shown = element("code", { tabindex: "0" }, text.split(" ").flatMap((word) => [element("span", {}, word), " "]));
  const button = element("button", { type: "button", onclick: async () => {
    window.getSelection().selectAllChildren(shown);
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } }, "Copy");
  return element("div", { class: "command" }, shown, button);
}

// A figure, which is drawn for a white page; on a dark one, style.css inverts it.
function picture(svg, alt) {
  return element("img", { class: "drawn", src: URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })), alt });
}

function badge(word) { return element("span", { class: `badge ${word.split(" ")[0]}` }, word); }

function links(pairs) { return element("p", { class: "links" }, pairs.map(([text, href]) => element("a", { href }, text))); }

function traceLink(id) {
  return element("a", { href: `traces/${encodeURIComponent(id)}.parquet`, title: `the trace of ${id}` }, id);
}

function settingLink(id) {
  return element("a", { href: `#settings?filter=${encodeURIComponent(id)}`, title: `the setting ${id}` }, id);
}

function formatted(value) {
  if (typeof value !== "number") return value ?? "";
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  return String(Number(value.toPrecision(4)));
}

function percent(share) { return `${(100 * share).toFixed(1)} %`; }

// A difference of shares, like +0.3 points; a dash where it isn't known.
function inPoints(difference) {
  return difference === null ? "–" : `${difference < 0 ? "−" : "+"}${Math.abs(100 * difference).toFixed(1)} points`;
}

// An ε or a bound on it, to four digits and never below: what is shown must hold, too.
function roundedUp(value) {
  if (typeof value !== "number" || !(value > 0) || !Number.isFinite(value)) return formatted(value);
  const near = value.toPrecision(4);
  const unit = 10 ** (Number(value.toExponential().split("e")[1]) - 3);
  return String(Number(Number(near) < value ? (Number(near) + unit).toPrecision(4) : near));
}

function isEpsilon(metric) { return metric.startsWith("epsilon_") || metric === "privacy_loss"; }

// What all plots share. They are drawn for a white page, like the figures.
function layoutOf({ xaxis = {}, yaxis = {}, ...more } = {}) {
  const axis = { gridcolor: "#dde1e6", zerolinecolor: "#dde1e6", linecolor: "#4d5560", automargin: true, exponentformat: "power" };
  return {
    paper_bgcolor: "#ffffff", plot_bgcolor: "#ffffff", font: { color: "#1b1f24", size: 13 }, margin: { l: 55, r: 15, t: 15, b: 45 },
    hovermode: "closest", legend: { orientation: "h", yref: "container", y: 0, yanchor: "bottom" }, hoverlabel: { align: "left" },
    xaxis: { ...axis, ...xaxis }, yaxis: { ...axis, ...yaxis }, ...more,
  };
}

const BUTTONS = ["zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "autoScale2d", "resetScale2d"];
const PLAIN = { displaylogo: false, responsive: true, modeBarButtons: [BUTTONS] };

// Labels in hover texts and legends: Plotly reads a few tags there, so that all markup is taken from them.
function plain(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("$", "&#36;");
}
