"""The odds computed a second time, slowly and by other means: ship by ship, die by die, face by face, round
by round.

Nothing here is shared with the program: every die may be assigned to every ship it hits, even if it is
wasted, and the values of all positions are iterated until they converge.
"""

from collections import Counter
from functools import cache
from itertools import product

Ship = tuple[int, int]  # group, hit points left


def win(battle, waste=True, worth=lambda attackers, defenders: float(not defenders)):
    """The attacker's chance to win, or whatever the end is worth where nobody has a choice."""
    fleets = (battle["attacker"], battle["defender"])
    damages = (1, 2, 4)

    def dice_of(group, weapon, n):
        return tuple(
            sorted(damage for damage, m in zip(damages, group[weapon], strict=True) for _ in range(m * n))
        )

    def order(weapon):
        groups = [(s, g) for s in (1, 0) for g in range(len(fleets[s])) if any(fleets[s][g][weapon])]
        return sorted(groups, key=lambda sg: -fleets[sg[0]][sg[1]]["init"])

    def hit(face, shooter, target):
        return face == 6 or (face > 1 and face + shooter["comp"] - target["shield"] >= 6)

    size = {"int": 1, "sba": 2, "cru": 3, "dre": 4, "npc": 5}

    @cache
    def results(side, group, ships, roll):
        """All that the roll, pairs of damage and face, can make of the other fleet's ships."""
        shooter, fleet = fleets[side][group], fleets[1 - side]
        choices = []
        for _, face in roll:
            aims = [n for n, (g, _) in enumerate(ships) if hit(face, shooter, fleet[g])]
            choices.append(aims or [None])
        found = {}
        for aims in product(*choices):
            left = [hp for _, hp in ships]
            wasted = False
            for aim, (damage, _) in zip(aims, roll, strict=True):
                if aim is not None:
                    wasted |= left[aim] <= 0
                    left[aim] -= damage
            after = tuple(sorted((g, hp) for (g, _), hp in zip(ships, left, strict=True) if hp > 0))
            found[after] = found.get(after, True) and wasted
        if shooter["type"] == "npc":

            def key(after):
                types = sorted({size[g["type"]] for g in fleet}, reverse=True)
                alive = [sum(size[fleet[g]["type"]] == t for g, _ in after) for t in types]
                left = [sum(hp for g, hp in after if size[fleet[g]["type"]] == t) for t in types]
                return alive, sum(left), left, sorted((-size[fleet[g]["type"]], hp) for g, hp in after)

            return (min(found, key=key),)
        return tuple(after for after, wasted in found.items() if waste or not wasted) or tuple(found)

    @cache
    def rolls(dice):
        counted = Counter(
            tuple(sorted(zip(dice, faces, strict=True))) for faces in product(range(1, 7), repeat=len(dice))
        )
        return tuple((roll, n / 6 ** len(dice)) for roll, n in counted.items())

    def shoot(side, group, weapon, state, value):
        own, other = state[side], state[1 - side]
        n = sum(g == group for g, _ in own)
        if not n or not other:
            return value(state)
        best = max if side == 0 else min
        total = 0.0
        for roll, p in rolls(dice_of(fleets[side][group], weapon, n)):
            ends = results(side, group, other, roll)
            total += p * best(value((own, e) if side == 0 else (e, own)) for e in ends)
        return total

    cannons = order("cannons")

    def start():
        return tuple(
            tuple(sorted((g, group["hull"] + 1) for g, group in enumerate(fleet) for _ in range(group["n"])))
            for fleet in fleets
        )

    table = {}

    def stuck(state):
        return not any(any(fleets[s][g]["cannons"]) for s in (0, 1) for g, _ in state[s])

    def known(state):
        if not state[0] or not state[1]:
            return worth(*state)
        return worth((), state[1]) if stuck(state) else None

    def round_value(state):
        @cache
        def at(j, state):
            if j == len(cannons):
                end = known(state)
                return end if end is not None else solved(state)
            if known(state) is not None:
                return known(state)
            return shoot(*cannons[j], "cannons", state, lambda s: at(j + 1, s))

        return at(0, state)

    def solved(state):
        if state not in table:
            table[state] = None
            low = evaluate(state, 0.0)
            # Values depend on the position itself in a straight line: two points give it.
            high = evaluate(state, 1.0)
            table[state] = low / (1 - (high - low))
        return table[state]

    def evaluate(state, assumed):
        table[state] = assumed
        value = round_value(state)
        del table[state]
        return value

    missiles = order("missiles")

    @cache
    def opening(j, state):
        if not state[0] or not state[1]:
            return worth(*state)
        if j == len(missiles):
            end = known(state)
            return end if end is not None else solved(state)
        return shoot(*missiles[j], "missiles", state, lambda s: opening(j + 1, s))

    return opening(0, start())
