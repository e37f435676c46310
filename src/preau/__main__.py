"""`python -m preau` is the command line."""

from .cli import main

main()
