"""Live tables: loading and caching, seats, moves, what their viewers are sent."""
