"""Collie: one terminal window from which an operator watches, approves and drives coding agents.

The map, one room a line (who may import whom: `pyproject.toml`, `[tool.importlinter]`):

- `cli`        the commands; starts the daemon, hands the dashboard what it needs
- `tui`        the Textual dashboard, always a client
- `client`     a connection to a daemon, here or elsewhere
- `daemon`     approvals, agents, audit: everything with state
- `protocol`   what any two processes say to each other
- `herdr`      client of the host's socket API
- `host`       the embedded host: PTYs, terminals, the same socket API
- `agents`     what is known of each kind of agent: text in, facts out
- `screen`     what is common to every terminal screen
- `tls`, `tailnet`, `store`   keys and streams, the private network, private files
- `practice`   the practice agent
"""

__version__ = "0.1.0"
