"""Searching, from what a seat knows to what it thinks of each action.

`open.py` is for games in which everything is known, `hidden.py` for those with secrets and chance, `side_by_side.py`
for those in which luck outweighs most choices. What comes out of each is a thought (`thought.py`); `think.py` picks the
right search for a game.
"""
