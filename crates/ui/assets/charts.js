// Which charts there are, and what is drawn in them.

import { Chart } from "./chart.js";
import { bytes, bytesRate, duration, rate, short } from "./format.js";

/** What a column that only grows has grown by a second; over a few samples, so that it does not flicker. */
const growth = (name) => (row, before) => {
  const seconds = (row.now_ms - before.now_ms) / 1000;
  return seconds > 0 ? Math.max(0, row[name] - before[name]) / seconds : null;
};

const level = (name) => (row) => row[name];

const CHARTS = [
  { title: "Pages", format: rate, filled: true, series: [{ name: "fetched", of: growth("pages_total") }] },
  { title: "Bodies", format: bytesRate, base: 1024, filled: true, series: [{ name: "archived", of: growth("bytes_total") }] },
  { title: "Failed attempts", format: rate, filled: true, series: [{ name: "failed", of: growth("failed_total") }] },
  {
    title: "Queue",
    format: short,
    series: [{ name: "URLs queued", of: level("queued") }, { name: "put off", of: level("put_off") }, { name: "undecided", of: level("undecided") }],
  },
  {
    title: "Hosts",
    format: short,
    series: [{ name: "active", of: level("hosts_active") }, { name: "waiting", of: level("hosts_waiting") }],
  },
  {
    title: "Under way",
    format: short,
    series: [{ name: "requests", of: level("in_flight") }, { name: "to parse", of: level("unparsed") }, { name: "to write", of: level("uncommitted") }],
  },
  {
    title: "Time of a request",
    format: duration,
    series: [{ name: "median", of: level("p50_ms") }, { name: "95 %", of: level("p95_ms") }, { name: "99 %", of: level("p99_ms") }],
  },
  {
    title: "Memory",
    format: bytes,
    base: 1024,
    series: [{ name: "process", of: level("memory_process") }, { name: "frontier", of: level("memory_frontier") }, { name: "bodies", of: level("memory_bodies") }],
  },
  {
    title: "TLS",
    format: rate,
    series: [{ name: "handshakes", of: growth("handshakes_total") }, { name: "resumed", of: growth("resumptions_total") }],
  },
];

/** Samples over which a growth is taken. */
const STEPS = 3;

export const makeCharts = () => CHARTS.map((chart) => new Chart(chart));

/** Rows as objects, from `{columns, rows}`. */
export const rowsOf = ({ columns, rows }) =>
  rows.map((row) => Object.fromEntries(row.map((value, index) => [columns[index], value])));

export function draw(charts, rows) {
  for (const chart of charts) {
    chart.show(rows.map((row, index) => {
      const before = rows[Math.max(0, index - STEPS)];
      return { at: row.now_ms, values: chart.series.map((one) => one.of(row, before)) };
    }));
  }
}

/** What a column has grown by a second of late. */
export function lately(rows, name) {
  if (rows.length < 2) return null;
  return growth(name)(rows[rows.length - 1], rows[Math.max(0, rows.length - 1 - 5)]);
}
