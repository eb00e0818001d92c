// A table that sorts by any column, and shows the rows that have all words of a filter.

const MOST_ROWS = 400;

// columns: texts, or {name, title, show} where `show` makes an element of a value.
function sortableTable({ caption, columns, rows, options, changed, tools = [] }) {
  const shown = columns.map((column) => (typeof column === "string" ? { name: column } : column));
  let { sort = "", filter = "" } = options;
  let most = MOST_ROWS;
  const head = element("tr");
  const body = element("tbody");
  const count = element("p", { class: "quiet", role: "status" });
  const more = element("button", { type: "button", onclick: () => { most = Infinity; draw(); } }, "Show all rows");

  function chosen() {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const found = rows.filter((row) => {
      const text = row.map((value) => value ?? "").join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const place = shown.findIndex((column) => column.name === sort.replace(/^-/, ""));
    if (place < 0) return found;
    const sign = sort.startsWith("-") ? -1 : 1;
    return [...found].sort((one, other) => sign * compare(one[place], other[place]) || 0);
  }

  function draw() {
    const found = chosen();
    head.replaceChildren(...shown.map((column) => {
      const direction = sort === column.name ? "ascending" : sort === `-${column.name}` ? "descending" : "none";
      const arrow = { ascending: " ▲", descending: " ▼", none: "" }[direction];
      return element("th", { "aria-sort": direction, scope: "col", title: column.title },
        element("button", { type: "button", onclick: () => order(column.name) }, column.name + arrow));
    }));
    body.replaceChildren(...found.slice(0, most).map((row) => element("tr", {}, row.map((value, place) =>
      element("td", { class: typeof value === "number" ? "number" : null },
        shown[place].show && value !== null ? shown[place].show(value) : formatted(value))))));
    count.textContent = `${found.length} of ${rows.length} rows`;
    more.hidden = found.length <= most;
  }

  function order(name) {
    sort = sort === name ? `-${name}` : name;
    const place = shown.findIndex((column) => column.name === name);
    draw();
    head.children[place].firstChild.focus();
    changed({ sort, filter });
  }

  const search = element("input", { type: "search", value: filter, oninput: (event) => {
    filter = event.target.value;
    draw();
    changed({ sort, filter });
  } });
  const save = () => download(`${caption}.csv`, "text/csv", asCsv(shown.map((column) => column.name), chosen()));
  draw();
  return element("div", {},
    element("div", { class: "controls" }, element("label", {}, "Filter: rows with all these words", search), ...tools,
      element("button", { type: "button", onclick: save }, "Download these rows (CSV)")),
    count,
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      element("table", {}, element("caption", {}, caption), element("thead", {}, head), body)),
    more);
}

// Numbers by size, texts by the alphabet, nothing last.
function compare(one, other) {
  if (one === null || other === null) return (one === null) - (other === null);
  if (Number.isFinite(Number(one)) && Number.isFinite(Number(other))) return one - other;
  return String(one) < String(other) ? -1 : Number(String(one) > String(other));
}
