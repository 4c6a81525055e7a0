"""Imports every task, once, in the process that the workers are copied from."""
from exactplay.web.tasks import winkeladvokat, winston84

__all__ = ["winkeladvokat", "winston84"]
