"""Draws faces and symbols: laid out as plain primitives, then written as SVG or painted on any canvas."""
