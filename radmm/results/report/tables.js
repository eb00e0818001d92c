// A table that sorts by any column, hides columns, and shows the rows that have all words of a filter.

const MOST_ROWS = 50;

// columns: texts, or {name, title, show, hidden, wide}: `show` makes an element of a value, `hidden` columns are not shown at first.
function sortableTable({ caption, columns, rows, options, changed }) {
  const every = columns.map((column) => (typeof column === "string" ? { name: column } : column));
  let { sort = "", filter = "", columns: named = "" } = options;
  let names = named ? named.split("|") : every.filter(({ hidden }) => !hidden).map(({ name }) => name);
  let most = MOST_ROWS;
  const head = element("tr");
  const body = element("tbody");
  const count = element("p", { class: "quiet", role: "status" });
  const chooser = element("details", { class: "columns" });
  const more = element("button", { type: "button", onclick: () => { most = Infinity; draw(); } }, "Show all rows");

  function chosen() {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const found = rows.filter((row) => {
      const text = row.map((value) => value ?? "").join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const place = every.findIndex((column) => column.name === sort.replace(/^-/, ""));
    if (place < 0) return found;
    const sign = sort.startsWith("-") ? -1 : 1;
    return [...found].sort((one, other) => sign * compare(one[place], other[place]) || 0);
  }

  function draw() {
    const found = chosen();
    const shown = every.filter(({ name }) => names.includes(name));
    head.replaceChildren(...shown.map((column) => {
      const direction = sort === column.name ? "ascending" : sort === `-${column.name}` ? "descending" : "none";
      const arrow = { ascending: " ▲", descending: " ▼", none: "" }[direction];
      return element("th", { "aria-sort": direction, scope: "col", title: column.title, class: column.wide ? "wide" : null },
        element("button", { type: "button", onclick: () => order(column.name) }, column.name + arrow));
    }));
    body.replaceChildren(...found.slice(0, most).map((row) => element("tr", {}, shown.map((column) => {
      const value = row[every.indexOf(column)];
      return element("td", { class: typeof value === "number" ? "number" : null },
        column.show && value !== null ? column.show(value) : formatted(value));
    }))));
    count.textContent = `${found.length} of ${rows.length} rows, ${shown.length} of ${every.length} columns`;
    more.hidden = found.length <= most;
    chooser.replaceChildren(element("summary", {}, "Columns"), checkboxes("Shown", every.map(({ name }) => ({ text: name,
      checked: names.includes(name), flip: () => flip(name) }))));
  }

  function flip(name) {
    names = every.map((column) => column.name).filter((each) => names.includes(each) !== (each === name));
    draw();
    tell();
  }

  function tell() { changed({ sort, filter, columns: names.join("|") }); }

  function order(name) {
    sort = sort === name ? `-${name}` : name;
    draw();
    head.children[names.indexOf(name)].firstChild.focus();
    tell();
  }

  const search = element("input", { type: "search", value: filter, oninput: (event) => {
    filter = event.target.value;
    draw();
    tell();
  } });
  const save = () => download(`${caption}.csv`, "text/csv", asCsv(every.map((column) => column.name), chosen()));
  draw();
  return element("div", {},
    element("div", { class: "controls" }, element("label", {}, "Filter: rows with all these words", search),
      element("button", { type: "button", onclick: save }, "Download these rows (CSV)"), chooser),
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
