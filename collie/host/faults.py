"""A fault of ours, as it may be logged: what and where, never the message, which could quote a pane."""

import traceback


def where(error: BaseException) -> str:
    """The innermost place that the error came from; of a group, of its first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"
