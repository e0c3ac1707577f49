"""The embedded host: a process that owns terminals and speaks herdr's socket API.

- `run`          the process: signals, log; `listener` its socket and lock; `descriptors` its open files
- `server`, `connection`, `crowd`, `stream`   who connects, how many may, a request or a stream of events
- `calls`        the methods; `params` what they take, `refused` how they say no, and which refusals are told
- `caller`       who connected, and whether from inside a pane
- `host`         opening, closing, focus; `session` all that it holds; `records`, `said` the same for the wire
- `layout`, `splits`, `ids`   where each pane is and what it is called
- `events`, `narrate`   who hears of what; which events each thing gives
- `pane`, `panes`, `input`, `pty`, `environment`   a live terminal, its tasks, what is typed into it
- `terminal`     bytes -> cells -> what each kind of read gives
- `looks`, `rhythm`, `foreground`, `processes`, `kinds`   when a pane is looked at, and what is seen
- `agent`, `status`, `launch`, `reports`   what follows for its agent
- `ask`, `view`, `faults`   asking a host from outside; a pane as it is drawn; what is logged of a fault
- `attach`, `typed`, `paint`   one pane drawn in the operator's terminal
"""
