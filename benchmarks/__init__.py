"""Speed of our engine, and of well known ones beside it: `python -m benchmarks`."""
