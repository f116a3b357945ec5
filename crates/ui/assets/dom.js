// Elements. Text from anywhere becomes text and nothing else: there is no way in here to make markup of it.

export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === "class") element.className = value;
    else if (name in element && typeof value !== "string") element[name] = value;
    else if (value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A link to a page of the web, if that is where it leads; its text otherwise. */
export function webLink(url) {
  const isWeb = /^https?:\/\//i.test(url);
  if (!isWeb) return document.createTextNode(url);
  return el("a", { href: url, rel: "noopener noreferrer nofollow", target: "_blank", referrerpolicy: "no-referrer" }, url);
}

export const button = (text, listener, properties = {}) =>
  el("button", { type: "button", on: { click: listener }, ...properties }, text);

export const labelled = (text, control, properties = {}) => el("label", properties, el("span", {}, text), control);

/**
 * A table that is brought up to date in place, so that focus and scrolling stay where they are: what has not changed is not
 * touched, and rows that go are used again for those that come.
 * Columns: title, cell(row) → text, or make() → { element, show(row) }; number?, className?, tint?, sort? (a word for onSort),
 * head? (names the row).
 * On a phone the rows of a table of more than three columns are cards (style.css). Laid out so, it is no table to a screen reader but by its roles.
 */
export class Table {
  constructor({ caption, columns, key, empty, onSort, sort }) {
    Object.assign(this, { columns, key, rows: new Map() });
    this.headers = new Map();
    const heads = columns.map((column) => this.head(column, onSort));
    this.body = el("tbody", { role: "rowgroup" });
    // As wide as what is seen of the table, which may be wider.
    this.caption = el("caption", {}, el("span", {}, caption));
    const head = el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ...heads));
    this.table = el("table", { role: "table", class: columns.length > 3 ? "cards" : "" }, this.caption, head, this.body);
    this.empty = el("p", { class: "empty" }, empty);
    this.element = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, this.table, this.empty);
    if (sort) this.markSort(sort);
    this.update([]);
  }

  head(column, onSort) {
    const content = column.sort ? button(column.title, () => onSort(column.sort)) : column.title;
    const head = el("th", { scope: "col", role: "columnheader", class: column.number ? "number" : "" }, content);
    if (column.sort) this.headers.set(column.sort, { head, ascending: column.ascending });
    return head;
  }

  markSort(sort) {
    for (const [word, { head, ascending }] of this.headers) {
      if (word === sort) head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    }
  }

  update(rows) {
    const coming = new Map(rows.map((row) => [this.key(row), row]));
    const spare = [...this.rows].filter(([key]) => !coming.has(key)).map(([, known]) => known);
    // Whoever stands in a row that goes does not find himself in another.
    const free = spare.filter(({ element }) => !element.contains(document.activeElement)).reverse();
    const kept = new Map();
    let place = this.body.firstChild;
    for (const [key, row] of coming) {
      const known = this.rows.get(key) ?? free.pop() ?? this.make();
      this.fill(known, row);
      kept.set(key, known);
      if (known.element === place) place = place.nextSibling;
      else this.body.insertBefore(known.element, place);
    }
    const used = new Set(kept.values());
    for (const known of spare) if (!used.has(known)) known.element.remove();
    this.rows = kept;
    this.table.hidden = kept.size === 0;
    this.empty.hidden = kept.size > 0;
  }

  make() {
    const cells = this.columns.map((column) => {
      const name = [column.number ? "number" : "", column.className ?? ""].join(" ").trim();
      if (column.head) return el("th", { scope: "row", role: "rowheader", class: name });
      return el("td", { role: "cell", class: name, "data-title": column.title });
    });
    const made = this.columns.map((column) => column.make?.());
    made.forEach((one, index) => one && cells[index].append(one.element));
    return { element: el("tr", { role: "row" }, ...cells), cells, made, values: [] };
  }

  fill(known, row) {
    this.columns.forEach((column, index) => {
      if (column.make) return known.made[index].show(row);
      const value = column.cell(row);
      if (known.values[index] === value) return;
      known.values[index] = value;
      known.cells[index].textContent = value;
      if (column.tint) known.cells[index].className = `${column.className ?? ""} ${column.tint(row)}`.trim();
    });
  }
}
