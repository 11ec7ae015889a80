"""Tiles: what a kind's code is, and how hands are read and written.

Kinds 0…33 are 1–9 萬 (m), 1–9 筒 (p), 1–9 索 (s), then 東 南 西 北 白 發 中 (1z–7z). A hand is how
many it holds of each kind.
"""

from __future__ import annotations

KINDS = 34
SUIT = 9  # kinds of a suit
FIRST_HONOUR = 27
HONOURS = 7
TERMINALS = (0, 8, 9, 17, 18, 26)
ORPHANS = (*TERMINALS, *range(FIRST_HONOUR, KINDS))  # the kinds of thirteen orphans
