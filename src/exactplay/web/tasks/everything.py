"""Imports every task, once, in the process that the workers are copied from."""
from exactplay.web.tasks import walk_the_dogs, winkeladvokat, winner, winston84, winston_dogs

__all__ = ["walk_the_dogs", "winkeladvokat", "winner", "winston84", "winston_dogs"]
