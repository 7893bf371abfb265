"""The publisher: the process between a table and its hall's broker. It knows `hall_wire.py` and MQTT, and nothing
of plays."""
