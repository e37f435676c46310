"""Judging positions, a file per game: how likely each seat is to win. Weights lie beside, in `<game>.json`.

`base.py` says what a judge is, `shelf.py` finds the one for a game.
"""
