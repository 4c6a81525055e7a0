"""Walk the Dogs, played and solved natively: :mod:`.position`, :mod:`.arranging`, :mod:`.alpha_beta`, :mod:`.maxn`."""
