"""The ground floor: what belongs to no game. Imports nothing of ours."""
