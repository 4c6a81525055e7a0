"""Benchmarks and long checks: ``python -m bench GAME`` and ``python -m bench verify GAME``."""
