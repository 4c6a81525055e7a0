"""Walk the Dogs: the best way to add dogs, exact open-hand play, advice with hidden cards."""
