// What is asked of the server, and the token that lets a page change something. It comes after the # of the address, which
// browsers send to nobody, and stays in this tab.

const KEY = "drumlin-token";
const PATIENCE_MS = 30000;

export function takeTokenFromAddress() {
  const match = /^#token=([0-9a-f]+)$/.exec(location.hash);
  if (!match) return;
  sessionStorage.setItem(KEY, match[1]);
  history.replaceState(null, "", location.pathname);
}

export const hasToken = () => sessionStorage.getItem(KEY) !== null;

export function keepToken(token) {
  if (token) sessionStorage.setItem(KEY, token.trim());
  else sessionStorage.removeItem(KEY);
}

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export const look = (path) => request(path, {});

export const command = (value) =>
  request("/api/v1/commands", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(value),
  });

async function request(path, options) {
  const token = sessionStorage.getItem(KEY);
  const headers = token ? { ...options.headers, Authorization: `Bearer ${token}` } : options.headers;
  const response = await fetch(path, { ...options, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  const body = await response.json();
  if (!response.ok) throw new Refused(response.status, reason(body));
  return body;
}

/** `{"error": "…"}`, or a refusal: a word, or a word with its particulars. */
function reason(body) {
  if (body === "busy") return "the crawl is busy and does this when it can";
  if (typeof body === "string") return body.replaceAll("_", " ");
  if (body.error) return body.error;
  const [[word, particulars]] = Object.entries(body);
  if (particulars.reason && word === "malformed") return particulars.reason;
  const said = Object.entries(particulars).map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`);
  return `${word.replaceAll("_", " ")}: ${said.join(", ")}`;
}
