// Numbers as people read them.

const whole = (value) => Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, "\u202f");

export const count = (value) => (value === null || value === undefined ? "–" : whole(value));

export function short(value) {
  if (value === null || value === undefined) return "–";
  const magnitude = Math.abs(value);
  if (magnitude >= 1e9) return `${trim(value / 1e9)} G`;
  if (magnitude >= 1e6) return `${trim(value / 1e6)} M`;
  if (magnitude >= 1e4) return `${trim(value / 1e3)} k`;
  return magnitude >= 100 || Number.isInteger(value) ? count(value) : trim(value);
}

export function bytes(value) {
  if (value === null || value === undefined) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 ? count(value) : trim(value)} ${units[unit]}`;
}

export function duration(ms) {
  if (ms === null || ms === undefined) return "–";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${trim(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
}

export const rate = (value) => (value === null || value === undefined ? "–" : `${short(value)}/s`);
export const bytesRate = (value) => (value === null || value === undefined ? "–" : `${bytes(value)}/s`);

export function clock(ms) {
  return ms ? new Date(ms).toLocaleTimeString("en-GB") : "–";
}

export function moment(ms) {
  if (!ms) return "–";
  const at = new Date(ms);
  return `${at.toLocaleTimeString("en-GB")}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

export function until(ms, now) {
  const left = ms - now;
  if (left <= 0) return "now";
  return left > 1e11 ? "never" : `in ${duration(left)}`;
}

function trim(value) {
  return value >= 100 ? whole(value) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
