"""The porter: the process that phones reach. It has the network, and neither devices nor journal nor rules."""
