"""Speaking to agents: prompts, keys, and what became of each operation.

- `drive`      `Drive`, all that the rest of the daemon uses; one writer for each input box
- `prompt`     draft, then prompt
- `taken`      what became of a prompt: taken, unsent in the box, withheld
- `keys`       keys as a person at the terminal would press them
- `box`        what a draft means, and how it is cleared
- `target`     the agent that is spoken to: the same one, ready, on which screen
- `outcomes`, `operations`   an op_id's outcome, kept; an operation run once
- `refusals`   the host's codes -> the wire's
- `width`      how wide a pane is
- `host`       what is needed of the host
"""
