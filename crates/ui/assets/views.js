// The views beside the charts. Each: element, and refresh(), called while it is shown.

import { look } from "./api.js";
import { exclude } from "./controls.js";
import { Table, button, el, labelled, setText, webLink } from "./dom.js";
import { bytes, clock, count, duration, moment, until } from "./format.js";

/** Rows that are kept up to date: more than fit on a screen. */
const HOST_ROWS = 50;

const ORDERS = [["listed", "by the column chosen"], ["stored", "those on disk, as they lie"]];

export class HostsView {
  constructor(shared) {
    Object.assign(this, { shared, sort: "pending", next: null, rows: [], freshUntil: 0 });
    this.search = el("input", { type: "search", autocomplete: "off", spellcheck: "false" });
    this.search.addEventListener("input", () => this.find());
    this.order = el("select", {}, ...ORDERS.map(([value, text]) => el("option", { value }, text)));
    this.order.addEventListener("change", () => this.restart());
    this.table = new Table({
      caption: "Hosts", key: (row) => row.host, sort: this.sort, onSort: (sort) => this.sortBy(sort),
      empty: "No host matches. The whole name of one finds it wherever it lies.",
      columns: this.columns(),
    });
    this.more = button("More hosts", () => this.load());
    this.note = el("p", { class: "note", role: "status" });
    this.element = el("div", {},
      el("div", { class: "toolbar" }, labelled("Search for a host", this.search, { class: "grow" }), labelled("Order", this.order), this.note),
      this.table.element, el("div", { class: "toolbar" }, this.more));
  }

  columns() {
    return [
      { title: "Host", head: true, cell: (row) => row.host, sort: "name", ascending: true, className: "wide" },
      { title: "State", cell: (row) => row.state, tint: (row) => `state-${row.state}`, className: "nowrap" },
      { title: "Due", cell: (row) => (row.state === "wait" ? until(row.until_ms, this.shared.now()) : "–"), sort: "until", ascending: true, className: "nowrap" },
      { title: "Why", cell: (row) => row.why, className: "wide" },
      { title: "URLs", number: true, cell: (row) => count(row.pending), sort: "pending" },
      { title: "Put off", number: true, cell: (row) => count(row.deferred) },
      { title: "Contacts", number: true, cell: (row) => count(row.contacts), sort: "contacts" },
      { title: "Last answer", number: true, cell: (row) => (row.contacts ? duration(row.last_response_ms) : "–"), sort: "response" },
      { title: "Failures", number: true, cell: (row) => count(row.failures), sort: "failures" },
      { title: "Lies in", cell: (row) => row.place, className: "nowrap" },
      { title: "Actions", make: () => this.actions(), className: "nowrap" },
    ];
  }

  actions() {
    let host = null;
    const explain = button("Explain", () => this.shared.explain(host), { class: "small" });
    const out = button("Exclude", () => exclude({ host }, false), { class: "small danger" });
    const show = (row) => {
      if (row.host === host) return;
      host = row.host;
      explain.setAttribute("aria-label", `Explain ${host}`);
      out.setAttribute("aria-label", `Exclude ${host}`);
    };
    return { element: el("div", { class: "actions" }, explain, out), show };
  }

  sortBy(sort) {
    this.sort = sort;
    this.order.value = "listed";
    return this.restart();
  }

  restart() {
    this.next = null;
    return this.load();
  }

  /** One search at a time: what is typed meanwhile is looked for next. */
  async find() {
    this.wanted = true;
    if (this.finding) return;
    this.finding = true;
    try {
      while (this.wanted) {
        this.wanted = false;
        await this.restart();
      }
    } finally {
      this.finding = false;
    }
  }

  /** Only the first page is kept up to date: who has asked for more is reading. */
  refresh() {
    const now = performance.now();
    if (this.rows.length > HOST_ROWS || this.order.value === "stored" || now < this.freshUntil) return undefined;
    return this.restart();
  }

  /** Whoever has pressed something is told why nothing came of it. */
  async load() {
    try {
      await this.loadPage();
      this.note.className = "note";
    } catch (error) {
      this.note.className = "note bad";
      setText(this.note, error.message);
    }
  }

  async loadPage() {
    const sort = this.order.value === "stored" ? "stored" : this.sort;
    const asked = { q: this.search.value, sort, limit: HOST_ROWS, after: this.next ?? "" };
    this.table.markSort(sort);
    const page = await look(`/api/v1/hosts?${new URLSearchParams(asked)}`);
    if (asked.q !== this.search.value || (this.order.value === "stored" ? "stored" : this.sort) !== sort) return;
    this.rows = asked.after ? [...this.rows, ...page.rows] : page.rows;
    this.next = page.next;
    this.freshUntil = performance.now() + page.keeps_ms;
    this.more.hidden = !page.next;
    this.table.update(this.rows);
    setText(this.note, this.said(sort, page));
  }

  said(sort, page) {
    if (sort === "stored") return `${count(this.rows.length)} that match so far; those in memory are not among them`;
    const looked = `${count(this.rows.length)} of ${count(page.matching)} that match, of ${count(page.seen)} as of ${page.age_ms < 1000 ? "now" : `${duration(page.age_ms)} ago`}`;
    return page.sampled ? `${looked}: a sample, there are more on disk (choose the other order for all, or search for a whole name)` : looked;
  }
}

export class PagesView {
  constructor() {
    this.known = new Map();
    this.list = el("div", { class: "pages" });
    this.empty = el("p", { class: "empty" }, "No page has been parsed since this server was started.");
    this.hold = el("input", { type: "checkbox" });
    this.element = el("div", {},
      el("div", { class: "toolbar" },
        el("p", { class: "note grow" }, "Some of the pages parsed lately; on a fast crawl not all of them."),
        el("label", { class: "check" }, this.hold, "hold still")),
      this.empty, this.list);
  }

  async refresh() {
    if (this.hold.checked) return;
    const { pages } = await look("/api/v1/pages");
    const kept = new Map();
    let place = this.list.firstChild;
    for (const page of pages) {
      const key = `${page.fetched_ms} ${page.url}`;
      const element = this.known.get(key) ?? this.make(page);
      kept.set(key, element);
      if (element === place) place = place.nextSibling;
      else this.list.insertBefore(element, place);
    }
    // What is open is being read.
    for (const [key, element] of this.known) {
      if (kept.has(key)) continue;
      if (element.open) kept.set(key, element);
      else element.remove();
    }
    this.known = kept;
    this.empty.hidden = kept.size > 0;
  }

  make(page) {
    const meta = [clock(page.fetched_ms), page.status, page.language, `depth ${page.depth}`, bytes(page.text_bytes), `${count(page.links_found)} links`];
    const details = el("details", {}, el("summary", {},
      el("span", { class: "title" }, page.title || "(no title)"),
      el("span", {}, page.url),
      el("span", { class: "meta" }, meta.filter(Boolean).join(" · "))));
    details.addEventListener("toggle", () => details.open && details.childElementCount === 1 && details.append(this.body(page)));
    return details;
  }

  body(page) {
    const cut = page.text_bytes > new Blob([page.text]).size ? " …" : "";
    const links = page.links.map((url) => el("li", {}, webLink(url)));
    const rest = page.links_found - page.links.length;
    return el("div", {},
      el("p", {}, webLink(page.url)),
      el("div", { class: "text", tabindex: "0", role: "region", "aria-label": "Text" }, page.text ? page.text + cut : "(no text)"),
      el("h3", {}, `Links in scope (${count(page.links_found)})`),
      links.length ? el("ul", { class: "links" }, ...links) : el("p", { class: "note" }, "none"),
      rest > 0 ? el("p", { class: "note" }, `and ${count(rest)} more`) : null);
  }
}

const shares = (counts) => {
  const total = Object.values(counts).reduce((sum, value) => sum + value, 0);
  return Object.entries(counts)
    .map(([name, value]) => ({ name, value, share: total ? value / total : 0 }))
    .sort((a, b) => b.value - a.value);
};

const countsTable = (caption, name, empty) => new Table({
  caption, empty, key: (row) => row.name,
  columns: [
    { title: name, head: true, cell: (row) => row.name, className: "wide" },
    { title: "Count", number: true, cell: (row) => count(row.value) },
    { title: "Share", number: true, cell: (row) => `${(row.share * 100).toFixed(1)} %` },
  ],
});

export class ErrorsView {
  constructor() {
    this.causes = countsTable("Failed attempts by cause", "Cause", "No attempt has failed.");
    this.statuses = countsTable("Final answers by status", "Status", "No page has been answered yet.");
    this.recent = new Table({
      caption: "What went wrong lately", key: (row) => `${row.at_ms} ${row.url}`,
      empty: "Nothing has gone wrong since this server was started.",
      columns: [
        { title: "When", cell: (row) => clock(row.at_ms), className: "nowrap" },
        { title: "Cause", cell: (row) => row.cause, className: "nowrap bad" },
        { title: "URL", head: true, cell: (row) => row.url, className: "wide half" },
        { title: "Detail", cell: (row) => row.detail, className: "long" },
      ],
    });
    this.element = el("div", {}, el("div", { class: "columns" }, this.causes.element, this.statuses.element), this.recent.element);
  }

  async refresh() {
    const errors = await look("/api/v1/errors");
    this.causes.update(shares(errors.causes));
    this.statuses.update(shares(errors.statuses));
    this.recent.update(errors.recent);
  }
}

export class ExclusionsView {
  constructor() {
    this.urls = countsTable("URLs excluded, by rule", "Rule", "No URL is excluded.");
    this.links = countsTable("Links not taken in, by rule (found twice counts twice)", "Rule", "Every link was in scope.");
    this.parked = el("p", { class: "note" });
    this.element = el("div", {}, el("div", { class: "columns" }, this.urls.element, this.links.element), this.parked);
  }

  async refresh() {
    const { urls, links, parked } = await look("/api/v1/exclusions");
    this.urls.update(shares(urls));
    this.links.update(shares(links));
    setText(this.parked, `${count(parked)} URLs are parked: they used up their attempts. Control has a retry for them.`);
  }
}

const listView = (path, part, table) => ({
  element: table.element,
  async refresh() {
    table.update((await look(path))[part]);
  },
});

export class TrapsView {
  constructor() {
    this.rules = new Table({
      caption: "URLs held back since the crawl began, by rule: each is counted once, when it is found, and waits longer; none is dropped, and some may have been fetched since", key: (row) => row.rule,
      empty: "There are no rules.",
      columns: [
        { title: "Rule", head: true, cell: (row) => row.rule, className: "nowrap" },
        { title: "About", cell: (row) => row.what, className: "wide" },
        { title: "Held back so far", number: true, cell: (row) => count(row.held_back) },
      ],
    });
    this.templates = new Table({
      caption: "Patterns of URLs that were held back most, since the crawl began", key: (row) => `${row.host} ${row.form}`,
      empty: "No pattern was held back.",
      columns: [
        { title: "Pattern", head: true, cell: (row) => row.form, className: "wide" },
        { title: "Host", cell: (row) => row.host, className: "wide" },
        { title: "Rule", cell: (row) => row.rule, className: "nowrap" },
        { title: "Fetched", number: true, cell: (row) => count(row.fetches) },
        { title: "With something new", number: true, cell: (row) => count(row.fresh) },
        { title: "Held back so far", number: true, cell: (row) => count(row.held_back) },
      ],
    });
    this.hosts = new Table({
      caption: "Now: hosts in memory some of whose URLs look like a trap", key: (row) => row.host,
      empty: "Nothing looks like a trap.",
      columns: [
        { title: "Host", head: true, cell: (row) => row.host, className: "wide" },
        { title: "Because", cell: (row) => row.reason, className: "wide" },
        { title: "Queues back", number: true, cell: (row) => count(row.queues) },
        { title: "URLs", number: true, cell: (row) => count(row.pending) },
        { title: "Put off", number: true, cell: (row) => count(row.deferred) },
      ],
    });
    this.now = el("p", { class: "note" });
    this.element = el("div", { class: "stack" }, this.now, this.rules.element, this.templates.element, this.hosts.element);
  }

  async refresh() {
    const { put_off, rules, templates, traps } = await look("/api/v1/traps");
    setText(this.now, `${count(put_off)} URLs are put off at this moment, by traps' rules and by the budgets of domains.`);
    this.rules.update(rules.sort((a, b) => b.held_back - a.held_back));
    this.templates.update(templates);
    this.hosts.update(traps);
  }
}

export const ledgerView = () => listView("/api/v1/ledger", "contacts", new Table({
  caption: "The latest contacts, each with the delay that applied to it, as the audit judges them", key: (row) => String(row.entry),
  empty: "Nobody has been contacted since this server was started.",
  columns: [
    { title: "Began", cell: (row) => moment(row.started_ms), className: "nowrap" },
    { title: "Host", head: true, cell: (row) => row.host, className: "wide" },
    { title: "Address", cell: (row) => row.address, className: "nowrap" },
    { title: "What", cell: (row) => row.what },
    { title: "Outcome", cell: (row) => row.outcome, className: "nowrap" },
    { title: "Took", number: true, cell: (row) => duration(row.took_ms) },
    { title: "Delay", cell: (row) => row.delay, className: "nowrap" },
    { title: "Kept with", number: true, cell: (row) => (row.to_spare_ms === null ? "–" : `${duration(row.to_spare_ms)} to spare`) },
  ],
}));

export const outputsView = () => listView("/api/v1/outputs", "outputs", new Table({
  caption: "What the crawl has made, in its directory", key: (row) => row.path,
  empty: "Nothing yet.",
  columns: [
    { title: "Path", head: true, cell: (row) => row.path, className: "nowrap" },
    { title: "What it is", cell: (row) => row.what },
    { title: "Files", number: true, cell: (row) => count(row.files) },
    { title: "Size", number: true, cell: (row) => bytes(row.bytes) },
  ],
}));

/** The first line names it; the others are two spaces, a word in ten columns, a space, and what it says. */
function account(text) {
  const [title, ...lines] = text.trimEnd().split("\n");
  const list = el("dl", { class: "facts" });
  for (const line of lines) {
    const [, name, content] = /^ {2}(.{10}) (.*)$/.exec(line) ?? [null, "", line];
    list.append(el("dt", {}, name.trim()), el("dd", {}, content.trim()));
  }
  return el("div", { class: "stack" }, el("h2", { class: "wide" }, title), list);
}

export class ExplainView {
  constructor() {
    this.input = el("input", { required: true, autocomplete: "off", spellcheck: "false", autocapitalize: "off", placeholder: "https://example.com/page or example.com" });
    this.answer = el("div", { "aria-live": "polite" }, el("p", { class: "empty" }, "Where a URL or a host stands, which rule decided, and what it waits for."));
    const form = el("form", { class: "toolbar" }, labelled("URL or host", this.input, { class: "grow" }), el("button", { type: "submit", class: "primary" }, "Explain"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask(this.input.value.trim());
    });
    this.element = el("div", {}, form, el("section", { class: "card" }, this.answer));
  }

  refresh() {}

  async ask(subject) {
    this.input.value = subject;
    const name = subject.includes("/") ? "url" : "host";
    const whole = name === "host" || subject.includes("://") ? subject : `http://${subject}`;
    try {
      const { text } = await look(`/api/v1/explain?${new URLSearchParams({ [name]: whole })}`);
      this.answer.replaceChildren(account(text));
    } catch (error) {
      this.answer.replaceChildren(el("p", { class: "bad" }, error.message));
    }
  }
}
