"""Looking ahead: `open.py` where everything is known, `hidden.py` where it is not. Both are compiled with the rules."""
