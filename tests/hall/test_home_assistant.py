"""What Home Assistant gets: the message that its published schema for devices asks for, and values for it.

The schema is written down here from `homeassistant/components/mqtt` of home-assistant/core: `schemas.py`
(`DEVICE_DISCOVERY_SCHEMA`), `sensor.py`, `binary_sensor.py`, `device_trigger.py`.
"""

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from companion.core.questions import Answer
from companion.hall_messages import TableState
from companion.hall_wire import BrokerAccess, Momentary, Retained, RetainedAcknowledged
from companion.table import home_assistant
from tests.hall.live import Listener, PublishingTable
from tests.hall.mosquitto import Mosquitto
from tests.hall.wired import CREDENTIALS, HalledTable

Topic = Annotated[str, Meta(pattern=r"^[^+#\x00]{1,200}\Z")]
Template = Annotated[str, Meta(pattern=r"^\{\{ .+ \}\}\Z")]
IconName = Annotated[str, Meta(pattern=r"^mdi:[a-z-]+\Z")]
Name = Annotated[str, Meta(min_length=1, max_length=255)]


class Sensor(Struct, forbid_unknown_fields=True, tag_field="platform", tag="sensor"):
    unique_id: Name
    name: Name
    state_topic: Topic
    value_template: Template
    icon: IconName
    json_attributes_topic: Topic = ""
    json_attributes_template: Template = ""


class BinarySensor(Struct, forbid_unknown_fields=True, tag_field="platform", tag="binary_sensor"):
    unique_id: Name
    name: Name
    state_topic: Topic
    value_template: Template
    icon: IconName


class DeviceTrigger(Struct, forbid_unknown_fields=True, tag_field="platform", tag="device_automation"):
    automation_type: Literal["trigger"]
    type: Name
    subtype: Name
    topic: Topic
    payload: Name


class Device(Struct, forbid_unknown_fields=True):
    identifiers: Annotated[list[Name], Meta(min_length=1)]
    name: Name
    manufacturer: Name


class Origin(Struct, forbid_unknown_fields=True):
    name: Name


class Availability(Struct, forbid_unknown_fields=True):
    topic: Topic


class DeviceDiscovery(Struct, forbid_unknown_fields=True):
    device: Device
    origin: Origin
    components: dict[str, Sensor | BinarySensor | DeviceTrigger]
    availability: list[Availability]
    qos: Literal[0, 1, 2]


TOPIC = re.compile(r"homeassistant/device/[a-zA-Z0-9_-]+/config")
"""Where Home Assistant looks, with its usual prefix."""
DISCOVERY = "homeassistant/device/table-7/config"


def discovered(body: str) -> DeviceDiscovery:
    return msgspec.json.decode(body, type=DeviceDiscovery)


def home(halled: HalledTable) -> dict[str, Any]:
    values: dict[str, Any] = msgspec.json.decode(halled.retained()["home"])
    return values


@pytest.fixture
def at_home(halled: HalledTable) -> HalledTable:
    halled.table.desk.for_now(home_assistant=True)
    halled.settle()
    return halled


def test_off_by_default_and_then_nothing_of_it_is_told(halled: HalledTable) -> None:
    halled.do(Answer(0, "race.start-world", "new-sparta"))
    topics = [one.topic for one in halled.heard if isinstance(one, Retained | Momentary)]
    assert not [topic for topic in topics if "home" in topic or "turn" in topic]


@pytest.mark.parametrize("language", ["en", "pl"])
def test_the_message_keeps_to_the_schema(language: str) -> None:
    assert TOPIC.fullmatch(home_assistant.discovery_topic(CREDENTIALS))
    told = discovered(home_assistant.discovery(CREDENTIALS, language, points=True))
    assert told.availability == [Availability("hall/expo/table/table-7/online")]
    kinds = {id: type(part) for id, part in told.components.items()}
    assert {"round", "phase", "turn", "leader", "pools"} <= {id for id, k in kinds.items() if k is Sensor}
    assert kinds["end_near"] is BinarySensor
    ids = [part.unique_id for part in told.components.values() if not isinstance(part, DeviceTrigger)]
    assert len(set(ids)) == len(ids)
    triggers = [part for part in told.components.values() if isinstance(part, DeviceTrigger)]
    assert len({(one.type, one.subtype) for one in triggers}) == len(triggers) == 8


def test_a_leader_only_where_points_are_shown(at_home: HalledTable) -> None:
    assert "leader" in discovered(last(at_home, DISCOVERY)).components
    at_home.table.desk.for_now(scores=False)
    at_home.settle()
    assert "leader" not in discovered(last(at_home, DISCOVERY)).components
    assert home(at_home)["leader"] == ""


def last(halled: HalledTable, topic: str) -> str:
    told = [one.body for one in halled.heard if isinstance(one, Retained) and one.topic == topic]
    return told[-1]


def test_every_template_finds_its_value(at_home: HalledTable) -> None:
    values = home(at_home)
    for part in discovered(last(at_home, DISCOVERY)).components.values():
        if isinstance(part, DeviceTrigger):
            continue
        assert part.state_topic == "hall/expo/table/table-7/home"
        templates = [part.value_template, getattr(part, "json_attributes_template", "")]
        for name in re.findall(r"value_json\.(\w+)", " ".join(templates)):
            assert name in values


def test_whose_turn_it_is_with_the_colour_for_a_lamp(at_home: HalledTable) -> None:
    before = home(at_home)
    assert before["turn"] == "Ania"
    (colour,) = before["turn_attributes"]["colours"]
    assert before["turn_attributes"]["seats"] == [1]
    assert bytes(before["turn_attributes"]["rgb_color"]) == bytes.fromhex(colour.removeprefix("#"))
    assert at_home.momentary == [], "who was asked before it was switched on has no new turn"
    at_home.do(Answer(0, "race.start-world", "new-sparta"))
    assert home(at_home)["turn"] == "Bartek"
    assert at_home.momentary == ["2"]
    at_home.table.desk.leave()
    at_home.settle()
    assert home(at_home)["turn"] == ""
    assert home(at_home)["turn_attributes"] == {"seats": [], "colours": [], "rgb_color": []}


def test_values_are_short_enough_for_home_assistant() -> None:
    from companion.hall_messages import HallGauge, HallSeat

    pools = tuple(HallGauge(f"p{n}", {"en": "x" * 200}, 1, 2) for n in range(9))
    seats = tuple(HallSeat("x" * 30, "#FFFFFF", waiting=True, points=3) for _ in range(12))
    state = TableState("t", "T", "playing", phase={"en": "y" * 200}, pools=pools, seats=seats)
    values = msgspec.json.decode(home_assistant.home_state(state, "en"))
    assert all(len(value) <= 255 for value in values.values() if isinstance(value, str))


def test_switched_off_again_it_is_forgotten_there(at_home: HalledTable) -> None:
    assert at_home.heard[0] == BrokerAccess(CREDENTIALS)
    assert BrokerAccess(CREDENTIALS, True) in at_home.heard
    at_home.acknowledges = False
    at_home.table.desk.for_now(home_assistant=False)
    at_home.settle()
    assert last(at_home, DISCOVERY) == ""
    at_home.connect()
    assert last(at_home, DISCOVERY) == "", "it is told again until the broker has it"
    at_home.say(RetainedAcknowledged(DISCOVERY, True))
    at_home.heard.clear()
    at_home.connect()
    assert not [one for one in at_home.heard if isinstance(one, Retained) and one.topic == DISCOVERY]


def test_home_assistant_that_starts_is_told_again(broker: Mosquitto, tmp_path: Path) -> None:
    """Its birth message is heard, also where the broker has lost what it had retained."""
    home = Listener(broker.port, "homeassistant/#")
    folder = tmp_path / "table"
    folder.mkdir()
    table = PublishingTable(folder, msgspec.structs.replace(CREDENTIALS, port=broker.port))
    table.desk.for_now(home_assistant=True)
    table.play()
    home.wait(lambda _: home.last("/config"))
    first = len(home.messages)
    home.say("homeassistant/status", b"online")
    home.wait(lambda all: [body for topic, body in all[first:] if topic == DISCOVERY])
    assert discovered(home.last("/config").decode()).device.name == "Table 7"
    table.desk.for_now(home_assistant=False)
    home.wait(lambda all: all[-1] == (DISCOVERY, b""))
    table.close()
    home.stop()
