// What changes something: always a button, always with the token, and what came of it is said.

import { Refused, command, forgetToken, hasToken, takeToken } from "./api.js";
import { button, byId, el, labelled } from "./dom.js";

const SAID_MS = 8000;
let saidTimer = null;

export function say(text) {
  byId("said").textContent = text;
  clearTimeout(saidTimer);
  saidTimer = setTimeout(() => byId("said").replaceChildren(), SAID_MS);
}

/** Asks; gives what was typed (or ""), or null if it was not to be. */
export function ask({ title, text, ok, field, danger }) {
  const dialog = byId("dialog");
  const [label, input] = [byId("dialog-field"), byId("dialog-input")];
  byId("dialog-title").textContent = title;
  byId("dialog-text").textContent = text;
  byId("dialog-ok").textContent = ok;
  byId("dialog-ok").className = danger ? "danger" : "primary";
  label.hidden = !field;
  label.querySelector("span").textContent = field ?? "";
  input.value = "";
  dialog.returnValue = "cancel";
  dialog.showModal();
  if (field) input.focus();
  else byId("dialog-ok").focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "ok" ? input.value : null), { once: true });
  });
}

export async function askForToken() {
  const typed = await ask({
    title: "The token, please",
    text: "Whoever started the crawl was shown it, at the end of the address of this page.",
    ok: "Use it",
    field: "Token, or the whole address",
  });
  const isTaken = takeToken(typed ?? "");
  if (typed && !isTaken) say("That is no token: it has 32 digits from 0 to f");
  return isTaken;
}

/** Has a command done; whether it was. */
export async function perform(value, what) {
  if (!hasToken() && !(await askForToken())) return false;
  try {
    const receipt = await command(value);
    say(`${what}: ${receipt.said}`);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.status === 401) {
      forgetToken();
      say(`${what}: the token is not right`);
    } else say(`${what}: ${error.message}`);
    return false;
  }
}

export async function exclude(target, takedown) {
  const [kind, name] = Object.entries(target)[0];
  const text = takedown
    ? "Nothing of it is contacted any more, and what was fetched is withheld from every export; drumlin purge takes it out of the files once the crawl has stopped."
    : "Nothing of it is contacted any more, and what waits is let go. It can be readmitted.";
  const sure = await ask({ title: `Exclude ${kind} ${name}?`, text, ok: "Exclude", danger: true });
  if (sure === null) return false;
  return perform(takedown ? { takedown: target } : { exclude: target }, `exclude ${name}`);
}

export function wireHeader() {
  byId("dialog-cancel").addEventListener("click", () => byId("dialog").close("cancel"));
  byId("pause").addEventListener("click", () => perform("pause", "pause"));
  byId("resume").addEventListener("click", () => perform("resume", "resume"));
  byId("stop").addEventListener("click", async () => {
    const sure = await ask({
      title: "Stop the crawl?",
      text: "It finishes what is under way, saves, and ends; this page goes with it. The same command goes on later.",
      ok: "Stop it",
      danger: true,
    });
    if (sure !== null) perform("stop", "stop");
  });
}

/** Whoever has pressed one of two buttons finds himself on the other, which is in its place. */
export function showMode(mode) {
  const pressed = document.activeElement;
  byId("pause").hidden = mode !== "running";
  byId("resume").hidden = mode !== "paused";
  byId("stop").hidden = mode !== "running" && mode !== "paused";
  if (pressed.hidden && pressed.id === "pause") byId("resume").focus();
  if (pressed.hidden && pressed.id === "resume") byId("pause").focus();
}

const TARGETS = [["host", "Host"], ["domain", "Domain and all below"], ["pattern", "Pattern of URLs (regular expression)"]];

function targetFields() {
  const kind = el("select", {}, ...TARGETS.map(([value, text]) => el("option", { value }, text)));
  const name = el("input", { required: true, autocomplete: "off", spellcheck: "false", autocapitalize: "off" });
  return { kind, name, fields: [labelled("What", kind), labelled("Which", name)], target: () => ({ [kind.value]: name.value.trim() }) };
}

function form(title, note, fields, submits) {
  const buttons = submits.map(([text, name]) => el("button", { type: "submit", value: text, class: name }, text));
  const element = el("form", { class: "stack" }, ...fields, el("div", { class: "actions" }, ...buttons));
  return { element: el("section", { class: "card stack" }, el("h2", {}, title), el("p", { class: "note" }, note), element), form: element };
}

function onSubmit({ form: element }, listener) {
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await listener(event.submitter?.value)) element.reset();
  });
}

function exclusionForm() {
  const target = targetFields();
  const takedown = el("input", { type: "checkbox" });
  const check = el("label", { class: "check" }, takedown, "withhold what was fetched from every export, too (takedown)");
  const made = form("Exclude", "From now on, over restarts too. Readmit takes it back.", [...target.fields, check], [["Exclude", "danger"], ["Readmit", ""]]);
  onSubmit(made, (which) =>
    which === "Readmit" ? perform({ readmit: target.target() }, `readmit ${target.name.value}`) : exclude(target.target(), takedown.checked));
  return made.element;
}

function retryForm() {
  const target = targetFields();
  target.name.required = false;
  const made = form("Retry what is parked", "URLs that used up their attempts get as many again, and hosts whose addresses were refused are looked up again. Leave it empty for all of them.", target.fields, [["Retry", "primary"]]);
  onSubmit(made, () => perform({ retry: target.name.value.trim() ? { target: target.target() } : "all" }, "retry"));
  return made.element;
}

const milliseconds = (input) => (input.value === "" ? undefined : Math.round(Number(input.value) * 1000));
const bound = (input) => (input.value === "" ? undefined : { at_most: Number(input.value) });

function ratesForm() {
  const number = (step) => el("input", { type: "number", min: "0", step, inputmode: "decimal" });
  const [host, server, domain, limit] = [number("any"), number("any"), number("any"), number("1")];
  const fields = [
    labelled("Seconds between contacts of a host", host),
    labelled("… of a server address", server),
    labelled("… of a registrable domain", domain),
    labelled("Pages, at most", limit),
  ];
  const made = form("Rates and limits", "What is left empty stays as it is. On the public internet the floors hold.", [el("div", { class: "pair" }, ...fields)], [["Change", "primary"]]);
  onSubmit(made, () => {
    const changes = { delay_ms: milliseconds(host), ip_delay_ms: milliseconds(server), domain_delay_ms: milliseconds(domain), limit: bound(limit) };
    return perform({ set: changes }, "change");
  });
  return made.element;
}

function seedsForm() {
  const area = el("textarea", { rows: "4", required: true, spellcheck: "false", placeholder: "https://example.com/" });
  const made = form("Add seeds", "One URL a line.", [labelled("URLs", area)], [["Add", "primary"]]);
  onSubmit(made, () => {
    const seeds = area.value.split("\n").map((line) => line.trim()).filter(Boolean);
    return perform({ seeds }, `add ${seeds.length} seeds`);
  });
  return made.element;
}

function tokenCard() {
  const state = el("p", { class: "note" });
  const refresh = () => (state.textContent = hasToken() ? "This tab has a token." : "This tab has no token yet: it can look, not change.");
  const enter = button("Enter a token", async () => (await askForToken(), refresh()));
  const forget = button("Forget it", () => (forgetToken(), refresh()));
  refresh();
  return el("section", { class: "card stack" }, el("h2", {}, "Token"), state, el("div", { class: "actions" }, enter, forget));
}

export const controls = () =>
  el("div", { class: "columns" }, exclusionForm(), ratesForm(), seedsForm(), retryForm(), tokenCard());
