"""What is common to every terminal screen; it knows no agent. No I/O here.

- `cells`      a screen as rows and styled runs
- `ansi`       text with SGR -> a screen; `sanitize` takes everything else out
- `width`      how many cells a text takes
- `wrap`       which rows continue which
- `regions`    rules, boxes, the bottom of the screen
- `suspicious` characters that make a text look like another one
"""
