"""What a player can ask, as both faces ask it: texts and options in, an answer as plain data out.

The command line prints these answers with ``--json``, the web application sends them. Raises ValueErrors of one line.
"""
