"""Recess! A board game for 3 to 5: fights, kisses and two watchful nuns on a school yard of 12 x 12 cells."""
