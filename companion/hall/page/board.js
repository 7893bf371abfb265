// The board: a page of tables at a time for a projector, all of them to scroll through on a phone.
import { board, choices, clock, countdown, figure, h, heading, listen, mark, minutes, my, now, patch, t, troubles, words } from "/page/common.js";

const TURN = 15;
const LONG = 120;
const wide = matchMedia("(min-width: 60rem) and (min-height: 30rem)");
const asked = new URLSearchParams(location.search);
const all = asked.get("view") === "all";
const ATTENTION = ["judge", "disputed", "waits"];
const ORDER = ["plays", "waits", "judge", "paused", "sits", "awaiting", "disputed", "finished", "offline", "free"];
const cells = new Map();
let dirty = new Set(), everything = true, standings = true, scheduled = false;
let page = 0, turned = 0, kinds = new Map(), turns = 0, held = false, filter = "";

function kind(row) {
  if (row.judge) return "judge";
  if (row.offline && row.state !== "finished") return "offline";
  if (row.result === "disputed" || row.result === "awaiting") return row.result;
  if (row.state === "plays" && row.since && now() - row.since >= LONG) return "waits";
  return row.state;
}

function under(row, what) {
  const waiting = row.seats.filter((seat) => seat[2].includes("w")).map((seat) => seat[0]);
  if (what === "waits") return t("waits-for", { names: waiting.join(", "), n: minutes(now() - row.since) });
  if (what === "finished" || what === "awaiting" || what === "disputed") return row.seats.filter((seat) => seat[2].includes("x")).map((seat) => seat[0]).join(", ");
  if (row.round) return [t("in-round", { n: row.round }), row.phase[my.language] || row.phase.en].filter(Boolean).join(", ");
  return row.room;
}

function number(title) {
  const found = /^(.*?)\s*(\d+)$/.exec(title);
  return found ? { short: found[2], long: title } : { short: title, long: title };
}

function cell(id) {
  const row = board.tables[id];
  const what = kind(row), title = number(row.title);
  return [
    h("header", {},
      h("strong", { class: title.short.length > 3 ? "small" : "", "aria-label": title.long }, title.short),
      h("div", { class: "words" },
        h("b", { class: `kind ${what}` }, h("i", { class: `sign ${what}`, "aria-hidden": "true" }), h("span", { class: all ? "hidden" : "" }, t(`kind-${what}`))),
        h("small", {}, under(row, what), row.near && h("em", {}, ` ${t("end-near")}`)))),
    !all && h("ol", {}, row.seats.slice(0, 6).map((seat, n) => h("li", { key: n, class: seat[2].includes("w") ? "turn" : "" },
      mark(n),
      h("span", {}, seat[0], seat[2].includes("w") && h("i", { class: "now", role: "img", "aria-label": t("to-move") })),
      seat[2].includes("x") && h("i", { class: "crown", role: "img", "aria-label": t("won") }),
      seat[1] !== null && h("b", { class: seat[2].includes("l") || seat[2].includes("x") ? "leads" : "" }, figure(seat[1]))))),
  ];
}

function perPage() {
  const n = Number(asked.get("tables"));
  if (n >= 1) return n;
  return board.order.length <= 12 ? 12 : 20;
}

function pages() {
  const each = perPage(), found = [];
  for (let n = 0; n < board.order.length; n += each) found.push(board.order.slice(n, n + each));
  return found.length ? found : [[]];
}

function visible() {
  if (wide.matches && !all) {
    const every = pages();
    page = Math.min(page, every.length - 1);
    return every[page];
  }
  const typed = filter.trim().toLocaleLowerCase(my.language);
  if (!typed) return board.order;
  return board.order.filter((id) => {
    const row = board.tables[id];
    return [row.title, row.room, ...row.seats.map((seat) => seat[0])].some((w) => w.toLocaleLowerCase(my.language).includes(typed));
  });
}

// ---- turning pages: in order, and a page that needs somebody comes back every second turn

function turn() {
  const every = pages();
  if (every.length < 2) return;
  turns += 1;
  const urgent = every.flatMap((ids, n) => (n !== page && ids.some((id) => ATTENTION.includes(kind(board.tables[id]))) ? [n] : []));
  if (turns % 2 === 0 && urgent.length) {
    turn.back ??= page;
    turn.urgent = urgent.find((n) => n > (turn.urgent ?? -1)) ?? urgent[0];
    page = turn.urgent;
  } else {
    page = ((turn.back ?? page) + 1) % every.length;
    turn.back = undefined;
  }
  everything = true;
}

function schedule() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => { scheduled = false; render(); });
}

function grid() {
  return document.getElementById("tables");
}

function render() {
  performance.mark("render");
  if (everything) whole();
  else for (const id of dirty) if (cells.has(id)) draw(id);
  if (standings) side();
  head();
  foot();
  dirty = new Set();
  everything = false;
  standings = false;
  performance.measure("board", "render");
  document.documentElement.dataset.version = board.version;
}

function draw(id) {
  const element = cells.get(id), what = kind(board.tables[id]);
  if (element.dataset.kind !== what) element.dataset.kind = what;
  patch(element, cell(id).filter(Boolean));
}

function whole() {
  const main = document.getElementById("main");
  if (!grid()) {
    main.replaceChildren();
    patch(main, [
      h("h1", { key: "h", class: "hidden" }, t("tables")),
      h("p", { key: "find", class: "find" }, h("label", {}, t("find"), h("input", { type: "search", id: "find", oninput: (event) => { filter = event.target.value; everything = true; schedule(); } }))),
      h("ul", { key: "g", id: "tables" }), h("aside", { key: "s", id: "side", "aria-label": t("standings") }),
    ]);
  }
  const list = grid(), ids = visible();
  const each = perPage();
  const one = board.order.length <= each;
  list.style.setProperty("--rows", String(one ? Math.max(2, Math.ceil(ids.length / (each <= 12 ? 4 : 5))) : each <= 12 ? 3 : 4));
  list.className = all ? "all" : each <= 12 ? "twelve" : "twenty";
  const wanted = new Set(ids);
  for (const [id, element] of cells) if (!wanted.has(id)) { element.remove(); cells.delete(id); }
  let place = list.firstChild;
  for (const id of ids) {
    let element = cells.get(id);
    if (!element) { element = document.createElement("li"); cells.set(id, element); }
    if (element === place) place = place.nextSibling;
    else list.insertBefore(element, place);
    draw(id);
  }
  standings = true;
}

function head() {
  const head = board.head, left = head.begins ? head.begins - now() : 0;
  patch(document.getElementById("head"), [
    h("div", { class: "grow" },
      h("p", { class: "big" }, heading()),
      h("p", { class: "dim" }, [head.title, head.game].filter(Boolean).join(", "))),
    ...troubles(),
    head.last && board.tables[head.last.table] && h("p", { key: "last", class: "last" }, last(head.last)),
    left > 0 && h("p", { key: "begins", class: "next" }, h("small", {}, t("begins-in")), h("b", {}, countdown(left))),
    h("p", { key: "clock", class: "clock" }, clock()),
  ].filter(Boolean));
}

function last(found) {
  const [low, middle, high] = found.at.map((at) => minutes(at - now() + 30));
  return [h("small", {}, t("ends-last")), h("b", {}, t("ends-last-more", { table: board.tables[found.table].title, n: middle, low, high }))];
}

function side() {
  const points = board.head.mode === "pods";
  patch(document.getElementById("side"), [
    h("h2", {}, t("standings"), h("small", {}, t(points ? "points-wins" : "wins-points"))),
    h("table", {}, h("thead", { class: "hidden" }, h("tr", {}, ...["place", "player", points ? "points" : "wins", points ? "wins" : "points"].map((w) => h("th", { scope: "col" }, t(w))))),
      h("tbody", {}, board.top.slice(0, wide.matches ? 12 : undefined).map((row) => h("tr", { key: row[6], class: row[0] <= 3 ? "best" : "" },
        h("td", {}, `${row[0]}.`), h("td", { class: "who" }, row[1]),
        h("td", {}, h("b", {}, figure(points ? row[3] : row[2]))), h("td", { class: "dim" }, figure(points ? row[2] : row[3])))))),
    h("p", { class: "dim official" }, board.head.waiting ? t("official-and", { n: board.head.waiting }) : t("official")),
    h("a", { class: "code", href: "/pairings" }, h("img", { src: "/qr.svg", alt: "" }), h("span", {}, t("find-your-table"))),
  ]);
}

function foot() {
  const counts = {};
  for (const id of board.order) { const what = kind(board.tables[id]); kinds.set(id, what); counts[what] = (counts[what] || 0) + 1; }
  const every = pages();
  patch(document.getElementById("foot"), [
    h("b", {}, t("all-tables", { n: board.order.length })),
    h("ul", { class: "counts" }, ORDER.filter((what) => counts[what]).map((what) => h("li", { key: what, class: `kind ${what}` }, h("i", { class: `sign ${what}`, "aria-hidden": "true" }), `${counts[what]} ${t(`kind-${what}`)}`))),
    h("nav", { "aria-label": t("pages") }, h("a", { href: "/pairings" }, t("pairings")), h("a", { href: "/standings" }, t("standings"))),
    choices(),
    wide.matches && !all && every.length > 1 && h("span", { key: "pages", class: "pages" },
      h("button", { onclick: () => { held = !held; foot(); }, "aria-pressed": String(held) }, t(held ? "go-round" : "hold")),
      h("button", { onclick: () => { page = (page + 1) % every.length; turned = now(); everything = true; schedule(); } }, t("page-of", { n: page + 1, all: every.length }))),
  ].filter(Boolean));
}

function tick() {
  if (!document.getElementById("tables")) return;
  if (now() - turned >= TURN && !held && wide.matches && !all) { turned = now(); turn(); }
  for (const [id] of cells) {
    const row = board.tables[id];
    if (row && row.since && (kind(row) !== kinds.get(id) || (kind(row) === "waits" && minutes(now() - row.since) !== cells.get(id).waited))) {
      cells.get(id).waited = minutes(now() - row.since);
      dirty.add(id);
    }
  }
  schedule();
}

await words();
document.title = t("title");
wide.addEventListener("change", () => { everything = true; schedule(); });
listen((ids, order, top) => {
  for (const id of ids) dirty.add(id);
  everything ||= order;
  standings ||= top || order;
  if (board.order.length || board.head.title !== undefined) schedule();
});
turned = now();
setInterval(tick, 1000);
