"""Rules of thumb, a file per game: `choose(seat, view, legal, rng)` picks an action from what the seat sees."""
