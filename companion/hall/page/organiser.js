// The organiser's page: players, tables, rounds, results, calls. Everything is decided by the hall; this only asks.
import { board, choices, clock, figure, h, heading, listen, mark, my, patch, post, t, tell, troubles, words } from "/page/common.js";

const TABS = ["day", "players", "tables", "round", "results", "files"];
let tab = location.hash.slice(1) || "day", hall = null, signed = true, version = "", asking = false, filter = "", round = 0;
let settling = "", editing = "", busy = false;
const typed = {};

const main = document.getElementById("main");

async function renew() {
  if (asking) return;
  asking = true;
  try {
    const reply = await fetch(`/organiser/now.json?language=${my.language}${round ? `&round=${round}` : ""}`);
    signed = reply.status !== 403;
    if (reply.ok) hall = await reply.json();
  } catch { /* the stream says that there is no link */ }
  asking = false;
  draw();
}

async function act(deed, done) {
  if (busy) return;
  busy = true;
  const said = await post("/organiser/do", deed);
  busy = false;
  if (said.failed === 403) signed = false;
  if (said.failed === undefined) { if (done) done(); tell(t("done")); }
  await renew();
}

function input(name, label, more = {}) {
  const start = more.value ?? "";
  if (typed[name] === undefined) typed[name] = start;
  return h("label", { key: name }, label, h("input", { ...more, name, value: start, oninput: (event) => { typed[name] = event.target.value; } }));
}

function tick(name, label, checked = false) {
  if (typed[name] === undefined) typed[name] = checked;
  return h("label", { key: name, class: "tick" }, h("input", { type: "checkbox", name, checked: typed[name], onchange: (event) => { typed[name] = event.target.checked; } }), label);
}

function choice(name, label, options, value) {
  if (typed[name] === undefined) typed[name] = value;
  return h("label", { key: name }, label, h("select", { name, onchange: (event) => { typed[name] = event.target.value; } },
    options.map(([id, words]) => h("option", { key: id, value: id, selected: typed[name] === id }, words))));
}

function forget(...names) {
  for (const name of names) {
    delete typed[name];
    for (const field of main.querySelectorAll(`[name="${name}"]`)) field.value = "";
  }
}

function button(words, onclick, more = {}) { return h("button", { key: words, type: "button", onclick, ...more }, words); }

function sure(words, deed) { return () => { if (confirm(words)) deed(); }; }

// ---- signing in

function door() {
  const enter = async () => {
    const said = await post("/organiser/key", { key: typed.key || "" });
    if (said.failed === undefined) { signed = true; delete typed.key; renew(); }
  };
  return [h("h1", { key: "h" }, t("organiser")), h("p", { key: "p" }, t("key-where")),
    h("div", { key: "row", class: "row" }, input("key", t("key"), { autocomplete: "off", autocapitalize: "off" }), button(t("sign-in"), enter, { class: "main" }))];
}

// ---- the day

function day() {
  const plan = hall.plan || { title: "", mode: "heats", planned: 4, game: "", five: true };
  const fields = [
    input("title", t("day-title"), { value: hall.open ? plan.title : "", maxlength: 80 }),
    input("game", t("game"), { value: plan.game, maxlength: 80 }),
    choice("mode", t("order"), [["heats", t("heats")], ["pods", t("pods")]], plan.mode),
    input("planned", t("rounds-planned"), { value: String(plan.planned), inputmode: "numeric" }),
    tick("five", t("five-allowed"), plan.five),
  ];
  const told = () => ({ title: (typed.title || "").trim(), game: typed.game || "", mode: typed.mode, planned: Number(typed.planned) || 1, five: typed.five });
  return [
    h("h1", { key: "h" }, hall.open ? plan.title : t("day-begin")),
    h("div", { key: "fields", class: "plate" }, h("div", { class: "row" }, fields), h("div", { class: "row" },
      hall.open ? button(t("change-plan"), () => act({ do: "plan", ...told() })) : button(t("day-begin"), () => act({ do: "begin", ...told() }), { class: "main" }))),
    hall.open && h("div", { key: "calls", class: "plate" }, h("h2", {}, t("calls")),
      h("div", { class: "row" }, input("minutes", t("minutes"), { value: "5", inputmode: "numeric" }),
        button(t("round-begins-in"), () => act({ do: "soon", minutes: Number(typed.minutes) || 0 })),
        button(t("no-time"), () => act({ do: "soon", minutes: 0 }))),
      h("div", { class: "row" }, input("text", t("own-words"), { maxlength: 200 }),
        button(t("show-at-tables"), () => (typed.text || "").trim() && act({ do: "call", tables: mine(), text: typed.text.trim() }, () => forget("text"))))),
    h("div", { key: "state", class: "plate" }, h("h2", {}, t("connection")),
      h("p", {}, hall.connected ? t("broker-there") : `${t("broker-away")} ${hall.broker}`), hall.trouble && h("p", { class: "trouble" }, hall.trouble),
      hall.lacks > 0 && h("p", {}, t("lacks", { n: hall.lacks })),
      Object.entries(hall.ignored).map(([why, n]) => h("p", { key: why, class: "dim" }, t(`ignored-${why}`, { n })))),
    hall.open && h("p", { key: "end" }, button(t("day-end"), sure(t("day-end-sure"), () => act({ do: "end" }, () => { for (const name of Object.keys(typed)) delete typed[name]; })))),
  ];
}

function mine() { return hall.tables.filter((table) => table.hall === hall.hall && table.companion).map((table) => table.table); }

// ---- players

function players() {
  const wanted = filter.trim().toLocaleLowerCase(my.language);
  const shown = hall.players.filter((row) => !wanted || row[0] === wanted || `${row[1]} ${row[2]}`.toLocaleLowerCase(my.language).includes(wanted));
  const add = () => (typed.name || "").trim() && act({ do: "enter", name: typed.name.trim(), nickname: (typed.nickname || "").trim(), agreed: typed.agreed }, () => forget("name", "nickname"));
  const many = () => {
    const names = (typed.names || "").split("\n").map((line) => line.trim().slice(0, 40)).filter(Boolean);
    if (names.length) act({ do: "enter-many", names, agreed: typed["many-agreed"] }, () => forget("names"));
  };
  return [
    h("h1", { key: "h" }, t("players-of", { n: hall.players.length, all: hall.players.filter((row) => !row[4]).length })),
    h("div", { key: "one", class: "plate" }, h("h2", {}, t("new-player")), h("div", { class: "row" }, input("name", t("name"), { maxlength: 40 }), input("nickname", t("nickname"), { maxlength: 40 }), tick("agreed", t("agreed")), button(t("add"), add, { class: "main" }))),
    h("details", { key: "many", class: "plate" }, h("summary", {}, t("many-players")), h("label", {}, t("one-a-line"), h("textarea", { name: "names", oninput: (event) => { typed.names = event.target.value; } })), h("div", { class: "row" }, tick("many-agreed", t("all-agreed")), button(t("add"), many))),
    h("p", { key: "find" }, h("label", {}, t("find"), h("input", { type: "search", oninput: (event) => { filter = event.target.value; draw(); } }))),
    h("div", { key: "list", class: "scroll", tabindex: "0", role: "region", "aria-label": t("players") }, h("table", {}, h("thead", {}, h("tr", {}, ["number", "name", "nickname", "on-board", "from-round", ""].map((w) => h("th", { key: w || "do", scope: "col" }, w ? t(w) : h("span", { class: "hidden" }, t("change")))))),
      h("tbody", {}, shown.slice(0, 300).map((row) => (editing === row[0] ? edited(row) : h("tr", { key: row[0] }, h("td", {}, row[0]), h("td", { class: row[4] ? "dropped" : "" }, row[1]), h("td", {}, row[2]), h("td", {}, row[3] ? t("by-name") : t("by-nickname")), h("td", {}, String(row[5])),
        h("td", {}, button(t("change"), () => { editing = row[0]; forget("edit-name", "edit-nickname", "edit-agreed"); draw(); }), " ", button(row[4] ? t("is-back") : t("goes-home"), () => act({ do: "drop", number: row[0], dropped: !row[4] })))))))))  ,
  ];
}

function edited(row) {
  const keep = () => act({ do: "enter", number: row[0], name: (typed["edit-name"] || row[1]).trim(), nickname: (typed["edit-nickname"] ?? row[2]).trim(), agreed: typed["edit-agreed"] }, () => { editing = ""; });
  return h("tr", { key: `${row[0]} edit` }, h("td", {}, row[0]), h("td", { colspan: "5" }, h("div", { class: "row" }, input("edit-name", t("name"), { value: row[1], maxlength: 40 }), input("edit-nickname", t("nickname"), { value: row[2], maxlength: 40 }), tick("edit-agreed", t("agreed"), row[3]), button(t("keep"), keep, { class: "main" }), button(t("cancel"), () => { editing = ""; draw(); }))));
}

// ---- tables

function tables() {
  const add = () => act({ do: "place-many", count: Number(typed.count) || 0, word: (typed.word || "").trim() || t("table"), room: (typed.room || "").trim(), companion: typed.companion }, () => forget("count"));
  const place = (table, change) => act({ do: "place", hall: table.hall, table: table.table, title: table.title, room: table.room, companion: table.companion, used: true, ...change });
  return [
    h("h1", { key: "h" }, t("tables")),
    h("div", { key: "add", class: "plate" }, h("h2", {}, t("new-tables")), h("div", { class: "row" }, input("count", t("how-many"), { value: "1", inputmode: "numeric" }), input("word", t("called"), { value: t("table"), maxlength: 20 }), input("room", t("room"), { maxlength: 40 }), tick("companion", t("with-companion"), false), button(t("add"), add, { class: "main" })), h("p", { class: "dim" }, t("tables-come"))),
    h("p", { key: "judge" }, button(t("pair-all-tables"), async () => { for (const table of hall.tables.filter((one) => !one.placed)) await post("/organiser/do", { do: "place", hall: table.hall, table: table.table, title: table.title, room: table.room, companion: true, used: true }); renew(); })),
    h("div", { key: "list", class: "scroll", tabindex: "0", role: "region", "aria-label": t("tables") }, h("table", {}, h("thead", {}, h("tr", {}, ["table", "room", "kind", "state", ""].map((w) => h("th", { key: w || "do", scope: "col" }, w ? t(w) : h("span", { class: "hidden" }, t("change")))))),
      h("tbody", {}, hall.tables.map((table) => {
        const id = `${table.hall}/${table.table}`;
        if (editing === id) return h("tr", { key: `${id} edit` }, h("td", { colspan: "5" }, h("div", { class: "row" }, input("edit-title", t("called"), { value: table.title, maxlength: 40 }), input("edit-room", t("room"), { value: table.room, maxlength: 40 }), tick("edit-companion", t("with-companion"), table.companion), button(t("keep"), () => { place(table, { title: (typed["edit-title"] || table.title).trim(), room: (typed["edit-room"] ?? "").trim(), companion: typed["edit-companion"] }); editing = ""; }, { class: "main" }), button(t("cancel"), () => { editing = ""; draw(); }))));
        return h("tr", { key: id }, h("td", {}, h("b", {}, table.title)), h("td", {}, table.room), h("td", {}, table.companion ? t("companion") : t("by-phone")),
          h("td", {}, [table.judge && t("kind-judge"), table.online === true ? t("online") : table.online === false ? t("kind-offline") : table.companion ? t("not-heard") : "", !table.used && t("not-used")].filter(Boolean).join(", ")),
          h("td", {}, table.used ? button(t("do-not-use"), () => place(table, { used: false })) : button(t("use"), () => place(table, {})), " ", button(t("change"), () => { editing = id; forget("edit-title", "edit-room", "edit-companion"); draw(); }), " ", table.online && button(t("judge-comes"), () => act({ do: "call", tables: [table.table] }))));
      }))) ),
  ];
}

// ---- rounds

function names() { return Object.fromEntries(hall.players.map((row) => [row[0], row[1]])); }

function finalButtons() {
  const best = hall.finalists, name = names();
  const open = best.undecided.length > 0;
  const chosen = () => [...best.players, ...best.undecided.filter((player) => typed[`final-${player}`])];
  return h("div", { key: "final", class: "plate" }, h("h2", {}, t("final")),
    h("p", {}, best.players.map((player) => name[player]).join(", ")),
    open && h("p", {}, t("final-tied", { n: best.open })), open && h("div", { class: "row" }, best.undecided.map((player) => tick(`final-${player}`, name[player]))),
    button(t("pair-final"), sure(t("pair-final-sure"), () => act({ do: "pair", final: chosen() }))));
}

function roundTab() {
  const found = hall.round, name = names(), waiting = found ? found.tables.filter((one) => one.claim.status !== "official").length : 0;
  const pair = () => act({ do: "pair" }, () => { round = 0; });
  const over = found && found.final;
  return [
    h("h1", { key: "h" }, found ? (found.final ? t("final") : t("round", { n: found.round })) : t("round-soon")),
    found && waiting > 0 && h("p", { key: "waiting" }, t("not-official", { n: waiting })),
    h("div", { key: "do", class: "row" }, !over && button(t("pair-round", { n: hall.rounds + 1 }), waiting ? sure(t("pair-sure"), pair) : pair, { class: "main" }),
      found && button(t("cancel-round"), sure(t("cancel-round-sure"), () => act({ do: "cancel", round: hall.rounds }, () => { round = 0; }))),
      found && h("a", { class: "link", href: `/organiser/print/pairings?language=${my.language}`, target: "_blank" }, t("print-them"))),
    !over && hall.rounds > 0 && finalButtons(),
    found && h("div", { key: "tables", class: "cards" }, found.tables.map((one) => h("section", { key: `${one.hall}/${one.table}`, class: "plate" }, h("h2", {}, one.title),
      h("ol", {}, one.players.map((player, n) => h("li", { key: player }, mark(n), " ", name[player] || player))), h("p", { class: "why" }, one.why.join(" "))))),
    found && found.byes.length > 0 && h("p", { key: "byes" }, `${t("byes")}: ${found.byes.map((player) => name[player]).join(", ")}. ${found.why.join(" ")}`),
  ];
}

// ---- results

function results() {
  const found = hall.round;
  if (!found) return [h("h1", { key: "h" }, t("results")), h("p", { key: "p" }, t("round-soon"))];
  const urgency = { disputed: 0, awaiting: 1, open: 2, official: 3 };
  const sorted = [...found.tables].sort((a, b) => urgency[a.claim.status] - urgency[b.claim.status]);
  return [
    h("h1", { key: "h" }, `${t("results")}: ${t("round", { n: found.round })}`),
    h("div", { key: "rounds", class: "row" }, Array.from({ length: hall.rounds }, (_, n) => button(t("round", { n: n + 1 }), () => { round = n + 1; settling = ""; renew(); }, { "aria-pressed": String(found.round === n + 1) }))),
    h("div", { key: "list", class: "cards" }, sorted.map((one) => result(found, one))),
  ];
}

function result(found, one) {
  const id = `${one.hall}/${one.table}`, name = names(), claim = one.claim;
  const known = Object.fromEntries(claim.seats.map((seat) => [seat.player, seat]));
  const field = (player, what) => `settle-${player}-${what}`;
  const settle = () => {
    const seats = one.players.map((player) => ({ player, points: Number(typed[field(player, "points")]), place: Number(typed[field(player, "place")]) }));
    if (seats.some((seat) => !Number.isInteger(seat.points) || !Number.isInteger(seat.place) || seat.place < 1)) { tell(t("fill-in-all")); return; }
    act({ do: "settle", round: found.round, hall: one.hall, table: one.table, seats, reason: typed["settle-reason"] || "" }, () => { settling = ""; });
  };
  const open = () => {
    for (const player of one.players) forget(field(player, "points"), field(player, "place"));
    forget("settle-reason");
    settling = id;
    draw();
  };
  const state = claim.status === "official" && claim.source === "judge" ? t("form-judge") : t(`form-${claim.status}`);
  return h("section", { key: id, class: "plate" }, h("h2", {}, one.title), h("p", { class: "state" }, state), claim.reason && h("p", { class: "why" }, claim.reason),
    settling === id
      ? [...one.players.map((player) => h("div", { key: player, class: "seat" }, h("span", {}, name[player] || player), input(field(player, "points"), t("points"), { value: known[player] ? String(known[player].points) : "", inputmode: "numeric" }), input(field(player, "place"), t("place"), { value: known[player] ? String(known[player].place) : "", inputmode: "numeric" }))),
        h("div", { key: "why", class: "row" }, input("settle-reason", t("reason"), { maxlength: 200 }), button(t("settle"), settle, { class: "main" }), button(t("cancel"), () => { settling = ""; draw(); }))]
      : [h("ol", { key: "seats" }, one.players.map((player) => h("li", { key: player }, known[player] ? `${known[player].place}. ${name[player]}: ${known[player].points}` : name[player] || player, " ", claim.confirmed.includes(player) ? "✓" : claim.refused.includes(player) ? `✗ ${t("no")}` : ""))),
        h("div", { key: "do", class: "row" }, button(t("settle-here"), open), claim.source === "judge" && button(t("settle-back"), () => act({ do: "settle", round: found.round, hall: one.hall, table: one.table, seats: [] })))]);
}

// ---- files and paper

function files() {
  const link = (href, words) => h("p", { key: href }, h("a", { class: "link", href, target: "_blank" }, words));
  return [
    h("h1", { key: "h" }, t("files")),
    h("h2", { key: "paper" }, t("paper")), ...["pairings", "standings", "cards"].map((name) => link(`/organiser/print/${name}?language=${my.language}`, t(`paper-${name}`))),
    h("h2", { key: "export" }, t("export")), ...["standings.csv", "results.csv", "players.csv", "hall.json"].map((name) => link(`/organiser/export/${name}`, name)),
  ];
}

const PAGES = { day, players, tables, round: roundTab, results, files };

function draw() {
  if (signed && !hall) return;
  patch(document.getElementById("head"), [
    h("div", { class: "grow" }, h("p", { class: "big" }, heading()), h("p", { class: "dim" }, board.head.title)), ...troubles(), h("p", { key: "clock", class: "clock" }, clock()),
    signed && h("nav", { key: "tabs", class: "tabs", "aria-label": t("organiser") }, TABS.filter((one) => hall.open || one === "day" || one === "files").map((one) => h("button", { key: one, "aria-current": tab === one ? "page" : null, onclick: () => { tab = one; editing = settling = filter = ""; history.replaceState(null, "", `#${one}`); draw(); main.focus(); } }, t(`tab-${one}`)))),
  ].filter(Boolean));
  const shown = signed ? (hall.open || tab === "files" ? PAGES[tab] || day : day) : door;
  patch(main, [h("div", { key: signed ? tab : "door" }, shown())]);
  patch(document.getElementById("foot"), [h("nav", { "aria-label": t("pages") }, h("a", { href: "/" }, t("board")), h("a", { href: "/pairings" }, t("pairings")), h("a", { href: "/standings" }, t("standings"))), choices()]);
}

await words();
document.title = `${t("organiser")} – ${t("title")}`;
main.replaceChildren();
await renew();
listen(() => {
  const head = board.head, state = JSON.stringify([head.lists, head.broker, head.disk, head.open, head.lacks > 0, board.order.length]);
  if (signed && state !== version) { version = state; renew(); } else draw();
});
