"""Pairing a new device: a window, one try at its code, then yes or no on this machine.

- `machine`    the window's life as a table, without I/O
- `rules`      what each row of that table does
- `events`     what happens to a window, and what is to be done about it
- `candidate`  who asks to be paired, and what would change
- `window`     performs what the machine says, keeps its time, and is what sessions call
"""
