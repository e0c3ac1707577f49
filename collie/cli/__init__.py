"""The command line: parsing, and one file a command.

A command's module has `configure(parser)` and `run(arguments) -> exit status`, and is imported only when it is the
one that was typed. It raises `CollieError` for what a person can mend; `main` prints that as one line.

- `main`     the commands, the parser, the exit status
- `output`   text for people, or one JSON document
- `asking`   a session with the running daemon, for commands that ask it one thing
"""
