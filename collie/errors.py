"""The one root of what Collie raises on purpose.

A module adds a class of its own only where some caller acts differently; the class then lives beside the code that
raises it (`protocol/errors.py` has those with a wire code).
"""


class CollieError(Exception):
    """Something went wrong that a person can understand; the message says what, where and what to do."""


class UsageError(CollieError):
    """The command was not understood as it was typed."""
