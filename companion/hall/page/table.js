// The form of a table: type the result, then everybody confirms it. The key is in the address, after #.
import { board, choices, h, listen, mark, patch, post, t, tell, words } from "/page/common.js";

const [hall, table, key] = location.hash.slice(1).split("/");
const who = { hall, table, key };
let now = null, busy = false, points = {}, places = {}, by = "", round = 0, version = -1, again = false;

async function renew() {
  const said = await post("/table/now", who);
  if (said.failed === undefined) take(said);
  draw();
}

function take(said) {
  now = said;
  if (said.round !== round) { round = said.round; points = {}; places = {}; by = ""; }
}

async function send(path, more) {
  if (busy) return;
  busy = true;
  const said = await post(path, { ...who, round: now.round, ...more });
  if (said.failed === undefined) take(said);
  busy = false;
  draw();
}

function proposed() {
  // Places by points, as long as nobody typed another: more points are a better place.
  const given = now.players.map(([player]) => Number(points[player]));
  return Object.fromEntries(now.players.map(([player], n) => [player, places[player] || (Number.isInteger(given[n]) && points[player] !== undefined && points[player] !== "" ? String(1 + given.filter((other) => other > given[n]).length) : "")]));
}

function typed() {
  const wasAgain = again;
  again = false;
  const place = proposed();
  const seats = now.players.map(([player]) => ({ player, points: Number(points[player]), place: Number(place[player]) }));
  if (now.players.some(([player]) => !/^-?\d{1,5}$/.test(points[player] ?? "") || !/^\d{1,2}$/.test(place[player])) || !by) { again = wasAgain; tell(t("fill-in-all")); return; }
  send("/table/typed", { seats, by });
}

function form() {
  const place = proposed();
  return [
    h("p", { key: "how" }, t("form-how")),
    ...now.players.map(([player, name], n) => h("div", { key: player, class: "seat" },
      h("span", {}, mark(n), " ", h("b", {}, name)),
      h("label", {}, t("points"), h("input", { inputmode: "numeric", "aria-label": `${name}: ${t("points")}`, oninput: (event) => { points[player] = event.target.value.trim(); draw(); } })),
      h("label", {}, t("place"), h("input", { inputmode: "numeric", "aria-label": `${name}: ${t("place")}`, placeholder: place[player], oninput: (event) => { places[player] = event.target.value.trim(); draw(); } })))),
    h("p", { key: "by" }, h("label", {}, t("i-am"), h("select", { id: "by", onchange: (event) => { by = event.target.value; draw(); } }, h("option", { value: "" }, ""), now.players.map(([player, name]) => h("option", { key: player, value: player }, name))))),
    h("p", { key: "send" }, h("button", { class: "main", onclick: typed }, t("send-result"))),
  ];
}

function sheet(claim) {
  const names = Object.fromEntries(now.players);
  const rows = [...claim.seats].sort((a, b) => a.place - b.place);
  return h("table", { key: "sheet" }, h("thead", {}, h("tr", {}, ["place", "player", "points", "confirmed"].map((w) => h("th", { scope: "col" }, t(w))))),
    h("tbody", {}, rows.map((seat) => h("tr", { key: seat.player }, h("td", {}, `${seat.place}.`), h("td", {}, names[seat.player] || seat.player), h("td", {}, String(seat.points)),
      h("td", {}, claim.confirmed.includes(seat.player) ? `✓ ${t("yes")}` : claim.refused.includes(seat.player) ? `✗ ${t("no")}` : "…")))));
}

function answers(claim) {
  return now.players.filter(([player]) => !claim.confirmed.includes(player)).map(([player, name]) => h("p", { key: player, class: "row" },
    h("button", { class: "main", onclick: () => send("/table/answered", { typed: claim.typed, player, right: true }) }, t("confirm-as", { name })),
    h("button", { onclick: () => send("/table/answered", { typed: claim.typed, player, right: false }) }, t("refuse-as", { name }))));
}

function draw() {
  const main = document.getElementById("main");
  if (!now) return;
  const claim = now.claim, mine = claim.source === "phone" && claim.status !== "official";
  patch(main, [
    h("h1", { key: "h" }, now.title),
    h("p", { key: "round", class: "dim" }, now.round ? t("round", { n: now.round }) : t("round-soon")),
    h("p", { key: "state", class: "state", role: "status" }, now.players.length ? t(`form-${claim.status}`) : t("form-nobody")),
    claim.seats.length > 0 && !again && sheet(claim),
    mine && !again && h("div", { key: "answers" }, answers(claim)),
    mine && !again && h("p", { key: "again" }, h("button", { onclick: () => { again = true; draw(); } }, t("type-again"))),
    now.players.length > 0 && (claim.status === "open" || (mine && again)) && h("div", { key: "form" }, form()),
  ].filter(Boolean));
  patch(document.getElementById("foot"), [h("nav", { "aria-label": t("pages") }, h("a", { href: "/" }, t("board")), h("a", { href: "/standings" }, t("standings"))), choices()]);
}

await words();
document.title = t("title");
document.getElementById("main").replaceChildren();
listen(() => {
  if (version === board.head.lists) return;
  version = board.head.lists;
  renew();
});
