"""Winkeladvokat's ``analyse``."""
