// The page on a phone: shows the newest page the table made for this device, and says what its owner answers.
import { h, patch } from "/page/patch.js";

const HIDE_SECRET = 10000;
const TOO_SOON = 250;
const TOLD_FOR = 6000;
const TOLD_SHORT = 1500;
const EDITION = document.documentElement.dataset.edition;

const my = {
  language: stored("language") || (navigator.language.toLowerCase().startsWith("pl") ? "pl" : "en"),
  words: {}, page: null, version: "", bound: null, link: false, stream: null, elsewhere: false, outdated: false,
  tab: "", watching: stored("watching") === "yes", busy: "", secretUntil: 0, held: false,
  more: { of: "", options: [] }, search: "", help: { of: "" }, linked: "", steps: null, wantedStep: null, hidden: (stored("hidden") || "").split("\n").filter(Boolean), since: new Map(), lost: 0, again: 500, shownSeat: null,
};

function stored(name) { try { return localStorage.getItem(name); } catch { return null; } }
function store(name, value) { try { localStorage.setItem(name, value); } catch { /* a private window forgets */ } }

function t(key, args = {}) {
  return (my.words[key] || "").replace(/\{(\w+)\}/g, (all, name) => args[name] ?? all);
}

// ---- the stream: closed while hidden, always opened again, always begun with a whole page

let retry = 0;

async function open() {
  close();
  if (document.visibilityState === "hidden" || my.elsewhere || my.outdated) return;
  try {
    const hello = await fetch("/hello", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
    if (!hello.ok) throw new Error(String(hello.status));
  } catch { later(); return; }
  if (my.stream || document.visibilityState === "hidden") return;
  const stream = new EventSource(`/events?language=${my.language}`);
  my.stream = stream;
  const on = (name, take) => stream.addEventListener(name, (event) => {
    if (my.stream !== stream) return;
    my.again = 500; lost(false); take(JSON.parse(event.data)); render();
  });
  on("edition", (edition) => { if (edition !== EDITION) reload(); else forget("reloaded"); });
  on("link", (link) => { my.link = link; });
  on("words", (words) => { my.words = words; });
  on("bound", bound);
  on("page", (page) => {
    const over = Boolean(page.body.play && page.body.play.over);
    if (!over && my.page && my.page.play && my.page.play.over) my.tab = "";
    if (!page.body.sheet) { my.linked = ""; my.steps = null; }
    my.page = page.body; my.version = page.version;
  });
  on("elsewhere", () => { my.elsewhere = true; close(); });
  stream.onerror = () => { if (my.stream === stream) { close(); later(); } };
}

function close() {
  clearTimeout(retry);
  if (my.stream) my.stream.close();
  my.stream = null;
}

function later() {
  lost(true);
  clearTimeout(retry);
  retry = setTimeout(open, my.again);
  my.again = Math.min(5000, my.again * 2);
}

function lost(now) {
  if (!now) my.lost = 0;
  else if (!my.lost) my.lost = Date.now();
  render();
}

function reload() {
  try {
    if (sessionStorage.getItem("reloaded") !== "yes") { sessionStorage.setItem("reloaded", "yes"); location.reload(); return; }
  } catch { /* below */ }
  my.outdated = true;
  close();
}
function forget(name) { try { sessionStorage.removeItem(name); } catch { /* nothing kept */ } }

function bound(now) {
  const before = my.bound;
  my.bound = now;
  if (!before || before.seat !== now.seat) { my.tab = ""; my.more = { of: "", options: [] }; my.page = null; my.shownSeat = null; my.search = ""; }
}

document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") { close(); hide(); } else open(); });
addEventListener("pageshow", (event) => { if (event.persisted) open(); });
addEventListener("online", open);

// ---- saying something

async function post(path, what, name) {
  if (my.busy) return null;
  my.busy = name; render();
  try {
    const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(what) });
    if (response.status === 200) { const reply = await response.json(); if (reply.text) tell(reply.text); return reply; }
    if (response.status === 409) tell((await response.json()).text);
    else if (response.status === 429) tell(t("too-often"));
    else tell(t("unsure"));
  } catch { tell(t("unsure")); open(); } finally { my.busy = ""; render(); }
  return null;
}

function say(kind, more, name) { return post("/say", { kind, version: my.version, ...more }, name); }

function look(kind, more, name) { return post("/look", { kind, version: my.version, ...more }, name); }

let telling = 0;
function tell(words, short = false) {
  const place = document.getElementById("told");
  clearTimeout(telling);
  place.textContent = words;
  telling = setTimeout(() => { place.textContent = ""; }, short ? TOLD_SHORT : TOLD_FOR);
}

async function answer(question, option, event) {
  const key = `${question.slug} ${option.id}`;
  if (event.detail && Date.now() - (my.since.get(key) || 0) < TOO_SOON) { tell(t("just-changed")); return; }
  const reply = await say("answer", { slug: question.slug, table: question.table, option: option.id }, key);
  if (reply) { tell(t("done"), true); if (question.secret) hide(); }
}

async function leaf(question) {
  const start = question.options.length + extra(question).length;
  const reply = await look("more", { slug: question.slug, table: question.table, start }, "more");
  if (reply) { my.more = { of: about(question), options: [...extra(question), ...reply.body] }; render(); }
}
function about(question) { return `${question.slug} ${question.text} ${question.total}`; }
function extra(question) { return my.more.of === about(question) ? my.more.options : []; }

async function helpWith(question) {
  if (my.help.of === about(question)) { my.help = { of: "" }; render(); return; }
  const reply = await look("help", { slug: question.slug, table: question.table }, "help");
  if (reply) { my.help = { of: about(question), ...reply.body }; render(); }
}
async function read(component) {
  if (my.help.of === component) { my.help = { of: "" }; render(); return; }
  const reply = await look("help", { component }, component);
  if (reply) { my.help = { of: component, ...reply.body }; render(); }
}
function helped(help) {
  return h("div", { key: "helped", class: "plate", "aria-live": "polite" }, h("p", {}, help.rule), help.source && h("p", { class: "dim" }, help.source),
    help.refused.length > 0 && h("strong", {}, t("refused")), h("ul", {}, help.refused.map(([names, why]) => h("li", {}, h("strong", {}, names), h("div", { class: "dim" }, why)))));
}
function hideReminders(hidden) { my.hidden = hidden; store("hidden", hidden.join("\n")); render(); }
function note([id, text]) {
  return !my.hidden.includes(id) && h("div", { key: `note ${id} ${text}`, class: "plate row" }, h("span", { class: "grow" }, text),
    id && h("button", { class: "quiet", "aria-label": `${t("hide-reminder")}: ${text}`, onclick: () => hideReminders([...my.hidden, id]) }, "✕"));
}

function speak(language) {
  my.language = language; store("language", language); my.words = {}; open();
}
function watch(yes) { my.watching = yes; store("watching", yes ? "yes" : "no"); my.tab = ""; render(); }

// ---- a secret: hidden, unless held or just asked for

let hiding = 0;
function show(held) {
  my.held = held; my.secretUntil = Date.now() + HIDE_SECRET;
  clearTimeout(hiding);
  if (!held) hiding = setTimeout(hide, HIDE_SECRET);
  render();
}
function hide() { clearTimeout(hiding); my.held = false; my.secretUntil = 0; render(); }
let pressed = 0;
function press(event) { pressed = event.timeStamp; if (my.secretUntil) return; show(true); }
function release(event) { if (my.held && event.timeStamp - pressed > 400) { hide(); pressed = -1; } else if (my.held) { show(false); pressed = -1; } }
function toggle() { if (pressed === -1) { pressed = 0; return; } pressed = 0; if (my.secretUntil) hide(); else show(false); }

// ---- drawing

const face = (id, key) => id && h("img", { key, class: "face", src: `/picture/${id}.svg`, alt: "" });
const signs = (drawn) => drawn && h("img", { class: `signs lines${Math.min(4, drawn[2])}`, src: `/picture/${drawn[0]}.svg`, alt: drawn[1] });
const mark = (seat) => h("span", { class: `mark ${seat.mark.shape}`, colour: seat.mark.colour, "aria-hidden": "true" }, seat.mark.letter);
const seatOf = (n) => my.page.seats.find((seat) => seat.seat === n);
const names = (seats) => seats.map((n) => seatOf(n).name).join(", ");
const round = () => my.page.play.round ? t("round", { n: my.page.play.round }) : "";
const isSeat = () => my.bound && my.bound.seat >= 0;

function state(seat) { return seat.state ? t(`state-${seat.state}`) : ""; }

function head() {
  const page = my.page;
  if (!page || !page.play) return [h("div", { class: "row" }, h("span", { class: "name" }, t("title")))];
  const seat = isSeat() && seatOf(my.bound.seat);
  if (!seat) return [h("div", { class: "row" }, h("span", { class: "name grow" }, page.play.game), h("span", {}, t("watching")))];
  return [h("div", { class: "row" }, mark(seat), h("span", { class: "name grow" }, seat.name),
    seat.points !== null && h("span", { class: "points" }, t("points", { n: seat.points })))];
}

function main() {
  if (my.outdated) return [h("h1", {}, t("outdated"))];
  if (my.elsewhere) return [h("h1", {}, t("elsewhere")), h("button", { class: "main", onclick: () => { my.elsewhere = false; open(); } }, t("use-here"))];
  const away = my.lost && Date.now() - my.lost > 1200;
  const gone = (away || (my.stream && !my.link && my.page)) && h("div", { key: "away", class: "plate warn" }, h("p", {}, t(away ? "no-network" : "no-table")));
  if (!my.page) return [gone, h("h1", {}, t("title")), h("p", {}, t("connecting"))];
  if (!my.page.play) return [gone, h("h1", {}, t("no-play")), h("p", {}, t("no-play-more")), preferences()];
  const tab = current();
  return [gone, my.page.play.paused && h("div", { key: "paused", class: "plate" }, h("strong", {}, t("paused"))), ...VIEWS[tab]()];
}

function tabs() {
  if (!my.page || !my.page.play || my.elsewhere || my.outdated) return [];
  return available().map((name) => h("button", { key: name, "aria-current": name === current() ? "page" : null, onclick: () => { my.tab = name; if (name === "steps") stepTo(-1); render(); scrollTo(0, 0); } }, t(`tab-${name}`)));
}
function available() { return isSeat() ? (my.page.sheet ? ["score", ...(my.page.counting ? [] : ["steps"]), "table", "cards"] : ["turn", "table", "cards", "score"]) : my.watching ? ["table", "cards", "score", "join"] : ["join", "table", "cards", "score"]; }
function current() {
  const first = my.page.play.over && my.page.sheet && isSeat() ? "score" : available()[0];
  return available().includes(my.tab) ? my.tab : first;
}

const VIEWS = { join, turn, table, cards, score, steps };

function join() {
  const claiming = my.bound && my.bound.claiming;
  return [
    h("p", { class: "dim" }, [my.page.play.game, round()].filter(Boolean).join(", ")),
    h("h1", {}, t("who")),
    claiming !== null && claiming !== undefined && h("div", { key: "confirm", class: "plate warn" }, h("strong", {}, t("confirm", { name: seatOf(claiming).name })), h("p", {}, t("confirm-more"))),
    h("ul", {}, my.page.seats.map((seat) => h("li", { key: seat.seat }, h("button", {
      class: "seat wide", colour: seat.mark.colour, "aria-disabled": my.busy ? "true" : null, "aria-pressed": claiming === seat.seat ? "true" : "false",
      onclick: () => post("/claim", { seat: seat.seat }, `claim ${seat.seat}`),
    }, h("span", { class: "row" }, mark(seat), h("span", { class: "grow" }, h("strong", {}, seat.name), h("br"), h("small", {}, t(seat.phone ? "has-phone" : "free"))))))),
    h("li", { key: "watch" }, h("button", { class: "wide", onclick: () => watch(true) }, t("only-watch")))),
    preferences(),
  ];
}

function preferences() {
  return h("div", { key: "preferences", class: "row", role: "group", "aria-label": t("language") },
    ["en", "pl"].map((language) => h("button", { key: language, lang: language, "aria-pressed": String(language === my.language), onclick: () => speak(language) }, language === "en" ? "English" : "Polski")));
}

function turn() {
  const me = my.page.me;
  if (!me) return [h("p", {}, t("connecting"))];
  const waiting = my.page.seats.filter((seat) => seat.state === "waiting" && seat.seat !== me.seat);
  const phase = my.page.play.phases.find(([, tense]) => tense === "now");
  const place = [round(), phase && phase[0]].filter(Boolean).join(" · ");
  if (me.count) return [...me.questions.filter((q) => !q.told_at_table).map(question), ...count(me.count)];
  return [
    place && !my.page.play.over && h("p", { key: "place", class: "dim place" }, place),
    ...me.questions.map(question),
    ...me.secrets.length ? [secret(me)] : [],
    !me.questions.length && !me.secrets.length && h("h1", { key: "none" }, my.page.play.over ? t("over") : t("not-asked")),
    waiting.length > 0 && h("p", { key: "waits", class: "plate" }, t("waits-for", { names: waiting.map((seat) => seat.name).join(", ") })),
    me.undo && h("button", { key: "undo", class: "wide", "aria-disabled": my.busy ? "true" : null, onclick: async () => { if (await say("undo", {}, "undo")) tell(t("taken-back"), true); } }, me.secrets.length ? t("choose-another") : t("undo")),
    ...taskList(me.tasks, true),
    my.hidden.length > 0 && h("button", { key: "reminders", class: "wide", onclick: () => hideReminders([]) }, t("reminders", { n: my.hidden.length })),
    me.powers.length > 0 && h("h2", { key: "powers" }, t("powers")),
    me.powers.length > 0 && h("ul", { key: "powers-list", class: "plate" }, me.powers.map((power) => h("li", {}, power))),
  ];
}

function question(q) {
  const options = [...q.options, ...extra(q)];
  const key = `${q.slug} ${q.table}`;
  const now = new Set(options.map((option) => `${q.slug} ${option.id}`));
  for (const id of now) if (!my.since.has(id)) my.since.set(id, Date.now());
  for (const id of my.since.keys()) if (id.startsWith(`${q.slug} `) && !now.has(id)) my.since.delete(id);
  let group = "";
  const rows = [];
  options.forEach((option, n) => {
    if (option.group !== group) { group = option.group; rows.push(h("li", { key: `group ${group}` }, h("h2", {}, group))); }
    rows.push(h("li", { key: option.id }, h("button", {
      class: `option wide${n === 0 && q.default ? " main" : ""}${option.group ? " counted" : ""}`, "data-option": option.id, "aria-disabled": my.busy ? "true" : null, onclick: (event) => answer(q, option, event),
    }, face(option.face), option.seat !== null && mark(seatOf(option.seat)),
      h("span", { class: "words" }, h("strong", { class: n === 0 && q.default ? "star" : null }, option.text), option.detail && h("small", {}, option.detail), option.face && signs(option.signs)),
      !option.face && signs(option.signs))));
  });
  return h("section", { key, class: q.turn ? "big" : null, "data-slug": q.slug },
    h("h1", {}, q.text), q.table && h("p", { class: "dim" }, t("whole-table")),
    q.tally && h("p", { class: "dim" }, t("tally", { done: q.tally[0], total: q.tally[1] })),
    q.notes.map(note),
    h("button", { key: "help", "aria-expanded": String(my.help.of === about(q)), "aria-disabled": my.busy ? "true" : null, onclick: () => helpWith(q) }, t("help")),
    my.help.of === about(q) && helped(my.help),
    q.faces.length > 0 && h("ul", { class: "faces" }, q.faces.map((id) => h("li", {}, face(id)))),
    q.told_at_table && h("p", { class: "plate" }, t("told-at-table")),
    h("ul", {}, rows),
    q.total > options.length && h("button", { class: "more wide", "aria-disabled": my.busy ? "true" : null, onclick: () => leaf(q) }, t("more-options", { n: q.total - options.length })));
}

function secret(me) {
  const shown = my.secretUntil > 0;
  const ready = my.page.seats.filter((seat) => seat.state !== "waiting").length;
  return h("section", { key: "secret" }, h("h1", {}, t("secret")),
    h("button", { class: "cover", colour: seatOf(me.seat).mark.colour, "aria-pressed": String(shown), onclick: toggle, onpointerdown: press, onpointerup: release, onpointercancel: release, onpointerleave: release, oncontextmenu: (event) => event.preventDefault() },
      shown ? me.secrets.map((one, n) => h("span", { key: n }, one.faces.map((id) => face(id)), h("strong", {}, one.text))) : h("strong", { key: "hidden" }, t("hold"))),
    h("p", { class: "dim" }, t("hold-more")),
    h("p", { class: "plate" }, t("ready", { n: ready, all: my.page.seats.length })));
}

function taskList(tasks, mine) {
  if (!tasks.length) return [];
  return [h("h2", { key: "tasks" }, t("tasks")), h("ul", { key: "tasks-list" }, tasks.map((task) => h("li", { key: task.id }, mine
    ? h("button", { class: "wide", "aria-disabled": my.busy ? "true" : null, onclick: () => say("tick", { task: task.id }, task.id) }, "☐ ", task.seats.length > 1 ? `${names(task.seats)}: ` : "", task.text)
    : h("p", { class: "plate" }, task.seats.length ? `${names(task.seats)}: ` : "", task.text))))];
}

function table() {
  const { play, seats, latest } = my.page;
  return [
    h("h1", { key: "round" }, round() || play.game),
    play.phases.length > 0 && h("ul", { key: "phases", class: "phases" }, play.phases.map(([text, tense]) => h("li", { class: tense, "aria-current": tense === "now" ? "step" : null }, text))),
    ...play.alerts.map((alert) => h("p", { class: "plate warn" }, alert)),
    seatList(seats),
    play.meters.length > 0 && h("h2", { key: "ends" }, t("ends")),
    ...play.meters.map(([text, value, goal], n) => h("div", { key: `meter ${n}`, class: "meter" }, h("span", {}, `${text}: ${value} / ${goal}`), h("progress", { max: goal, value: Math.max(0, Math.min(goal, value)), "aria-label": text }))),
    play.pools.length > 0 && h("h2", { key: "pools" }, t("pools")),
    ...play.pools.map(([text, value, full], n) => h("div", { key: `pool ${n}`, class: "meter" }, h("span", {}, `${text}: ${value} / ${full}`), h("progress", { max: Math.max(1, full), value: Math.max(0, value), "aria-label": text }))),
    ...(my.page.tasks ? taskList(my.page.tasks, false) : []),
    latest.length > 0 && h("h2", { key: "latest" }, t("latest")),
    latest.length > 0 && h("ul", { key: "latest-list" }, latest.map((text) => h("li", {}, text))),
    h("h2", { key: "device" }, t("this-phone")),
    preferences(),
    isSeat() && h("button", { key: "give-back", class: "wide", onclick: () => post("/claim", { seat: -1 }, "give back") }, t("give-back")),
  ];
}

function seatList(seats) {
  return h("ul", { key: "seats" }, seats.map((seat) => h("li", { key: seat.seat, class: seat.state }, h("button", { class: "seat wide", colour: seatOf(seat.seat).mark.colour, onclick: () => { my.shownSeat = seat.seat; my.tab = "cards"; render(); scrollTo(0, 0); } },
    h("span", { class: "row" }, mark(seat), h("span", { class: "grow" }, h("strong", {}, seat.name), " ", h("small", {}, state(seat))), seat.points !== null && h("span", { class: "points" }, seat.points)),
    signs(seat.brief)))));
}

function cards() {
  const first = my.shownSeat ?? (isSeat() ? my.bound.seat : my.page.seats[0].seat);
  const seat = seatOf(first) || my.page.seats[0];
  return [
    h("div", { key: "whose", class: "row", role: "group", "aria-label": t("whose") }, my.page.seats.map((one) => h("button", { key: one.seat, class: "seat", colour: one.mark.colour, "aria-pressed": String(one.seat === seat.seat), onclick: () => { my.shownSeat = one.seat; render(); } }, one.name))),
    h("h1", {}, seat.name),
    h("ul", { key: "numbers", class: "phases" }, seat.numbers.map(([text, value]) => h("li", {}, `${text}: ${value}`))),
    seat.components.length ? h("ul", { key: `faces ${seat.seat}`, class: "faces" }, seat.components.map((one, n) => h("li", { key: n }, isSeat() && one.id ? h("button", { class: "quiet", "data-card": one.id, onclick: () => read(one.id) }, pictured(one)) : pictured(one), one.notes.map((words) => h("small", {}, words)), my.help.of === one.id && one.id && card(my.help)))) : h("p", {}, t("nothing-there")),
    seat.powers.length > 0 && h("h2", { key: "powers" }, t("powers")),
    seat.powers.length > 0 && h("ul", { key: "powers-list", class: "plate" }, seat.powers.map((power) => h("li", {}, power))),
  ];
}

const pictured = (one) => h("img", { class: "face", src: `/picture/${one.face}.svg`, alt: one.name });
function card(help) {
  return h("div", { class: "plate", "aria-live": "polite" }, h("strong", {}, help.name), help.why && h("p", {}, help.why),
    h("ul", {}, help.lines.map(([what, ...values]) => h("li", {}, h("strong", {}, what), values.map((value) => h("div", { class: "dim" }, value))))));
}

function score() {
  const sheet = my.page.sheet;
  if (!sheet) {
    const known = my.page.seats.filter((seat) => seat.points !== null);
    return [h("h1", {}, t("score-now")), known.length ? h("ul", {}, known.map((seat) => h("li", { key: seat.seat, class: "plate row" }, mark(seat), h("span", { class: "grow" }, seat.name), h("span", { class: "points" }, seat.points)))) : h("p", {}, t("score-later"))];
  }
  const columns = sheet.order.map((n) => seatOf(n));
  const text = [my.page.play.game, ...columns.map((seat, n) => `${sheet.ranks[n]}. ${seat.name} ${sheet.totals[n]}`), sheet.decided].filter(Boolean).join("\n");
  return [
    h("h1", {}, t("wins", { names: sheet.winners.join(", ") })), sheet.decided && h("p", {}, sheet.decided),
    h("div", { key: "sheet", class: "scroll", tabindex: "0", role: "region", "aria-label": t("tab-score") }, h("table", {},
      h("thead", {}, h("tr", {}, h("td", {}), columns.map((seat) => h("th", { scope: "col" }, mark(seat), h("div", {}, seat.name))))),
      h("tbody", {}, sheet.rows.map(([what, ...points]) => h("tr", {}, h("th", { scope: "row" }, what), points.map((n) => h("td", {}, n ?? "–"))))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("together")), sheet.totals.map((n) => h("td", {}, n)))))),
    ...columns.map((seat, n) => h("details", { key: `why ${seat.seat}`, class: "plate" }, h("summary", {}, t("why", { name: seat.name })), h("ul", {}, sheet.reasons[n].map(([line, ...reasons]) => h("li", {}, h("strong", {}, line), reasons.map((reason) => h("div", { class: "dim" }, reason))))))),
    h("h2", { key: "share" }, t("share")),
    h("textarea", { key: "text", readonly: true, rows: String(columns.length + 3), "aria-label": t("share"), onfocus: (event) => event.target.select() }, text),
    h("button", { key: "copy", class: "wide", onclick: copy }, t("copy")),
    isSeat() && !my.linked && h("button", { key: "bgstats", class: "wide", "aria-disabled": my.busy ? "true" : null, onclick: bgstats }, t("bgstats")),
    isSeat() && my.linked && h("div", { key: "linked", class: "plate" }, h("p", { class: "dim" }, t("bgstats-how")), h("a", { href: my.linked, rel: "noreferrer" }, my.linked)),
  ];
}

// ---- a finished play, deed by deed

async function stepTo(deed) {
  const asking = my.wantedStep !== null;
  my.wantedStep = deed;
  if (asking) return; // the newest wish is asked for when the reply is here
  while (my.wantedStep !== null) {
    const wanted = my.wantedStep;
    const reply = await look("steps", { deed: wanted }, "steps");
    if (reply) my.steps = { ...reply.body, rounds: reply.body.rounds || my.steps.rounds };
    if (!reply || my.wantedStep === wanted) my.wantedStep = null;
  }
  render();
}

function steps() {
  const now = my.steps;
  if (!now) return [h("p", {}, t("connecting"))];
  const to = (deed) => () => stepTo(Math.max(0, Math.min(now.of, deed)));
  const place = `${now.round ? t("round", { n: now.round }) : t("setting-up")} · ${t("step-of", { n: now.deed, all: now.of })}`;
  return [
    h("h1", { key: "place", "aria-live": "polite" }, place),
    h("div", { key: "told", class: "plate" }, now.told.map((text) => h("p", {}, text))),
    h("div", { key: "slide", class: "row nowrap" },
      h("button", { "aria-label": t("step-back"), onclick: to(now.deed - 1) }, "◀"),
      h("input", { class: "grow", type: "range", min: "0", max: String(now.of), live: String(now.deed), list: "rounds", "aria-label": place, oninput: (event) => stepTo(Number(event.target.value)) }),
      h("button", { "aria-label": t("step-on"), onclick: to(now.deed + 1) }, "▶"),
      h("datalist", { id: "rounds" }, now.rounds.map(([deed, round]) => h("option", { value: String(deed), label: String(round) })))),
    ...now.seats.map((seat) => h("div", { key: `then ${seat.seat}`, class: "plate" },
      h("div", { class: "row" }, mark(seat), h("strong", { class: "grow" }, seat.name), seat.points !== null && h("span", { class: "points" }, seat.points)),
      signs(seat.brief), h("p", { class: "dim" }, seat.components.map((one) => one.name).join(", ")))),
  ];
}

async function bgstats() {
  const reply = await look("share", {}, "bgstats");
  if (reply) { my.linked = reply.body.link; render(); }
}

// ---- a finished table that is counted: each seat enters its own

const MOST_FOUND = 24;

function count({ pieces, numbers }) {
  const fits = pieces.filter((piece) => piece.name.toLowerCase().includes(my.search.trim().toLowerCase()));
  const mine = pieces.filter((piece) => piece.held > 0);
  const busy = my.busy ? "true" : null;
  const set = (what, value) => look("entry", { what, value }, `entry ${what}`);
  const piece = (one, value) => h("li", { key: one.id }, h("button", {
    class: "piece wide", "aria-pressed": String(one.held > 0), "aria-disabled": busy || (one.most === 0 ? "true" : null), onclick: () => { if (one.most > 0) set(one.id, value); },
  }, h("img", { class: "face", src: `/picture/${one.face}.svg`, alt: "", loading: "lazy" }), h("small", {}, one.name, one.most > 1 ? ` ${one.held}/${one.most}` : "", one.held > 0 ? " ✓" : "")));
  return [
    h("h1", { key: "count" }, t("count")),
    h("h2", { key: "mine" }, t("count-mine", { n: mine.reduce((sum, one) => sum + one.held, 0) })),
    mine.length > 0 && h("ul", { key: "mine-list", class: "faces" }, mine.map((one) => piece(one, one.held - 1))),
    h("h2", { key: "numbers" }, t("count-numbers")),
    ...numbers.map((one) => number(one, set, busy)),
    h("h2", { key: "all" }, t("count-all")),
    h("input", { key: "search", class: "wide", type: "search", placeholder: t("count-search"), "aria-label": t("count-search"), autocomplete: "off", oninput: (event) => { my.search = event.target.value; render(); } }),
    h("ul", { key: "all-list", class: "faces" }, fits.slice(0, MOST_FOUND).map((one) => piece(one, one.held < one.most ? one.held + 1 : 0))),
    fits.length > MOST_FOUND && h("p", { key: "more", class: "dim" }, t("count-more", { n: fits.length - MOST_FOUND })),
  ];
}

function number(one, set, busy) {
  const key = `number ${one.id}`;
  if (one.switch) return h("button", { key, class: "wide", "aria-pressed": String(one.value === 1), "aria-disabled": busy, onclick: () => set(one.id, 1 - one.value) }, one.value ? "☑ " : "☐ ", one.text);
  if (one.names.length) {
    return h("label", { key, class: "plate row" }, h("span", { class: "grow" }, one.text),
      h("select", { live: String(one.value), onchange: (event) => set(one.id, Number(event.target.value)) }, one.names.map(([value, name]) => h("option", { value: String(value), selected: value === one.value }, name))));
  }
  const step = (by) => { const value = one.value + by; if (value >= one.low && value <= one.high) set(one.id, value); };
  const typed = (event) => {
    const value = Math.max(one.low, Math.min(one.high, Math.round(Number(event.target.value) || 0)));
    event.target.value = String(value); set(one.id, value);
  };
  return h("div", { key, class: "plate row", role: "group", "aria-label": one.text }, h("span", { class: "grow" }, one.text),
    h("button", { key: "less", "aria-label": `${one.text} −1`, "aria-disabled": busy, onclick: () => step(-1) }, "−"),
    h("input", { key: "value", type: "number", inputmode: "numeric", min: String(one.low), max: String(one.high), live: String(one.value), "aria-label": one.text, onchange: typed }),
    h("button", { key: "more", "aria-label": `${one.text} +1`, "aria-disabled": busy, onclick: () => step(1) }, "+"));
}

function copy() {
  const area = document.querySelector("textarea");
  area.focus(); area.select();
  if (document.execCommand("copy")) tell(t("copied"));
}

function render() {
  document.documentElement.lang = my.language;
  document.documentElement.dataset.version = my.version;
  const header = document.getElementById("head");
  const seat = my.page && my.page.play && isSeat() ? seatOf(my.bound.seat) : null;
  header.className = seat ? "seat" : "";
  header.style.setProperty("--colour", seat ? seat.mark.colour : "");
  const focused = document.activeElement;
  patch(header, head().filter(Boolean));
  if (Object.keys(my.words).length) {
    document.title = t("title");
    patch(document.getElementById("main"), main().filter(Boolean));
    patch(document.getElementById("tabs"), tabs().filter(Boolean));
    document.getElementById("tabs").setAttribute("aria-label", t("tabs"));
  }
  const slider = document.querySelector("input[type=range]");
  if (slider && my.steps && my.wantedStep === null) slider.value = String(my.steps.deed);
  if (focused && focused !== document.body && !focused.isConnected) document.getElementById("main").focus({ preventScroll: true });
}

setInterval(() => { if (my.lost) render(); }, 1000);
open();
