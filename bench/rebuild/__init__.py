"""The making of files that are kept: ``python -m bench rebuild NAME``."""
