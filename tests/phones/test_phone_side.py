"""The table's side of phones: who has which seat, what is shown to whom, and what is taken from a phone."""

from __future__ import annotations

import struct
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote

import msgspec
import pytest

from companion.core.autoplay import next_answer
from companion.core.deed_words import whole_deed
from companion.core.forms import Number
from companion.core.game import Setup
from companion.core.help import help_with, reason_against
from companion.core.questions import Answer, Option, Question
from companion.core.understand import Press
from companion.core.words import plain, say
from companion.results import bgstats
from companion.table.phone_seats import CONFIRM, DECLINED, FILE
from companion.table.porter_process import SOCKET
from companion.table.seat_panel import SeatPanel
from companion.table.signals import PlayNow
from companion.texts import render
from companion.wire import (
    GUEST,
    MOST_BYTES,
    MoreOptions,
    PhoneAnswer,
    PhoneHelp,
    PhonePage,
    PhoneShare,
    PhoneSteps,
    PhoneTick,
    PhoneUndo,
    SeatClaim,
    WireHello,
    WireReply,
    packed,
)
from devices.lights import WHITE, Pattern, Pulse
from devices.panel import Who
from devices.simulator import Simulator
from devices.wiring_config import default
from tests.phones.wired import GUEST_PHONE, KRZYS, ZOSIA, WiredTable
from tests.table.desks import ListeningDesk

# Switched off


def test_off_by_default_there_is_no_socket_and_no_page(tmp_path: Path) -> None:
    wired = WiredTable(tmp_path)
    wired.table.play()
    wired.settle()
    assert not (tmp_path / SOCKET).exists()
    assert not wired.side.now.on
    wired.close()


def test_switched_off_again_the_socket_is_gone_and_nobody_has_a_seat(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    assert (wired.folder / FILE).exists()
    wired.table.desk.for_now(phones=False)
    wired.settle()
    assert wired.hung_up
    assert not (wired.folder / SOCKET).exists()
    assert not (wired.folder / FILE).exists()


def test_the_socket_and_the_list_of_phones_are_private(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    for name in (SOCKET, FILE):
        assert (wired.folder / name).stat().st_mode & 0o077 == 0


# Seats


def test_who_only_watches_gets_the_public_page(wired: WiredTable) -> None:
    wired.arrive(GUEST_PHONE)
    assert wired.bound(GUEST_PHONE).audience == GUEST
    assert "me" not in wired.shown(GUEST)
    assert [seat["name"] for seat in wired.shown(GUEST)["seats"]] == ["Ania", "Bartek"]


def test_a_claim_counts_when_the_table_confirms_it(wired: WiredTable) -> None:
    wired.arrive(ZOSIA)
    assert wired.ask(SeatClaim(0, ZOSIA, 0)).accepted
    assert wired.bound(ZOSIA).audience == GUEST
    assert wired.bound(ZOSIA).claiming == 0
    assert [claim.name for claim in wired.side.now.claims] == ["Ania"]
    wired.side.decide(ZOSIA, confirmed=True)
    wired.settle()
    assert wired.bound(ZOSIA).audience == 0
    assert wired.shown(0)["me"]["seat"] == 0


def test_the_button_at_the_seat_confirms_and_is_no_answer(
    wired: WiredTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = Simulator(default(2), 0.0)
    seats = SeatPanel(wired.table.desk, panel, lambda who, gesture: None, lambda: wired.now)
    lit: dict[int, Pattern] = {}
    show = panel.show
    monkeypatch.setattr(panel, "show", lambda lamps, at: (lit.update(lamps), show(lamps, at)))
    seats.confirms, wired.side.claimed = wired.side.pressed, seats.show_claims
    wired.arrive(ZOSIA)
    wired.ask(SeatClaim(0, ZOSIA, 0))
    seats.step(wired.now)
    assert lit[0] == Pulse(WHITE)
    _press(wired, panel, seats, 0, after=0.1)
    wired.settle()
    assert wired.bound(ZOSIA).audience == GUEST, "nobody can have seen yet that a phone claims the seat"
    assert wired.table.session.entries == 0
    _press(wired, panel, seats, 1)
    wired.settle()
    assert wired.bound(ZOSIA).audience == GUEST, "another seat's button proves nothing"
    entries = wired.table.session.entries
    _press(wired, panel, seats, 0)
    wired.settle()
    assert wired.bound(ZOSIA).audience == 0
    assert wired.table.session.entries == entries
    seats.step(wired.now)
    assert lit[0] != Pulse(WHITE)
    wired.table.outcomes.clear()
    _press(wired, panel, seats, 0)
    wired.settle()
    assert any(outcome.signal == Press(0) for outcome in wired.table.outcomes)


def _press(wired: WiredTable, panel: Simulator, seats: SeatPanel, who: Who, after: float = 2.0) -> None:
    """Press and let go, and wait until it is certain that this is no double press."""
    wired.now = panel.press(who, wired.now + after) + 0.5
    seats.step(wired.now)


def test_a_claim_lapses(wired: WiredTable) -> None:
    wired.arrive(ZOSIA)
    wired.ask(SeatClaim(0, ZOSIA, 0))
    wired.now += CONFIRM
    wired.settle()
    assert wired.bound(ZOSIA).claiming is None
    wired.side.decide(ZOSIA, confirmed=True)
    wired.settle()
    assert wired.bound(ZOSIA).audience == GUEST
    assert not wired.side.pressed(0)


def test_who_was_declined_waits(wired: WiredTable) -> None:
    wired.arrive(ZOSIA)
    wired.ask(SeatClaim(0, ZOSIA, 0))
    wired.side.decide(ZOSIA, confirmed=False)
    wired.settle()
    assert not wired.ask(SeatClaim(0, ZOSIA, 0)).accepted
    wired.now += DECLINED
    assert wired.ask(SeatClaim(0, ZOSIA, 0)).accepted


def test_two_phones_cannot_claim_one_seat_at_once_but_both_may_have_it(wired: WiredTable) -> None:
    wired.arrive(KRZYS)
    wired.arrive(ZOSIA)
    assert wired.ask(SeatClaim(0, ZOSIA, 0)).accepted
    assert not wired.ask(SeatClaim(0, KRZYS, 0)).accepted
    wired.side.decide(ZOSIA, confirmed=True)
    wired.settle()
    wired.sit(KRZYS, 0)
    assert (wired.bound(ZOSIA).audience, wired.bound(KRZYS).audience) == (0, 0)


@pytest.mark.parametrize("seat", [2, 20])
def test_a_seat_that_is_not_there_cannot_be_claimed(wired: WiredTable, seat: int) -> None:
    wired.arrive(ZOSIA)
    assert not wired.ask(SeatClaim(0, ZOSIA, seat)).accepted


def test_a_seat_outlives_the_porter_and_the_app(wired: WiredTable, tmp_path: Path) -> None:
    wired.sit(ZOSIA, 0)
    wired.connect()
    wired.arrive(ZOSIA)
    assert wired.bound(ZOSIA).audience == 0
    wired.side.stop()
    later = WiredTable(wired.folder, wired.table)
    later.switch_on()
    later.connect()
    later.arrive(ZOSIA)
    assert later.bound(ZOSIA).audience == 0
    later.leave()


def test_a_seat_is_a_persons_and_waits_for_their_next_play(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    wired.table.play(Setup("race", ("Celina", "Ania")))
    wired.settle()
    assert wired.bound(ZOSIA).audience == 1


def test_a_seat_is_given_back(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    assert wired.ask(SeatClaim(0, ZOSIA, GUEST)).accepted
    assert wired.bound(ZOSIA).audience == GUEST


# Answers


def test_an_answer_is_on_disk_when_the_phone_hears_of_it(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    assert wired.answer(ZOSIA, wired.page(0), "new-sparta") == WireReply(wired.heard[-1].id, True)
    assert [n for n, one in enumerate(wired.heard) if isinstance(one, PhonePage)][-1] < len(wired.heard) - 1
    assert wired.table.session.entries == 1
    assert wired.shown(0)["me"]["questions"] == []


def test_a_full_disk_is_told_and_nothing_has_happened(wired: WiredTable, full: None) -> None:
    wired.sit(ZOSIA, 0)
    reply = wired.answer(ZOSIA, wired.page(0))
    assert (reply.accepted, reply.text) == (False, "The disk is full.")
    assert wired.table.session.entries == 0


def test_an_answer_on_an_old_page_is_refused_with_the_sentence(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0, "pl")
    old = wired.page(0, "pl")
    wired.table.do(Answer(0, "race.start-world", "new-sparta"))
    wired.settle()
    reply = wired.answer(ZOSIA, old, "old-earth")
    assert not reply.accepted
    assert "się" in reply.text or reply.text, "in the phone's language"
    assert wired.table.session.entries == 1


def test_an_answer_sent_twice_counts_once(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    page = wired.page(0)
    assert wired.answer(ZOSIA, page).accepted
    assert not wired.answer(ZOSIA, page).accepted
    assert wired.table.session.entries == 1


def test_an_answer_never_reaches_a_later_question_that_looks_the_same(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    wired.table.start_worlds()
    wired.settle()
    page = wired.page(0)
    assert msgspec.json.decode(page.body)["me"]["questions"][0]["slug"] == "race.action"
    for seat in (0, 1):
        wired.table.do(Answer(seat, "race.action", "produce"))
    wired.settle()
    assert wired.shown(0)["play"]["round"] == 2
    assert wired.shown(0)["me"]["questions"][0]["slug"] == "race.action"
    assert not wired.answer(ZOSIA, page, "settle").accepted


def test_a_version_of_an_earlier_run_means_nothing(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    page = wired.page(0)
    wired.side.stop()
    later = WiredTable(wired.folder, wired.table)
    later.switch_on()
    later.connect()
    later.arrive(ZOSIA)
    assert later.page(0).version != page.version
    assert not later.answer(ZOSIA, page).accepted
    later.leave()


def test_nobody_answers_for_another_seat_or_as_a_guest(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    wired.arrive(GUEST_PHONE)
    page = wired.page(0)
    assert not wired.answer(GUEST_PHONE, page).accepted
    wired.sit(KRZYS, 1)
    assert not wired.answer(KRZYS, page).accepted
    assert wired.table.session.entries == 0


def test_a_device_that_never_came_is_told_to_reload(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    assert not wired.answer("d" * 32, wired.page(0)).accepted


def test_what_is_not_offered_is_refused(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    assert not wired.answer(ZOSIA, wired.page(0), "no-such-world").accepted


def test_during_a_pause_nothing_is_asked_and_nothing_is_taken(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    page = wired.page(0)
    wired.table.desk.pause()
    wired.settle()
    assert wired.shown(0)["me"]["questions"] == []
    assert not wired.answer(ZOSIA, page).accepted


def test_facts_are_not_told_by_phone(wired: WiredTable) -> None:
    """A form would teach the binder: that is done at the table's screen."""
    wired.sit(ZOSIA, 0)
    play = wired.table.desk.play
    assert play is not None
    options = (Option("3", plain("3")),)
    asked = (Question("core.fact", 0, plain("What does it say?"), options, form=Number(0, 9)),)
    wired.side._put(PlayNow(play.id, play.session, asked))
    wired.settle()
    (question,) = wired.shown(0)["me"]["questions"]
    assert (question["told_at_table"], question["options"]) == (True, [])
    reply = wired.ask(PhoneAnswer(0, ZOSIA, wired.page(0).version, "core.fact", False, "3"))
    assert (reply.accepted, reply.text) == (False, "Tell this at the table's screen.")


# Undo, tasks, options


def test_only_ones_own_last_answer_is_taken_back(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    wired.sit(KRZYS, 1)
    wired.answer(ZOSIA, wired.page(0))
    assert wired.shown(0)["me"]["undo"]
    assert not wired.shown(1)["me"]["undo"]
    assert not wired.ask(PhoneUndo(0, KRZYS, wired.page(1).version)).accepted
    assert wired.ask(PhoneUndo(0, ZOSIA, wired.page(0).version)).accepted
    assert wired.shown(0)["me"]["questions"][0]["slug"] == "race.start-world"


def test_undo_on_an_old_page_is_refused(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    wired.answer(ZOSIA, wired.page(0), "new-sparta")
    page = wired.page(0)
    wired.table.do(Answer(1, "race.start-world", "old-earth"))
    wired.settle()
    assert wired.table.session.entries == 2
    assert not wired.ask(PhoneUndo(0, ZOSIA, page.version)).accepted


def test_a_task_is_ticked_off_on_every_screen(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    wired.table.start_worlds()
    wired.table.do(Answer(0, "race.action", "explore-5"), Answer(1, "race.action", "explore-5"))
    wired.settle()
    tasks = wired.shown(0)["me"]["tasks"]
    assert tasks
    assert wired.ask(PhoneTick(0, ZOSIA, wired.page(0).version, tasks[0]["id"])).accepted
    assert len(wired.shown(0)["me"]["tasks"]) == len(tasks) - 1
    assert len(wired.table.desk.ticked) == 1


def test_options_after_the_fortieth_are_leafed_through(wired: WiredTable) -> None:
    wired.table.settling()
    wired.settle()
    wired.sit(ZOSIA, 0)
    question = next(q for q in wired.table.desk.questions() if q.seat == 0)
    page, shown = wired.page(0), wired.shown(0)["me"]["questions"][0]
    assert shown["total"] == len(question.options)
    assert len(shown["options"]) == min(40, shown["total"])
    reply = wired.ask(MoreOptions(0, ZOSIA, page.version, shown["slug"], shown["table"], 1))
    assert [one["id"] for one in msgspec.json.decode(reply.body)] == [o.id for o in question.options[1:41]]


def test_a_phone_gets_help_with_a_question_and_about_a_card(wired: WiredTable) -> None:
    wired.table.settling()
    wired.settle()
    wired.sit(ZOSIA, 0, "pl")
    page, shown = wired.page(0, "pl"), wired.shown(0, "pl")["me"]["questions"][0]
    session, question = wired.table.desk.session, wired.table.desk.questions()[0]
    told = msgspec.json.decode(
        wired.ask(PhoneHelp(0, ZOSIA, page.version, shown["slug"], shown["table"])).body
    )
    found = help_with(session, question)
    assert (told["rule"], told["source"]) == (
        render(found.rule, "pl"),
        render(found.source or found.rule, "pl"),
    )
    assert len(told["refused"]) == len(found.refusals)
    card = session.view.seats[0].components[0].component
    read = msgspec.json.decode(wired.ask(PhoneHelp(0, ZOSIA, page.version, component=card)).body)
    assert read["name"] == render(session.catalogue[card].called, "pl")
    assert read["lines"]
    reason = reason_against(session, card, 0)
    assert read["why"] == ("" if reason is None else render(say("ui.help-not-now", why=reason), "pl"))
    assert not wired.ask(PhoneHelp(0, ZOSIA, page.version, component="nothing")).accepted


def test_a_finished_play_gives_its_link_to_bg_stats(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    assert not wired.ask(PhoneShare(0, ZOSIA, wired.page(0).version)).accepted  # it is not over
    table, random = wired.table, Random(3)
    bots = table.desk.session.game.bots(table.desk.session.setup, random)
    bots.follow(table.desk.session.state, table.desk.session.news)
    while not table.desk.session.over:
        table.do(next_answer(table.desk.session.state, bots, random))
        bots.follow(table.desk.session.state, table.desk.session.news)
    wired.settle()
    reply = wired.ask(PhoneShare(0, ZOSIA, wired.page(0).version))
    link = msgspec.json.decode(reply.body)["link"]
    assert link.startswith(bgstats.ADDRESS)
    play = msgspec.json.decode(unquote(link.removeprefix(bgstats.ADDRESS)))
    sheet = wired.table.desk.session.game.sheet(wired.table.desk.session.state)
    assert [(p["name"], p["score"]) for p in play["players"]] == [(s.name, s.total) for s in sheet.seats]


def test_a_finished_play_is_looked_at_deed_by_deed(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    assert not wired.ask(PhoneSteps(0, ZOSIA, wired.page(0).version, 0)).accepted
    table, random = wired.table, Random(3)
    bots = table.desk.session.game.bots(table.desk.session.setup, random)
    bots.follow(table.desk.session.state, table.desk.session.news)
    while not table.desk.session.over:
        table.do(next_answer(table.desk.session.state, bots, random))
        bots.follow(table.desk.session.state, table.desk.session.news)
    wired.settle()
    session, version = table.desk.session, wired.page(0).version
    deeds = session.deeds()

    def shown(deed: int) -> Any:
        return msgspec.json.decode(wired.ask(PhoneSteps(0, ZOSIA, version, deed)).body)

    every = shown(-1)
    assert (every["deed"], every["of"]) == (len(deeds), len(deeds))
    assert [round_ for _, round_ in every["rounds"]] == list(range(1, session.view.round + 1))
    for n in (0, 1, len(deeds) // 2, len(deeds)):
        moment = deeds[n - 1][1] if n else 0
        view = session.game.view(session.moments[moment].state)
        then = shown(n)
        assert [seat["points"] for seat in then["seats"]] == [seat.points for seat in view.seats]
        assert then["told"] == [render(t, "en") for t in (whole_deed(session, *deeds[n - 1]) if n else ())]


def test_a_secret_choice_is_on_its_own_phone_only(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0)
    wired.sit(KRZYS, 1)
    wired.arrive(GUEST_PHONE)
    wired.table.start_worlds()
    wired.settle()
    wired.answer(ZOSIA, wired.page(0), "settle")
    assert [one["text"] for one in wired.shown(0)["me"]["secrets"]] == ["Settle"]
    assert wired.shown(1)["me"]["secrets"] == []
    assert b'"Settle"' not in bytes(wired.page(GUEST).body)
    assert wired.shown(GUEST)["seats"][0]["state"] == "ready"


def test_two_languages_at_one_table(wired: WiredTable) -> None:
    wired.sit(ZOSIA, 0, "pl")
    wired.sit(KRZYS, 1, "en")
    assert wired.shown(0, "pl")["play"]["phases"][1][0] == "II Rozwój"
    assert wired.shown(1, "en")["play"]["phases"][1][0] == "II Develop"


# The socket


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        struct.pack(">I", MOST_BYTES + 1),
        struct.pack(">I", 2) + b"{}",
        struct.pack(">I", 5) + b"\xff\xfe\xfd\xfc\xfb",
        packed(WireHello(wire=0)),
        packed(SeatClaim(1, ZOSIA, 0)),
    ],
    ids=["http", "long", "empty", "no-text", "another-version", "no-greeting"],
)
def test_who_speaks_otherwise_is_disconnected_and_the_next_is_welcome(wired: WiredTable, data: bytes) -> None:
    wired.connect(greet=False)
    wired.settle()
    wired.send(data)
    assert wired.hung_up
    wired.connect()
    wired.arrive(ZOSIA)
    assert wired.bound(ZOSIA).audience == GUEST


def test_a_porter_that_does_not_read_is_disconnected(
    wired: WiredTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.table.process_socket.MOST_WAITING", 10_000)
    wired.sit(ZOSIA, 0)
    assert wired.porter is not None
    wired._received = lambda: iter(())  # type: ignore[method-assign]
    for _ in range(200):
        wired.table.desk.pause()
        wired.table.desk.unpause()
        wired.settle()
    assert not wired.side._socket.is_connected


def test_without_a_play_phones_wait_for_one(tmp_path: Path) -> None:
    wired = WiredTable(tmp_path, ListeningDesk(tmp_path))
    wired.switch_on()
    wired.connect()
    wired.arrive(ZOSIA)
    assert wired.shown(GUEST) == {"play": None}
    wired.table.play()
    wired.settle()
    assert wired.shown(GUEST)["play"]["game"] == "Race for the Galaxy"
    wired.close()
