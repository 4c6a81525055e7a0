"""Speed tables: ``python -m bench NAME``."""
