"""The daemon: everything with state, in one trio run.

- `run`             the tree of nurseries, in which everything below lives
- `config`          collie.toml -> Config
- `control_socket`  the operator's carrier; `caller` who calls, `tripwire` whether from inside a pane
- `session`         one client: greeting, reader, writer, outbox
- `dispatch`        frame -> class allowed? -> handler -> reply and audit
- `flock`, `reconcile`   snapshots -> what changed; the loop that feeds it
- `approvals`       dialogs as approvals, and how they are answered
- `drive`           prompts and keys, and the outcomes of operations
- `watch`           a session's watched terminal
- `embedded`        how the embedded host is found or started
- `audit`           one line an attempt, never content
"""
