"""Numbered steps, oldest first."""
