// Find your table, and all standings: lists that are asked for again when the hall says they may differ.
import { board, choices, clock, countdown, figure, get, h, heading, listen, mark, my, now, patch, t, troubles, words } from "/page/common.js";

const standings = document.body.className === "standings";
const wide = matchMedia("(min-width: 60rem) and (min-height: 30rem)");
const ROWS = 56, TURN = 15, SOON = 3000;
let list = null, version = -1, asking = false, filter = "", page = 0, turned = 0;

const order = new Intl.Collator(my.language, { numeric: true });

async function renew() {
  if (asking || version === board.head.lists) return;
  asking = true;
  const wanted = board.head.lists;
  try {
    list = await get(standings ? "/standings.json" : "/pairings.json");
    version = wanted;
    if (!standings) list.players.sort((a, b) => order.compare(a[0], b[0]));
  } catch { /* asked again below */ }
  draw();
  setTimeout(() => { asking = false; renew(); }, SOON * (1 + Math.random()));
}

function matches(name) { return name.toLocaleLowerCase(my.language).includes(filter.trim().toLocaleLowerCase(my.language)); }

function find() {
  return h("p", { key: "find", class: "find" }, h("label", {}, t("find"), h("input", { type: "search", id: "find", oninput: (event) => { filter = event.target.value; draw(); } })));
}

function seats() {
  const players = list.players.filter((row) => matches(row[0]) || row[3] === filter.trim());
  const count = Math.max(1, Math.ceil(players.length / ROWS));
  page %= count;
  const shown = wide.matches ? players.slice(page * ROWS, (page + 1) * ROWS) : players;
  const rooms = new Set(list.players.map((row) => row[4])).size > 1;
  let before = "";
  return { count, nodes: shown.map((row) => {
    const letter = row[0].slice(0, 1).toLocaleUpperCase(my.language), first = letter !== before;
    before = letter;
    const found = /(\d+)$/.exec(row[1]);
    return h("li", { key: row[3] }, h("span", { class: "letter", "aria-hidden": "true" }, first ? letter : ""),
      h("span", { class: "who" }, h("span", {}, row[0]), rooms && row[4] && h("small", {}, row[4])), mark(row[2]), h("b", { "aria-label": row[1] }, found ? found[1] : row[1]));
  }) };
}

function drawPairings(main) {
  const { count, nodes } = seats();
  patch(main, [
    h("h1", { key: "h", class: "hidden" }, t("pairings")),
    find(),
    list.round ? h("ul", { key: "l", class: "names" }, nodes) : h("p", { key: "none" }, t("no-pairings")),
    list.byes.length > 0 && h("p", { key: "byes" }, `${t("byes")}: ${list.byes.map((row) => row[0]).join(", ")}`),
  ].filter(Boolean));
  const left = board.head.begins ? board.head.begins - now() : 0;
  patch(document.getElementById("head"), [
    h("div", { class: "grow" }, h("p", { class: "big" }, list.round ? t("find-your-name", { n: list.round }) : heading()), h("p", { class: "dim" }, [board.head.title, board.head.game].filter(Boolean).join(", "))),
    ...troubles(),
    left > 0 && h("p", { key: "begins", class: "next" }, h("small", {}, t("begins-in")), h("b", {}, countdown(left))),
    wide.matches && h("span", { key: "code", class: "code" }, h("img", { src: "/qr.svg", alt: t("find-your-table") })),
    h("p", { key: "clock", class: "clock" }, clock()),
  ].filter(Boolean));
  patch(document.getElementById("foot"), [
    h("span", {}, t("legend")),
    h("nav", { "aria-label": t("pages") }, h("a", { href: "/" }, t("board")), h("a", { href: "/standings" }, t("standings"))),
    choices(),
    wide.matches && count > 1 && h("span", { key: "pages", class: "pages" }, h("button", { onclick: next }, t("page-of", { n: page + 1, all: count }))),
  ].filter(Boolean));
}

function next() { page += 1; turned = now(); draw(); }

function drawStandings(main) {
  const points = board.head.mode === "pods";
  const [first, second] = points ? [3, 2] : [2, 3];
  patch(main, [
    h("h1", { key: "h" }, t("standings")),
    h("p", { key: "official", class: "dim" }, board.head.waiting ? t("official-and", { n: board.head.waiting }) : t("official")),
    find(),
    h("table", { key: "t" }, h("thead", {}, h("tr", {}, ["place", "player", points ? "points" : "wins", points ? "wins" : "points", "games"].map((w) => h("th", { scope: "col" }, t(w))))),
      h("tbody", {}, list.rows.filter((row) => matches(row[1]) || row[6] === filter.trim()).map((row) => h("tr", { key: row[6] },
        h("td", {}, `${row[0]}.`), h("td", { class: row[5] ? "dropped" : "" }, row[1]), h("td", {}, h("b", {}, figure(row[first]))), h("td", {}, figure(row[second])), h("td", {}, figure(row[4])))))),
  ]);
  patch(document.getElementById("head"), [h("div", { class: "grow" }, h("p", { class: "big" }, heading()), h("p", { class: "dim" }, board.head.title)), ...troubles()]);
  patch(document.getElementById("foot"), [h("nav", { "aria-label": t("pages") }, h("a", { href: "/" }, t("board")), h("a", { href: "/pairings" }, t("pairings"))), choices()]);
}

function draw() {
  if (!list) return;
  (standings ? drawStandings : drawPairings)(document.getElementById("main"));
}

await words();
document.title = t("title");
document.getElementById("main").replaceChildren();
wide.addEventListener("change", draw);
listen(() => { renew(); draw(); });
if (!standings) setInterval(() => { if (wide.matches && now() - turned >= TURN) { turned = now(); page += 1; } draw(); }, 1000);
