"""Messages between the server processes that share a database."""
