// A line chart on a canvas: a few series over time, with axes, and the values under the pointer or the arrow keys in its key.

import { el, setText } from "./dom.js";
import { clock } from "./format.js";

const GAP = { left: 62, right: 8, top: 10, bottom: 20 };

export class Chart {
  /** Series: name, and of(row, before) → number or null. `format` shows a value, `base` is 1024
   * for bytes; `filled` fills below the first line. */
  constructor({ title, series, format, base = 10, filled }) {
    Object.assign(this, { title, series, format, base, filled, points: [], at: null });
    this.canvas = el("canvas", { role: "img", tabindex: "0" });
    this.keys = series.map((one, index) => el("span", { class: `key s${index + 1}` }, one.name));
    this.when = el("span", { class: "meta" });
    this.element = el("figure", {}, el("figcaption", {}, el("h3", {}, title), this.when, ...this.keys), this.canvas);
    this.canvas.addEventListener("pointermove", (event) => this.point(event.offsetX));
    this.canvas.addEventListener("pointerleave", () => this.choose(null));
    this.canvas.addEventListener("blur", () => this.choose(null));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  /** Points: { at, values }. */
  show(points) {
    this.points = points;
    if (this.at !== null) this.at = Math.min(this.at, points.length - 1);
    this.draw();
  }

  key(event) {
    const last = this.points.length - 1;
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    if (event.key === "Escape") return this.choose(null);
    if (!(event.key in steps) || last < 0) return;
    event.preventDefault();
    this.choose(Math.max(0, Math.min(last, (this.at ?? last) + steps[event.key])));
  }

  point(x) {
    if (this.points.length < 2) return;
    const { from, to } = this.times();
    const width = this.canvas.clientWidth - GAP.left - GAP.right;
    const moment = from + ((x - GAP.left) / width) * (to - from);
    const nearest = this.points.reduce((best, point, index) => {
      const distance = Math.abs(point.at - moment);
      return distance < best.distance ? { index, distance } : best;
    }, { index: 0, distance: Infinity });
    this.choose(nearest.index);
  }

  choose(at) {
    if (this.at === at) return;
    this.at = at;
    this.draw();
  }

  highest() {
    let highest = 0;
    for (const { values } of this.points) for (const value of values) if (value > highest) highest = value;
    return highest;
  }

  times() {
    return { from: this.points[0].at, to: this.points[this.points.length - 1].at };
  }

  draw() {
    const chosen = this.points[this.at ?? this.points.length - 1];
    setText(this.when, this.at === null || !chosen ? "" : clock(chosen.at));
    const said = this.series.map((one, index) => `${one.name} ${chosen ? this.format(chosen.values[index]) : "–"}`);
    said.forEach((text, index) => setText(this.keys[index], text));
    this.canvas.setAttribute("aria-label", `${this.title}: ${said.join(", ")}. Arrow keys show earlier values.`);
    if (this.canvas.clientWidth === 0) return;
    const brush = prepare(this.canvas);
    if (this.points.length < 2) return brush.nothing("the first seconds are still to come");
    const { from, to } = this.times();
    const top = nice(this.highest(), this.base);
    const plane = brush.plane({ from, to, top, format: this.format });
    this.series.forEach((_, index) => {
      plane.line(this.points.map((point) => [point.at, point.values[index]]), `--s${index + 1}`, this.filled && index === 0);
    });
    if (this.at !== null) plane.cross(chosen.at, chosen.values);
  }
}

/** The next larger of 2, 4, 10 times a power of ten; of bytes, within their unit or one of the next. Half of it is as round. */
function nice(value, base) {
  if (value <= 0) return base === 1024 ? 1024 : 2;
  const unit = base === 1024 ? 1024 ** Math.max(0, Math.floor(Math.log(value) / Math.log(1024))) : 1;
  const power = unit * 10 ** Math.floor(Math.log10(value / unit));
  const step = [1, 2, 4, 10].map((step) => step * power).find((step) => step >= value);
  return base === 1024 && step >= 1000 * unit ? 1024 * unit : step;
}

function prepare(canvas) {
  const scale = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  const style = getComputedStyle(canvas);
  const colour = (name) => style.getPropertyValue(name).trim();
  pen.font = `11px ${style.fontFamily}`;
  const write = (text, x, y, align) => {
    pen.fillStyle = colour("--soft");
    pen.textAlign = align;
    pen.fillText(text, x, y);
  };
  return {
    nothing: (text) => write(text, width / 2, height / 2, "center"),
    plane: (range) => plane(pen, { width, height, colour, write, ...range }),
  };
}

function plane(pen, { width, height, colour, write, from, to, top, format }) {
  const x = (at) => GAP.left + ((at - from) / Math.max(1, to - from)) * (width - GAP.left - GAP.right);
  const y = (value) => height - GAP.bottom - (value / top) * (height - GAP.top - GAP.bottom);
  pen.strokeStyle = colour("--line");
  pen.lineWidth = 1;
  for (const part of [0, 0.5, 1]) {
    const level = Math.round(y(top * part)) + 0.5;
    pen.beginPath();
    pen.moveTo(GAP.left, level);
    pen.lineTo(width - GAP.right, level);
    pen.stroke();
    write(format(top * part).replace(/\.0+(?=\D|$)|(\.\d*?)0+(?=\D|$)/, "$1"), GAP.left - 5, level + 3, "right");
  }
  write(clock(from), GAP.left, height - 5, "left");
  write(clock(to), width - GAP.right, height - 5, "right");
  return { line, cross };

  function line(points, name, filled) {
    pen.strokeStyle = colour(name);
    pen.lineWidth = 1.6;
    pen.lineJoin = "round";
    for (const run of runs(points)) {
      pen.beginPath();
      run.forEach(([at, value], index) => (index ? pen.lineTo(x(at), y(value)) : pen.moveTo(x(at), y(value))));
      if (run.length === 1) pen.lineTo(x(run[0][0]) + 1, y(run[0][1]));
      pen.stroke();
      if (!filled) continue;
      pen.lineTo(x(run[run.length - 1][0]), y(0));
      pen.lineTo(x(run[0][0]), y(0));
      pen.globalAlpha = 0.12;
      pen.fillStyle = colour(name);
      pen.fill();
      pen.globalAlpha = 1;
    }
  }

  function cross(at, values) {
    pen.strokeStyle = colour("--soft");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x(at), GAP.top);
    pen.lineTo(x(at), height - GAP.bottom);
    pen.stroke();
    values.forEach((value, index) => {
      if (value === null) return;
      pen.fillStyle = colour(`--s${index + 1}`);
      pen.beginPath();
      pen.arc(x(at), y(value), 3, 0, 7);
      pen.fill();
    });
  }
}

/** Stretches without holes. */
function runs(points) {
  const found = [];
  let run = [];
  for (const point of points) {
    if (point[1] === null) {
      if (run.length) found.push(run);
      run = [];
    } else run.push(point);
  }
  if (run.length) found.push(run);
  return found;
}
