"""Scores a table and explains every point. Pure; knows neither the screens nor the rules engine."""
