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

function definitions(pairs) {
  return element("dl", {}, pairs.map(([term, text]) => [element("dt", {}, term), element("dd", {}, text)]));
}

// choices: [value, text] pairs
function select(label, choices, chosen, change, disabled = false) {
  const options = choices.map(([value, text]) => element("option", { value, selected: value === chosen }, text));
  const list = element("select", { disabled, onchange: (event) => change(event.target.value) }, options);
  return element("label", {}, label, list);
}

function badge(word) { return element("span", { class: `badge ${word.split(" ")[0]}` }, word); }

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

// An ε or a bound on it, to four digits and never below: what is shown must hold, too.
function roundedUp(value) {
  if (typeof value !== "number" || !(value > 0) || !Number.isFinite(value)) return formatted(value);
  const near = value.toPrecision(4);
  const unit = 10 ** (Number(value.toExponential().split("e")[1]) - 3);
  return String(Number(Number(near) < value ? (Number(near) + unit).toPrecision(4) : near));
}

function isEpsilon(metric) { return metric.startsWith("epsilon_") || metric === "privacy_loss"; }

// What all plots share, in the page's own colours.
function layoutOf(more = {}) {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const axis = { gridcolor: colour("line"), zerolinecolor: colour("line"), linecolor: colour("quiet"), automargin: true };
  const { xaxis = {}, yaxis = {}, ...rest } = more;
  return {
    paper_bgcolor: colour("back"), plot_bgcolor: colour("back"), font: { color: colour("text"), size: 13 },
    margin: { l: 55, r: 15, t: 15, b: 45 }, hovermode: "closest", legend: { orientation: "h", yref: "container", y: 0, yanchor: "bottom" },
    hoverlabel: { align: "left" }, xaxis: { ...axis, ...xaxis }, yaxis: { ...axis, ...yaxis }, ...rest,
  };
}

const BUTTONS = ["zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "autoScale2d", "resetScale2d"];
const PLAIN = { displaylogo: false, responsive: true, modeBarButtons: [BUTTONS] };

// Labels in hover texts and legends: Plotly reads a few tags there, so that all markup is taken from them.
function plain(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("$", "&#36;");
}

// Okabe and Ito's colours, which can be told apart by colour-blind readers, but for their yellow; dashes come with them.
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7f7f7f"];
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];
const MARKERS = ["circle", "square", "diamond", "triangle-up", "x", "cross", "star"];

function look(place) {
  return { colour: COLOURS[place % COLOURS.length], marker: MARKERS[place % MARKERS.length],
    dash: DASHES[Math.floor(place / COLOURS.length) % DASHES.length] };
}
