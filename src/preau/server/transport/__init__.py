"""The protocol classes that uvicorn runs for HTTP and WebSocket connections, with their bounds."""
