"""Bytes -> lines, for the control socket: frames separated by newlines, each at most a frame long."""

from collie.protocol.errors import Code
from collie.protocol.frames import BadFrame


class LineBuffer:
    """Collects bytes and gives whole lines. A line past `limit` bytes raises BadFrame, since what follows it cannot
    be trusted to begin a frame."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._data = bytearray()
        self._searched = 0

    def receive_data(self, data: bytes | bytearray) -> None:
        """Add what was read."""
        self._data += data

    def next_line(self) -> bytes | None:
        """The next whole line without its end, or None when more is needed. Raises BadFrame."""
        end = self._data.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._data)
            if len(self._data) > self._limit:
                raise BadFrame(Code.FRAME_TOO_LARGE, "frame too large")
            return None
        if end > self._limit:
            raise BadFrame(Code.FRAME_TOO_LARGE, "frame too large")
        line = bytes(self._data[:end])
        del self._data[: end + 1]
        self._searched = 0
        return line
