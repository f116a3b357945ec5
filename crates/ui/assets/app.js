// The page: which view is shown, and what is asked how often.

import { Refused, look, takeTokenFromAddress } from "./api.js";
import { draw, lately, makeCharts, rowsOf } from "./charts.js";
import { askForToken, controls, showMode, wireHeader } from "./controls.js";
import { button, byId, el, setText } from "./dom.js";
import { bytes, bytesRate, count, duration, rate } from "./format.js";
import { ErrorsView, ExclusionsView, ExplainView, HostsView, PagesView, TrapsView, ledgerView, outputsView } from "./views.js";

const EVERY_MS = 1000;
const VIEW_EVERY_MS = 2000;
const RECENT_ROWS = 600;

const shared = {
  snapshot: null,
  now: () => shared.snapshot?.now_ms ?? Date.now(),
  explain: (subject) => {
    location.hash = "explain";
    view("explain").ask(subject);
  },
};

class OverviewView {
  constructor() {
    this.charts = makeCharts();
    this.rows = [];
    this.span = "recent";
    this.tiles = el("dl", { class: "tiles" });
    this.values = new Map();
    this.spans = ["recent", "whole"].map((span) =>
      button(span === "recent" ? "10 minutes" : "Whole run", () => this.choose(span), { "aria-pressed": String(span === this.span) }));
    this.element = el("div", {}, this.tiles,
      el("div", { class: "toolbar", role: "group", "aria-label": "Span of the charts" }, ...this.spans),
      el("div", { class: "charts" }, ...this.charts.map((chart) => chart.element)));
    new ResizeObserver(() => draw(this.charts, this.rows)).observe(this.element);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw(this.charts, this.rows));
  }

  choose(span) {
    this.span = span;
    this.rows = [];
    this.spans.forEach((one, index) => one.setAttribute("aria-pressed", String(["recent", "whole"][index] === span)));
    return this.refresh();
  }

  /** Of the last minutes only what is new is asked for. */
  async refresh() {
    const span = this.span;
    const since = span === "recent" && this.rows.length ? this.rows[this.rows.length - 1].now_ms : 0;
    const fresh = rowsOf(await look(`/api/v1/history?span=${span}&since=${since}`));
    if (span !== this.span) return;
    this.rows = span === "recent" ? [...this.rows, ...fresh].slice(-RECENT_ROWS) : fresh;
    draw(this.charts, this.rows);
    if (shared.snapshot) this.showTiles(shared.snapshot);
  }

  showTiles(snapshot) {
    const { resources, strain } = snapshot;
    const failed = Object.values(snapshot.failures).reduce((sum, value) => sum + value, 0);
    this.tile("Pages", count(snapshot.pages), snapshot.limit ? `of ${count(snapshot.limit)}` : rate(lately(this.rows, "pages_total")));
    this.tile("Bodies", bytes(snapshot.bytes), bytesRate(lately(this.rows, "bytes_total")));
    this.tile("URLs known", count(snapshot.discovered), `${count(snapshot.queued)} queued`);
    this.tile("Hosts", count(snapshot.hosts), `${count(snapshot.hosts_active)} active, ${count(snapshot.hosts_waiting)} waiting`);
    this.tile("Under way", count(snapshot.in_flight), `of ${count(strain.slots)}`);
    this.tile("Failed attempts", count(failed), `${count(snapshot.parked)} URLs parked`);
    this.tile("Memory", resources.memory.process ? bytes(resources.memory.process) : "–", "the process");
    this.tile("Crawling for", duration(snapshot.elapsed_ms), "over all runs");
  }

  tile(name, value, note) {
    if (!this.values.has(name)) {
      const [main, small] = [el("span"), el("small")];
      this.values.set(name, { main, small });
      this.tiles.append(el("div", { class: "tile" }, el("dt", {}, name), el("dd", {}, main, small)));
    }
    const { main, small } = this.values.get(name);
    setText(main, value);
    setText(small, note);
  }
}

const VIEWS = {
  overview: ["Overview", () => new OverviewView(), EVERY_MS],
  hosts: ["Hosts", () => new HostsView(shared), VIEW_EVERY_MS],
  pages: ["Pages", () => new PagesView(), VIEW_EVERY_MS],
  errors: ["Errors", () => new ErrorsView(), VIEW_EVERY_MS],
  exclusions: ["Exclusions", () => new ExclusionsView(), VIEW_EVERY_MS],
  traps: ["Traps", () => new TrapsView(), 5 * VIEW_EVERY_MS],
  ledger: ["Ledger", ledgerView, VIEW_EVERY_MS],
  outputs: ["Outputs", outputsView, 5 * VIEW_EVERY_MS],
  explain: ["Explain", () => new ExplainView(), EVERY_MS],
  control: ["Control", () => ({ element: controls(), refresh() {} }), EVERY_MS],
};

const made = new Map();
let shown = null;
let refreshedAt = 0;

function view(name) {
  if (!made.has(name)) made.set(name, VIEWS[name][1]());
  return made.get(name);
}

function show() {
  const asked = location.hash.slice(1);
  const name = Object.hasOwn(VIEWS, asked) ? asked : "overview";
  if (name === shown) return;
  shown = name;
  for (const link of byId("nav").querySelectorAll("a")) {
    if (link.hash === `#${name}`) {
      link.setAttribute("aria-current", "page");
      // Once the bar has its width: on a phone it is scrolled.
      requestAnimationFrame(() => link.scrollIntoView({ block: "nearest", inline: "center" }));
    } else link.removeAttribute("aria-current");
  }
  document.title = `${VIEWS[name][0]} · Drumlin`;
  byId("main").replaceChildren(view(name).element);
  refresh();
}

async function refresh() {
  refreshedAt = performance.now();
  try {
    await view(shown).refresh();
  } catch (error) {
    trouble(error);
  }
}

async function tick() {
  if (document.hidden) return;
  try {
    const standing = await look("/api/v1/snapshot");
    shared.snapshot = standing.snapshot;
    head(standing);
    byId("trouble").hidden = true;
  } catch (error) {
    return trouble(error);
  }
  if (performance.now() - refreshedAt >= VIEWS[shown][2] - EVERY_MS / 2) await refresh();
}

function head({ crawl, mode, because }) {
  setText(byId("crawl"), crawl);
  badge(mode, mode);
  const colon = because.indexOf(":");
  const [what, evidence] = colon < 0 ? [because, ""] : [because.slice(0, colon), because.slice(colon)];
  setText(byId("evidence"), evidence);
  // It is read aloud when it changes: the evidence does so all the time.
  if (byId("bottleneck").dataset.said === what) return;
  byId("bottleneck").dataset.said = what;
  byId("bottleneck").replaceChildren("Bottleneck: ", el("strong", {}, what));
}

function badge(text, mode) {
  setText(byId("mode"), text);
  byId("mode").className = `badge ${mode}`;
  showMode(mode);
}

async function trouble(error) {
  if (error instanceof Refused && error.status === 401 && !byId("dialog").open) {
    await askForToken();
    return;
  }
  const lost = !(error instanceof Refused);
  byId("trouble").hidden = false;
  setText(byId("trouble"), lost ? "The crawl does not answer: it has ended, or this machine cannot reach it. What is shown is how it was." : error.message);
  if (lost) badge("not reached", "lost");
  else if (error.status === 503) badge("being recovered", "recovering");
}

async function run() {
  const started = performance.now();
  await tick();
  setTimeout(run, Math.max(100, EVERY_MS - (performance.now() - started)));
}

takeTokenFromAddress();
for (const [name, [title]] of Object.entries(VIEWS)) {
  byId("nav").append(el("li", {}, el("a", { href: `#${name}` }, title)));
}
wireHeader();
byId("skip").addEventListener("click", (event) => {
  // The fragment of the address says which view is shown.
  event.preventDefault();
  byId("main").focus();
});
addEventListener("hashchange", () => {
  takeTokenFromAddress();
  show();
});
show();
run();
