"""How a method says no."""

from collie.errors import CollieError


class Refused(CollieError):
    """The request was understood and is not done; `code` is the wire's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
