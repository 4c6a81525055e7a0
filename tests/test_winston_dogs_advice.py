"""Winston (dogs): what advice asks of the solvers."""
