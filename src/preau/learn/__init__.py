"""Learning by playing: exercises on the real table, and puzzles; no I/O but the data that games bring along."""
