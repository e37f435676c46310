"""One, two, three, sun! A game of nerve for 2 to 5: creep up on the wall, and never be the quickest when heads turn."""
