"""The one root of what Collie raises on purpose.

A module adds a class of its own only where some caller acts differently; the class then lives beside the code that
raises it (`protocol/errors.py` has those with a wire code).
"""

from collections.abc import Iterator
from contextlib import contextmanager


class CollieError(Exception):
    """Something went wrong that a person can understand; the message says what, where and what to do."""


class UsageError(CollieError):
    """The command was not understood as it was typed."""


@contextmanager
def sole_error() -> Iterator[None]:
    """Around a nursery whose children fail for one reason: raises that one error instead of trio's group of it.

    Cancellations that came with it are left out; two different errors stay a group.
    """
    try:
        yield
    except BaseExceptionGroup as group:
        found = list(_leaves(group))
        if len(found) != 1:
            raise
        raise found[0] from found[0].__cause__


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error
