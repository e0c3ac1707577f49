"""What we know of each agent kind: text in, facts out. No I/O here.

- `kind`       what a kind must and may give
- `facts`      what a reader takes off a screen
- `registry`   all kinds, a line each; `process` finds the program behind a launcher
- `menu`, `decisions`, `boxed`   what readers of several kinds share: option rows, what a label decides, boxes
- `region`     the text of a dialog that an answer is bound to
- `explain`    facts as JSON, and as text for people
- `claude`, `codex`, ... one folder a kind: how it is started, how its screens are read, how its status is seen
"""
