"""Faces and symbols drawn: laid out as plain primitives, then written as SVG or painted by whoever has a canvas."""
