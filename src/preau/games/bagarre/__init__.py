"""La grande bagarre: hidden hands, fights over toys, ten marbles to win. The description is `game.GAME`."""
