"""Winkeladvokat, fast: a position (:mod:`.position`) and the proof-number search for two players (:mod:`.proof_search`)."""
