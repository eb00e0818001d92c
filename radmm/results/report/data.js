// What the page shows, and the numbers of its curves, which are base64 of 32 bits each.
"use strict";

const DATA = JSON.parse(document.getElementById("data").textContent);

const unpacked = new Map();

function unpack(text) {
  if (!unpacked.has(text)) {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    unpacked.set(text, Float32Array.from({ length: bytes.length / 4 }, (_, place) => view.getFloat32(4 * place, true)));
  }
  return unpacked.get(text);
}

// Iterations that are kept, or their number if these are all.
function iterationsOf(at) { return typeof at === "number" ? Array.from({ length: at }, (_, iteration) => iteration) : at; }

// {at, mean, min, max}: a metric of a setting over its iterations; null where the setting has no such metric.
function statisticsOf(setting, metric) {
  const trace = DATA.traces[setting];
  const found = trace && trace.statistics[metric];
  if (!found) return null;
  const mean = unpack(found.mean);
  return { at: iterationsOf(trace.at), mean, min: found.min ? unpack(found.min) : mean, max: found.max ? unpack(found.max) : mean };
}

// A list of {at, values}, one for each run; a single one where all runs are alike.
function runsOf(setting, metric) {
  const trace = DATA.traces[setting];
  if (!trace.runs[metric]) {
    const all = statisticsOf(setting, metric);
    return all ? [{ at: all.at, values: all.mean }] : [];
  }
  const values = unpack(trace.runs[metric]);
  const at = iterationsOf(trace.at_single);
  return Array.from({ length: values.length / at.length }, (_, run) => ({
    at, values: values.subarray(run * at.length, (run + 1) * at.length),
  }));
}

// What the horizontal axis shows at each kept iteration; null where the setting has no such thing.
function alongOf(setting, name) {
  const { at, along, statistics } = DATA.traces[setting];
  if (name === "iteration") return iterationsOf(at);
  const found = along[name] ?? (statistics[name] && statistics[name].mean);
  return found ? unpack(found) : null;
}

function nameOf(metric) { return DATA.metrics[metric][0]; }
function meaningOf(metric) { return DATA.metrics[metric][1]; }

// A view is in the address: #page/name?option=value
function readAddress() {
  const [path, query] = window.location.hash.replace(/^#/, "").split("?");
  return { path: path || "overview", options: new URLSearchParams(query || "") };
}

// Changes the address without leaving the page, so that it can be shared.
function writeOptions(options) {
  const kept = new URLSearchParams(Object.entries(options).filter(([, value]) => value !== null && value !== ""));
  const query = kept.toString();
  window.history.replaceState(null, "", `#${readAddress().path}${query ? `?${query}` : ""}`);
}

function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// What leaves the page says in each row that it is not for release.
function asCsv(columns, rows) {
  const cell = (value) => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ""));
  const marked = [[...columns, "note"], ...rows.map((row) => [...row, DATA.notices[0]])];
  return marked.map((row) => row.map(cell).join(",")).join("\n") + "\n";
}
