"""The daemon: everything with state, in one trio run.

- `run`, `assembly`   the tree of nurseries and the daemon's life; all its parts, made and joined
- `config`, `clock`   collie.toml -> Config; time and randomness
- `control_socket`, `session`, `outbox`   the operator's carrier; one client; what waits to be sent to it
- `reception`, `seats`, `pace`, `rejections`   who is let in, how many at once, how often they may ask
- `identity`, `caller`, `tripwire`, `panes`   who calls, and whether from inside a pane
- `dispatch`, `handler`, `handlers/`   a request -> its class -> its handler -> reply and audit line
- `device`, `peers`, `gate`, `turned_away`   who is paired; who of the network may in; who was not let in
- `pairing/`          one try at a code, then yes or no at this machine
- `errands`           what is finished even when whoever asked has gone
- `hub`, `audit`      who is told what; one chained line an attempt, never content
- `hosting`, `hostlife`, `embedded`   which host; finding it again; starting our own
- `reconcile`, `flock`, `looks`, `since`   the loop that keeps the flock true, and what follows from it
- `approvals/`        dialogs as approvals, and how they are answered
- `drive/`   prompts, keys, the outcomes of operations
- `starting`, `cwd`, `installed`   new agents
- `watch`, `watched`, `outputs`, `screens`, `agents`   terminals as clients see them
"""
