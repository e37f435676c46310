"""Code generated for clients from the Python types."""
