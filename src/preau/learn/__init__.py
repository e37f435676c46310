"""Learning by playing: exercises on the real table, walked through without keeping anything."""
