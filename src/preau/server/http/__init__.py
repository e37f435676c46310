"""The HTTP API, the page's files, and the checks that every request passes."""
