"""Questions about Winston: Nineteen Eighty-Four."""
