"""The practice agent: it asks as Claude Code asks, and runs nothing.

A small full-screen program to learn and to test with. Its screens and keys are those of Claude Code 2.1.332 in its
full-screen mode; whatever is answered, nothing is ever executed, read or written. It uses the standard library only
and imports nothing else of Collie.

- `keys`          bytes from the terminal -> key events
- `field`         a text with a cursor: the input box, notes, answers
- `dialogs`       a dialog, and what keys do in it
- `asks`          the four dialogs as they are first drawn
- `script`        a prompt -> the steps of a turn; an answer -> how the turn goes on
- `model`         the session: events in, the next session out
- `style`, `wrap` runs of styled text; what is shown of a text, its width, its rows
- `transcript`, `asking`, `draw`   a session -> the rows of its screen
- `terminal`      escape sequences, raw mode and its end
- `main`          the program
"""
