"""Long checks: ``python -m bench verify NAME``."""
