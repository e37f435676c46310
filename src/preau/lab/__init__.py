"""For those who study the games: what was decided, as data sets, and what comes of the rules, as reports.

Games are those of the arena: whoever runs the same command gets the same games, the same files and the same figures.
`pip install preau[lab]` brings what is needed.
"""
