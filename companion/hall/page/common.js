// What the hall's pages share: words, language, theme, the stream, and posts.
import { h, patch } from "/page/patch.js";

export { h, patch };
const query = new URLSearchParams(location.search);
const TOLD_FOR = 6000;

function stored(name) { try { return localStorage.getItem(name); } catch { return null; } }
export function store(name, value) { try { localStorage.setItem(name, value); } catch { /* a private window forgets */ } }

export const my = {
  language: query.get("language") || stored("language") || (navigator.language.toLowerCase().startsWith("pl") ? "pl" : "en"),
  theme: query.get("theme") || stored("theme") || "",
  words: {}, link: false,
};
if (my.language !== "pl") my.language = "en";
document.documentElement.lang = my.language;
if (my.theme) document.documentElement.dataset.theme = my.theme;

export function t(key, args = {}) {
  return (my.words[key] || "").replace(/\{(\w+)\}/g, (all, name) => args[name] ?? all);
}

export async function words() {
  for (;;) {
    try {
      my.words = await (await fetch(`/words/${my.language}.json`)).json();
      return;
    } catch { await new Promise((done) => setTimeout(done, 1000)); }
  }
}

export function dark() {
  return my.theme ? my.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function reload(name, value) {
  store(name, value);
  const next = new URLSearchParams(location.search);
  next.delete(name);
  location.search = next.toString();
  if (!query.has(name)) location.reload();
}

export function choices() {
  const other = my.language === "pl" ? "en" : "pl";
  return h("span", { class: "choices" },
    h("button", { lang: other, onclick: () => reload("language", other) }, other === "pl" ? "Polski" : "English"),
    h("button", { onclick: () => reload("theme", dark() ? "light" : "dark") }, t(dark() ? "light" : "dark")));
}

export function figure(value) {
  return typeof value === "number" ? value.toLocaleString(my.language, { maximumFractionDigits: 2 }) : "";
}

export function tell(sentence) {
  const told = document.getElementById("told");
  told.textContent = sentence;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => { told.textContent = ""; }, TOLD_FOR);
}

export async function post(path, value) {
  try {
    const reply = await fetch(`${path}?language=${my.language}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value),
    });
    const said = await reply.json().catch(() => ({}));
    if (reply.ok) return said;
    tell(said.trouble || t(reply.status === 429 ? "too-often" : reply.status === 403 ? "sign-in-again" : "not-understood"));
    return { failed: reply.status };
  } catch {
    tell(t("no-network"));
    return { failed: 0 };
  }
}

export async function get(path) {
  const reply = await fetch(path);
  if (!reply.ok) throw new Error(String(reply.status));
  return reply.json();
}

// ---- the board as the hall knows it; `begun(all)` after everything came, `changed(ids, parts)` after changes

export const board = { head: {}, top: [], order: [], tables: {}, at: 0, version: 0 };

export function now() { return performance.now() / 1000 + board.at; }

let source = null;

export function listen(changed) {
  const take = (whole) => (event) => {
    const data = JSON.parse(event.data);
    board.at = data.now - performance.now() / 1000;
    board.version = data.version;
    for (const part of ["top", "order"]) if (part in data) board[part] = data[part];
    if (data.head) board.head = { ...board.head, ...data.head };
    if (whole) board.tables = data.tables;
    const ids = Object.keys(data.tables || {});
    if (!whole) for (const id of ids) board.tables[id] = { ...board.tables[id], ...data.tables[id] };
    changed(whole ? board.order : ids, whole || "order" in data, "top" in data);
  };
  const open = () => {
    if (source) source.close();
    source = null;
    if (document.visibilityState === "hidden") return;
    source = new EventSource("/events");
    source.addEventListener("whole", take(true));
    source.addEventListener("change", take(false));
    source.onopen = () => { my.link = true; changed([], false, false); };
    source.onerror = () => {
      my.link = false;
      changed([], false, false);
      if (source && source.readyState === EventSource.CLOSED) setTimeout(open, 2000 + 3000 * Math.random());
    };
  };
  document.addEventListener("visibilitychange", open);
  open();
}

const MARKS = ["circle", "square", "triangle", "diamond", "hexagon", "star"];

export function mark(n) {
  return h("i", { class: `mark ${MARKS[n % MARKS.length]} c${n % MARKS.length}`, role: "img", "aria-label": t("seat", { n: n + 1 }) });
}

export function minutes(seconds) { return Math.max(0, Math.floor(seconds / 60)); }

export function countdown(seconds) {
  const left = Math.max(0, Math.round(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

export function clock() {
  return new Date().toLocaleTimeString(my.language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

export function heading() {
  const head = board.head;
  if (!head.open) return t(head.title ? "day-ended" : "no-day");
  if (head.final) return t("final");
  if (!head.round) return t("round-soon");
  return head.round > head.planned ? t("round", { n: head.round }) : t("round-of", { n: head.round, all: head.planned });
}

export function troubles() {
  const head = board.head;
  return [
    !my.link && t("no-link"), my.link && head.broker === false && t("broker-away"),
    my.link && head.disk === false && t("disk-away"),
  ].filter(Boolean).map((words) => h("p", { key: words, class: "trouble", role: "alert" }, words));
}
