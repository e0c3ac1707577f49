"""A client of a daemon, here or elsewhere. trio.

- `connection`  one session: hello, calls, events
- `picture`     what a client knows, as one immutable value, and how events change it (no I/O)
- `supervisor`  keeps a session alive and the picture true
- `backoff`     how long to wait before the next try (no I/O)
"""
