"""Measures what the application adds to a provider: python -m bench."""
