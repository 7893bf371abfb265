"""Looks at a table and explains every point. Pure; knows neither screen nor rules engine."""
