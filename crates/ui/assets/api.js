// What is asked of the server, and the token that lets a page change something. It comes after the # of the address, which
// browsers send to nobody, and stays in this tab.

const KEY = "drumlin-token";
const PATIENCE_MS = 30000;

/** Keeps the token that this is or has in it, as the address that was printed; whether there is one. */
export function takeToken(text) {
  const token = /\b[0-9a-f]{32}\b/.exec(text)?.[0];
  if (token) sessionStorage.setItem(KEY, token);
  return Boolean(token);
}

export function takeTokenFromAddress() {
  if (!location.hash.startsWith("#token=")) return;
  takeToken(location.hash);
  history.replaceState(null, "", location.pathname);
}

export const hasToken = () => sessionStorage.getItem(KEY) !== null;

export const forgetToken = () => sessionStorage.removeItem(KEY);

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
