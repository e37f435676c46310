"""The WebSocket connections of clients and their rate limits."""
