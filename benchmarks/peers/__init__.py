"""One program per peer, run with the interpreter of `.bench-venv`."""
