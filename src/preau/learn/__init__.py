"""Learning by playing, without any I/O but the data that games bring along."""
