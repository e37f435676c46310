"""Load: many live tables with scripted clients on our server, and on boardgame.io's beside it."""
