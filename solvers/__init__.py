"""Storey 3: the answers. Each game's solver asks the native core and returns a :class:`~.result.Result`."""
