"""How a table looks to Home Assistant: one discovery message for the whole device, and one state with flat values.

The scheme is Home Assistant's MQTT discovery for devices: everything with availability, so that nothing is
shown as unavailable for ever, and retained.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.words import say
from companion.hall_messages import TableCredentials, TableState, table_topic
from companion.texts import render

MOST_SEATS = 8
"""For so many seats "your turn" can be chosen as a trigger."""
LONGEST = 255
"""Home Assistant takes no longer state."""


def discovery_topic(named: TableCredentials) -> str:
    """Where Home Assistant looks for this table."""
    return f"homeassistant/device/{named.table}/config"


def home_topic(named: TableCredentials) -> str:
    """Where `home_state` is told."""
    return table_topic(named.hall, named.table or "", "home")


def turn_topic(named: TableCredentials) -> str:
    """Where it is told, once, whose turn has begun: the seat's number from 1 on."""
    return table_topic(named.hall, named.table or "", "turn")


def discovery(named: TableCredentials, language: str, points: bool) -> str:
    """What the table has: sensors, whether the end is near, and triggers; the leader only where points are shown."""
    table, topic = named.table or "", home_topic(named)

    def told(slug: str) -> str:
        return render(say(f"hall-table.home-{slug}"), language)

    def sensor(id: str, icon: str, **more: Any) -> dict[str, Any]:
        return {
            "platform": "sensor",
            "unique_id": f"{table}-{id}",
            "name": told(id),
            "icon": f"mdi:{icon}",
            "state_topic": topic,
            "value_template": f"{{{{ value_json.{id} }}}}",
            **more,
        }

    parts = {
        "status": sensor("status", "table-furniture"),
        "round": sensor("round", "rotate-right"),
        "phase": sensor("phase", "format-list-numbered"),
        "turn": sensor(
            "turn",
            "account-clock",
            json_attributes_topic=topic,
            json_attributes_template="{{ value_json.turn_attributes | tojson }}",
        ),
        "pools": sensor(
            "pools",
            "treasure-chest",
            json_attributes_topic=topic,
            json_attributes_template="{{ value_json.pools_attributes | tojson }}",
        ),
        "end_near": {
            "platform": "binary_sensor",
            "unique_id": f"{table}-end-near",
            "name": told("end-near"),
            "icon": "mdi:flag-checkered",
            "state_topic": topic,
            "value_template": "{{ value_json.end_near }}",
        },
        **{
            f"turn_{seat}": {
                "platform": "device_automation",
                "automation_type": "trigger",
                "type": "your_turn",
                "subtype": f"seat_{seat}",
                "topic": turn_topic(named),
                "payload": str(seat),
            }
            for seat in range(1, MOST_SEATS + 1)
        },
    }
    if points:
        parts["leader"] = sensor("leader", "crown")
    message = {
        "device": {
            "identifiers": [f"tabletop-companion-{table}"],
            "name": named.title,
            "manufacturer": "Tabletop companion",
        },
        "origin": {"name": "Tabletop companion"},
        "availability": [{"topic": table_topic(named.hall, table, "online")}],
        "qos": 1,
        "components": parts,
    }
    return msgspec.json.encode(message).decode()


def home_state(state: TableState, language: str) -> str:
    """The values of all sensors; what a lamp needs is in the attributes of whose turn it is."""
    waiting = [(n, seat) for n, seat in enumerate(state.seats, 1) if seat.waiting]
    best = max((seat.points for seat in state.seats if seat.points is not None), default=None)
    leaders = [seat.name for seat in state.seats if best is not None and seat.points == best]
    first = waiting[0][1].colour.removeprefix("#") if waiting else ""
    values = {
        "status": render(say(f"hall-table.status-{state.status}"), language),
        "round": state.round,
        "phase": state.phase.get(language, "")[:LONGEST],
        "turn": ", ".join(seat.name for _, seat in waiting)[:LONGEST],
        "turn_attributes": {
            "seats": [n for n, _ in waiting],
            "colours": [seat.colour for _, seat in waiting],
            "rgb_color": list(bytes.fromhex(first)),
        },
        "leader": ", ".join(leaders)[:LONGEST],
        "pools": "; ".join(
            f"{pool.name.get(language, pool.id)} {pool.value}/{pool.full}" for pool in state.pools
        )[:LONGEST],
        "pools_attributes": {pool.id: pool.value for pool in state.pools},
        "end_near": "ON" if state.end_near else "OFF",
    }
    return msgspec.json.encode(values).decode()
