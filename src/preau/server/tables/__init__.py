"""Live tables: loading and caching, seat tokens, presence, and what their viewers are sent."""
