"""The client of the host's socket API: the same one for herdr (0.8.2 to 0.9) and for Collie's embedded host.

wire.py       requests, replies, events <-> lines; shared with the embedded host's server, no I/O
models/       typed records, results by method, the condition of conditional input; shared as well, no I/O
client.py     one request a connection
events.py     the subscription, rebuilt when panes come and go and when it breaks
discovery.py  where herdr's socket is, and whether somebody answers
errors.py     host not there, host refused, screen changed
"""
