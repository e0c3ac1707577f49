"""A terminal emulator without I/O: bytes of a program in; cells, reads and answers out.

parse.py      bytes -> text, controls, sequences; whatever is incomplete waits
controls.py   what each sequence does, in tables
state.py      the parts of a terminal, and what concerns several of them
pen.py        how text is written: style, character set, wrapping, grapheme clusters
grid.py       where: the two screens, cursor, margins, tab stops; moving and erasing
buffer.py     one screen with its scrollback, and its resize
reflow.py     rows of one width as rows of another
row.py        the cells of a row, as strings
style.py      how a cell looks, and the table of styles; sgr.py, charset.py, modes.py: sequences that change how
announced.py  title, progress, directory, colours
screen.py     Terminal: the public face
reads.py      what the socket API's reads give of it; keys.py: names of keys -> bytes
"""
