"""The technology action, and marking cards."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from companion.core.agenda import Ask, Do
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.transgalactica.deeds import change, does
from companion.games.transgalactica.effects import Kind, Mark
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.free_deeds import between
from companion.games.transgalactica.steps.obstacles import hindered, hindered_action, some_hindered
from companion.games.transgalactica.steps.print_first import ask_first
from companion.games.transgalactica.steps.printed_pages import ask_print
from companion.games.transgalactica.steps.resolve import Happens, Resolve, performs, resolves
from companion.games.transgalactica.steps.tracks import AdvanceTrack, at_end, opens_more


@performs("technology")
def _technology(state: TransState, seat: int, kind: Kind) -> TransState:
    return state.push(ChooseResearch(seat, kind))


class ChooseResearch(Ask, Struct, frozen=True, tag="choose-research"):
    """Main: advance 2, or 1 and mark; secondary: advance 1, or mark (rules 113, 114)."""

    seat: int
    kind: Kind
    slug: ClassVar[str] = "transgalactica.technology"

    def ask(self, state: TransState) -> Question:
        mark = Option(
            "mark",
            say(f"transgalactica.marking.{self.kind}"),
            signs=(*((Sign("technology", "+1"),) if self.kind == "main" else ()), Sign("mark")),
        )
        n = 2 if self.kind == "main" else 1
        advance = Option("advance", say(f"transgalactica.forward.{n}"), signs=(Sign("technology", f"+{n}"),))
        # As main action the advance comes first and may make more cards accessible.
        then = opens_more(state, self.seat, "technology") if self.kind == "main" else state
        reason = cannot_mark(then or state, self.seat)
        options: tuple[Option, ...] = (mark, advance)
        notes: tuple[Text, ...] = ()
        if reason and (then or state.seats[self.seat].markers <= 0):
            options, notes = (advance,), (reason,)
        elif at_end(state, self.seat, "technology"):
            options = (mark,)
        text = say("transgalactica.ask.technology")
        return Question(self.slug, self.seat, text, options, has_default=False, notes=notes)

    def take(self, state: TransState, option: str) -> TransState:
        name, main = say("transgalactica.action.technology"), self.kind == "main"
        if option == "advance":
            return state.push(AdvanceTrack(self.seat, "technology", 2 if main else 1, "action", name))
        if (asking := ask_first(state, self, option, (state.technology_rows,))) is not None:
            return asking
        if not main:
            return state.push(BeginMark(self.seat))
        advance = AdvanceTrack(self.seat, "technology", 1, "action", name)
        return state.push(advance, between(state, self.seat), BeginMark(self.seat))


@resolves(Mark)
def _mark(state: TransState, by: Resolve, effect: Mark) -> TransState:
    return state.push(BeginMark(by.seat))


class BeginMark(Do, Struct, frozen=True, tag="begin-mark"):
    """Asks for unknown levels of the rows before a card is chosen (rule 115)."""

    seat: int

    def do(self, state: TransState) -> TransState:
        if state.seats[self.seat].markers <= 0:
            return state.tell(say("transgalactica.no-marker"), self.seat)
        if state.technology_rows.unknown():
            return state.push(ask_print(state, state.technology_rows, self.seat), self)
        return state.push(MarkTechnology(self.seat))


def accessible(state: TransState, seat: int) -> tuple[str, ...]:
    """The laid out cards a seat may mark, with one of its markers each (rules 115, 116)."""
    rows, level = state.technology_rows, state.level(seat, "technology")
    open_ = [(rows.level_one or 0) <= level, (rows.level_two or 0) <= level, (rows.level_three or 0) <= level]
    mine = state.seats[seat].technologies
    return tuple(id for id in state.technologies if id not in mine and open_[state.technology(id).level - 1])


@hindered(Mark)
def _no_mark(state: TransState, seat: int, effect: Mark) -> Text | None:
    return cannot_mark(state, seat)


def cannot_mark(state: TransState, seat: int) -> Text | None:
    """Why a seat cannot mark a technology, as far as is known; None if it can."""
    if state.seats[seat].markers <= 0:
        return say("transgalactica.no-marker")
    if state.technology_rows.unknown() or accessible(state, seat):
        return None
    return say("transgalactica.idle.technology")


@hindered_action("technology")
def _no_technology(state: TransState, seat: int, kind: Kind) -> Text | None:
    return cannot_mark(state, seat) if at_end(state, seat, "technology") else None


class MarkTechnology(Ask, Struct, frozen=True, tag="mark-technology"):
    """Which card?"""

    seat: int
    slug: ClassVar[str] = "transgalactica.mark"

    def ask(self, state: TransState) -> Question:
        options = [self._option(state, id) for id in accessible(state, self.seat)]
        options.append(Option("nothing", say("transgalactica.nothing")))
        return Question(
            self.slug, self.seat, say("transgalactica.ask.mark"), tuple(options), has_default=False
        )

    def take(self, state: TransState, option: str) -> TransState:
        if option == "nothing":
            return state
        who = state.seats[self.seat]
        state = change(state, self.seat, technologies=(*who.technologies, option))
        state = does(state, self.seat, say("transgalactica.do.mark", card=state.name(option)))
        card = state.technology(option)
        steps: list[Do] = [Happens(self.seat, "technology-marked", besides=option)]
        if card.when == "one-time":
            steps.append(Resolve(self.seat, card.effects, "card", state.name(option)))
        return state.push(*steps)

    def _option(self, state: TransState, id: str) -> Option:
        """The option to mark a card; it says if the card's immediate effect would do nothing."""
        card = state.technology(id)
        now = card.effects if card.when == "one-time" else ()
        marked = change(state, self.seat, technologies=(*state.seats[self.seat].technologies, id))
        reason = some_hindered(marked, self.seat, now)
        detail = say("transgalactica.partly", why=reason) if reason else None
        return Option(id, state.name(id), id, detail=detail)

    def why_not(self, state: TransState, component: str) -> Text:
        if component in state.seats[self.seat].technologies:
            return say("transgalactica.why.marked")
        laid = component in state.technologies
        return say("transgalactica.why.level-too-low" if laid else "transgalactica.why.not-laid-out")

    def is_obsolete(self, state: TransState) -> bool:
        return state.seats[self.seat].markers <= 0
