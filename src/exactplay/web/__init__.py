"""The web application: pages, the JSON API under them, and the pool in which long questions are answered.

``tasks`` is what runs in the worker processes; it does not import the web framework.
"""
