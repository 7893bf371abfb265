"""Replays recorded games of other engines through the rules and compares everything after every phase.

The rules get only what people would answer: of the hands in the log they learn only the cards that are
placed. A log is one JSON object per line; `RACE_LOGS.md` beside this file describes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec import Struct

from companion.core.agenda import Ask, open_asks, take
from companion.core.game import Setup
from companion.core.questions import Answer, Question
from companion.core.words import Text, component_of, inside
from companion.games.race import GAME
from companion.games.race.cards import (
    ConsumeForPrice,
    DiscardToSettleFree,
    Draw,
    Gamble,
    PayForMilitary,
    ProduceOnWindfall,
)
from companion.games.race.costs import general_military, settle_ways
from companion.games.race.state import RaceState, Seat
from companion.games.race.steps.consume import AnswerGamble, ChooseConsume, ChooseSale, PickGood
from companion.games.race.steps.place import PASS, ChoosePlacement, ChooseWay, Pay
from companion.games.race.steps.produce import ChooseWindfall
from companion.games.race.steps.round import BeginRound, EndRound

LogEvent = dict[str, Any]
T = TypeVar("T")


class Mismatch(Struct, frozen=True):
    """Where our rules and a log differ."""

    where: str
    what: str
    engine: Any
    log: Any

    def __str__(self) -> str:
        return f"{self.where}: {self.what}: engine {self.engine!r}, log {self.log!r}"


class LogReport(Struct):
    """The result of replaying one game of another engine."""

    game: str
    mismatches: list[Mismatch]
    given: list[Answer] = []
    """What people answered, in order."""
    checks: int = 0

    @property
    def answers(self) -> int:
        """How many answers were given."""
        return len(self.given)


class LogStuck(Exception):
    """The log has no answer to a question of the rules: the replay of this game ends here."""


def kind(instance: str) -> str:
    """The card of an instance id: `public-works#2` is a `public-works`."""
    return instance.split("#")[0]


def replay_log(log: dict[str, Any]) -> LogReport:
    """Replay one game; everything that differs is in the report."""
    replayer = _Replayer(log)
    try:
        replayer.run()
    except LogStuck as stuck:
        replayer.differ("the replay cannot go on", None, str(stuck))
    return replayer.report


class _Phase:
    """One phase of the log: for each seat its events, in order, and its hand afterwards."""

    def __init__(self, name: str, events: list[LogEvent], hands: list[list[str]]) -> None:
        self.name = name.replace("_", "-")
        self.queues: dict[tuple[int, str], list[LogEvent]] = {}
        for event in events:
            if "seat" not in event:
                continue
            seat = event["seat"]
            told = {**event, "hand": list(hands[seat])}
            self.queues.setdefault((seat, event["type"]), []).append(told)
            if _uses_power(self.name, event):
                self.queues.setdefault((seat, "use"), []).append(told)
            _move_cards(event, hands[seat])

    def peek(self, seat: int, *types: str) -> LogEvent | None:
        """The next event of a type, left in place."""
        for type_ in types:
            if queue := self.queues.get((seat, type_)):
                return queue[0]
        return None

    def next(self, seat: int, type_: str) -> LogEvent | None:
        """The next event of a type, removed."""
        queue = self.queues.get((seat, type_))
        return queue.pop(0) if queue else None


def _uses_power(phase: str, event: LogEvent) -> bool:
    if phase != "consume":
        return False
    by_power = event["type"] == "trade" and event["via"] != "action"
    by_card = event["type"] == "draw" and event["source"] not in ("trade", "consume")
    return event["type"] in ("consume", "consume_hand", "gamble") or by_power or by_card


def _move_cards(event: LogEvent, hand: list[str]) -> None:
    match event["type"]:
        case "draw":
            hand += event["cards"]
        case "place":
            if event["card"] in hand:
                hand.remove(event["card"])
        case "discard" | "consume_hand" | "pay":
            for card in event["cards"]:
                hand.remove(card)
        case "gamble" if event["kept"]:
            hand.append(event["card"])


class _Replayer:
    def __init__(self, log: dict[str, Any]) -> None:
        self.log = log
        self.report = LogReport(log["game"], [])
        if log["players"] not in GAME.box.seats:
            raise ValueError(f"players: {log['players']!r:.60}")
        self.hands: list[list[str]] = [[] for _ in range(log["players"])]
        self.where = "start"
        self.phase = _Phase("start", log["start"]["events"], self.hands)
        self.coming: list[tuple[str, str, dict[str, Any]]] = []
        self.heard = 0
        self.declined: set[tuple[int, str, str]] = set()

    # The course of the game

    def run(self) -> None:
        log = self.log
        names = tuple(f"seat {n}" for n in range(log["players"]))
        choices = {
            "edition": "first",
            "opening": "first-game" if log["setup"] == "first_game" else "normal",
            "actions": "advanced" if log["advanced"] else "standard",
        }
        self.state: RaceState = GAME.start(Setup("race", names, choices))
        for seat in range(log["players"]):
            start = self.phase.next(seat, "place")
            self.answer(seat, "race.start-world", kind(self.given(start)["card"]))
        self.compare(self.state, log["start"]["after"])
        for round_ in log["rounds"]:
            self.play_round(round_)
        if self.state.agenda:
            self.differ("the play is over", False, True)
        self.compare_final()

    def play_round(self, round_: dict[str, Any]) -> None:
        self.coming = [(p["phase"], p["events"], p["after"]) for p in round_["phases"]]
        self.where = f"round {round_['round']}"
        for seat, chosen in enumerate(round_["actions"]):
            for action in chosen:
                self.answer(seat, "race.action", action.replace("_", "-"))
        while self.state.agenda and self.state.round == round_["round"]:
            _, ask = open_asks(self.state)[0]
            assert ask.seat is not None
            question = ask.ask(self.state)
            self.answer(ask.seat, ask.slug, self.option(ask, question))
        if self.coming:
            self.differ("phases that happened", [], [name for name, _, _ in self.coming])

    def watch(self, state: RaceState) -> None:
        """Before a step outside branches: check whether a phase of the log has just ended or begun."""
        top = state.agenda[0]
        if isinstance(top, Pay):
            self.check_ways(state, top)
        ended = isinstance(top, BeginRound | EndRound) or getattr(top, "phase", None) is not None
        if not ended or not self.coming:
            return
        if self.phase.name != "start":
            self.end_phase(state)
        if self.coming:
            name, events, _ = self.coming[0]
            begins = "end" if isinstance(top, EndRound) else getattr(top, "phase", None)
            if name.replace("_", "-") != begins and not isinstance(top, BeginRound):
                raise LogStuck(f"the log plays {name}, the engine {begins}")
            self.begin_phase(name, events)

    def begin_phase(self, name: str, events: Any) -> None:
        self.where = f"{self.where.split(',')[0]}, {name}"
        self.phase = _Phase(name, events, self.hands)
        self.declined = set()

    def end_phase(self, state: RaceState) -> None:
        """Compare the table with the log's snapshot of the phase that ended."""
        self.hear(state)
        _, _, after = self.coming.pop(0)
        self.compare(state, after)
        left = [key for key, queue in self.phase.queues.items() if queue and key[1] in ("use", "chose_place")]
        if any(key[1] == "use" for key in left):
            self.differ("uses of powers left over", [], left)
        self.phase = _Phase("start", [], self.hands)

    def answer(self, seat: int, slug: str, option: str) -> None:
        self.heard = 0
        answer = Answer(seat, slug, option)
        self.state = take(self.state, answer, self.watch)
        self.report.given.append(answer)
        self.hear(self.state)
        if not self.state.agenda and self.coming:
            self.end_phase(self.state)

    # What the log answers, and what it says was legal

    def option(self, ask: Ask, question: Question) -> str:
        seat = ask.seat
        assert seat is not None
        ids = [option.id for option in question.options]
        match ask:
            case ChoosePlacement():
                return self.placement(seat, ids)
            case ChooseWay(card=card):
                return self.way(seat, card)
            case ChooseSale():
                self.same(
                    "goods that may be sold", ids, self.given(self.phase.peek(seat, "may_trade"))["options"]
                )
                return kind(self.given(self.phase.peek(seat, "trade"))["world"])
            case ChooseConsume():
                return self.consume(seat, ids)
            case PickGood():
                return self.pick(seat, ask, ids)
            case AnswerGamble():
                return "kept" if self.given(self.phase.next(seat, "gamble"))["kept"] else "lost"
            case ChooseWindfall():
                return self.windfall(seat, ask, ids)
            case _:
                raise LogStuck(f"nothing in the log answers {ask.slug}")

    def placement(self, seat: int, ids: list[str]) -> str:
        may = self.given(self.phase.next(seat, "may_place"))
        offered = [card for card in may["hand"] if kind(card) in ids]
        self.same("cards of the hand that may be placed", offered, may["options"])
        chosen = self.given(self.phase.next(seat, "chose_place"))["card"]
        return PASS if chosen is None else kind(chosen)

    def way(self, seat: int, card: str) -> str:
        paid = self.given(self.phase.peek(seat, "pay"))
        special = sorted(kind(s) for s in paid["special"])
        conquers = paid["mode"] == "conquer"
        for way in settle_ways(
            self.state, seat, self.state.deck[card], self.cards_before(self.state, seat, card)
        ):
            if sorted(way.used) == special and (way.strength is not None) == conquers:
                return way.id
        raise LogStuck(f"no way to place {card} uses {special}")

    def cards_before(self, state: RaceState, seat: int, card: str) -> list[Any]:
        return [c for c in state.cards(seat) if c.id != card]

    def consume(self, seat: int, ids: list[str]) -> str:
        may = self.given(self.phase.next(seat, "may_consume"))
        offered = {tuple(id.split(":")[1:3]) for id in ids if id.startswith("use:")}
        offered -= {(card, power) for who, card, power in self.declined if who == seat}
        listed = {(kind(card), str(power)) for card, power in may["options"]}
        self.same("powers that may be used", sorted(offered), sorted(listed))
        self.same("only optional powers are left", "done" in ids, may["optional"])
        while use := self.phase.peek(seat, "use"):
            card, power = self.power(use)
            if use["type"] != "consume_hand":
                return f"use:{card}:{power}"
            self.phase.next(seat, "use")
            if use["cards"]:
                return f"use:{card}:{power}:{len(use['cards'])}"
            self.declined.add((seat, card, str(power)))
        return "done"

    def power(self, use: LogEvent) -> tuple[str, int]:
        """The power that an event of the log used."""
        match use["type"]:
            case "consume":
                return kind(use["card"]), use["power"]
            case "trade":
                return self.nth(kind(use["via"]), ConsumeForPrice)
            case "gamble":
                return self.nth("gambling-world", Gamble)
            case "draw":
                return self.nth(kind(use["source"]), Draw)
        may = self.given(self.phase.next(use["seat"], "may_consume_hand"))
        return kind(may["card"]), may["power"]

    def nth(self, card: str, sort: type) -> tuple[str, int]:
        powers = self.state.deck[card].powers
        fitting = (i for i, p in enumerate(powers) if isinstance(p, sort) and p.phase == "consume")
        return card, _first(fitting, f"{card} has no such power")

    def pick(self, seat: int, ask: PickGood, ids: list[str]) -> str:
        use = self.given(self.phase.peek(seat, "use"))
        sold = use["type"] == "trade"
        if not ask.picked:
            for may in self.phase.queues[seat, "may_trade" if sold else "may_consume_goods"]:
                if sold or kind(may["card"]) == ask.card:
                    self.same("goods that may be consumed", ids, may["options"])
                    break
        goods = [use["world"]] if sold else use["goods"]
        return _first((kind(w) for w in goods if kind(w) not in ask.picked), "the log names too few goods")

    def windfall(self, seat: int, ask: ChooseWindfall, ids: list[str]) -> str:
        """Powers for the same kind of world may come in either order: the log's next one answers."""
        for may in self.phase.queues.get((seat, "may_windfall"), []):
            if self.windfall_good(may["via"]) == ask.good:
                self.phase.queues[seat, "may_windfall"].remove(may)
                self.same("worlds for a windfall good", ids, may["options"])
                made = self.phase.queues[seat, "produce"]
                worlds = (kind(event["world"]) for event in made if event["via"] == may["via"])
                return _first(worlds, "the log names no windfall world")
        raise LogStuck("the log offers no windfall world")

    def windfall_good(self, via: str) -> str | None:
        if via == "bonus":
            return None
        powers = self.state.deck[kind(via)].having(ProduceOnWindfall)
        return _first((power.good for power in powers), f"{kind(via)} gives no windfall good")

    # Comparing

    def check_ways(self, state: RaceState, pay: Pay) -> None:
        """The tableau cards that the rules allow for a payment are those the log lists."""
        may = self.phase.next(pay.seat, "may_pay")
        card = state.deck[pay.card]
        if may is None or not card.is_world:
            return
        cards = self.cards_before(state, pay.seat, pay.card)
        offered = {id for way in settle_ways(state, pay.seat, card, cards) for id in way.used}
        listed = {kind(s) for s in may["special_options"]}
        if card.is_military and not any(any(c.having(PayForMilitary)) for c in cards):
            # The log lists a Colony Ship for any world; by the rules it pays for a military world only together
            # with Contact Specialist.
            listed -= {c.id for c in cards if any(c.having(DiscardToSettleFree))}
        self.same(f"cards to place {pay.card} with", sorted(offered), sorted(listed))

    def hear(self, state: RaceState) -> None:
        """Compare the news since the last call."""
        for item in state.news[self.heard :]:
            if item.seat is not None:
                self.check_told(item.seat, item.text)
        self.heard = len(state.news)

    def check_told(self, seat: int, text: Text) -> None:
        """The news tells each seat to draw, pay and use what it did in the log."""
        for deed in inside(text):
            match deed.key:
                case "race.explore":
                    seen = self.given(self.phase.next(seat, "explore"))
                    self.same(
                        "cards seen and kept", [deed.n, deed.args["kept"]], [seen["drawn"], seen["kept"]]
                    )
                case "race.pay":
                    self.same("cost", deed.n, self.given(self.phase.next(seat, "pay")).get("cost"))
                case "race.conquer":
                    strength = self.given(self.phase.next(seat, "pay")).get("strength")
                    self.same("strength", deed.args["n"], strength)
                case "race.sell":
                    self.phase.next(seat, "may_trade")
                    self.phase.next(seat, "trade")
                case "race.consumes" | "race.draw" | "race.keep-turned" | "race.discard-turned":
                    self.used(seat, deed)

    def used(self, seat: int, deed: Text) -> None:
        """A power was used: on the goods in the log, and forced only if the log forces it too."""
        use = self.phase.peek(seat, "use")
        if use is None or use["type"] == "consume_hand":
            return
        self.phase.next(seat, "use")
        if use["type"] == "trade":
            self.phase.next(seat, "may_trade")
        if use["type"] == "consume":
            taken = _goods(deed)
            self.same("goods consumed", taken, [kind(w) for w in use["goods"]])
            may = self.given(self.phase.next(seat, "may_consume_goods"))
            if may["min"] == len(may["options"]):
                forced = [kind(w) for w in may["options"]]
                self.same("goods that may be consumed", taken, forced)

    def compare(self, state: RaceState, after: dict[str, Any]) -> None:
        self.same("pool", state.pool, after["vp_pool"])
        self.same("cards in the piles", state.in_piles(), after["deck"] + after["discard"])
        for seat, (ours, theirs) in enumerate(zip(state.seats, after["seats"], strict=True)):
            self.compare_seat(state, seat, ours, theirs)

    def compare_seat(self, state: RaceState, seat: int, ours: Seat, theirs: dict[str, Any]) -> None:
        self.same(f"tableau of seat {seat}", list(ours.tableau), [kind(c) for c in theirs["tableau"]])
        self.same(f"goods of seat {seat}", ours.goods, [kind(w) for w in theirs["goods"]])
        self.same(f"chips of seat {seat}", ours.chips, theirs["vp"])
        self.same(f"hand of seat {seat}", ours.hand, len(theirs["hand"]))
        self.same(f"Military of seat {seat}", general_military(state.cards(seat)), theirs["military"])

    def compare_final(self) -> None:
        final = self.log.get("final")
        if final is None:
            return
        self.where = "final"
        sheet = GAME.sheet(self.state)
        self.same(
            "scores", [s.total for s in sheet.seats], [s["score"] for s in final["seats"]], ordered=True
        )
        winners = [n for n, s in enumerate(sheet.seats) if s.name in sheet.winners]
        self.same("winners", winners, final["winners"])

    def same(self, what: str, engine: Any, log: Any, ordered: bool = False) -> None:
        self.report.checks += 1
        if isinstance(engine, list | tuple) and isinstance(log, list | tuple) and not ordered:
            engine, log = sorted(engine), sorted(log)
        if engine != log:
            self.differ(what, engine, log)

    def differ(self, what: str, engine: Any, log: Any) -> None:
        self.report.mismatches.append(Mismatch(f"{self.report.game}, {self.where}", what, engine, log))

    def given(self, event: LogEvent | None) -> LogEvent:
        if event is None:
            raise LogStuck("the engine asks for something the log does not have")
        return event


def _first(found: Iterable[T], why: str) -> T:
    """The first item, which the log should have; if there is none, the replay ends with this reason."""
    for one in found:
        return one
    raise LogStuck(why)


def _goods(deed: Text) -> list[str]:
    """The worlds whose goods were consumed, according to a sentence."""
    goods = deed.args["goods"]
    assert isinstance(goods, tuple)
    return [component_of(world) for world in goods]
