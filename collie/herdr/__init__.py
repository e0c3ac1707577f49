"""The client of the host's socket API: the same one for herdr (0.8.2 to 0.9) and for Collie's embedded host.

wire.py        requests, replies, events <-> lines; shared with the embedded host's server, no I/O
models/        typed records, results by method, the condition of conditional input; shared as well, no I/O
connection.py  one request out, lines back
client.py      one request a connection, typed answers
hints.py       what an event means for who watches the agents, no I/O
events.py      the subscription, rebuilt when agents come and go and when it breaks
discovery.py   where herdr's socket is, and whether somebody answers
errors.py      host not there, host refused, screen changed
"""
