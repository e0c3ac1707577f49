"""The methods of the API: each takes the host, its params and who calls, and gives a result or raises `Refused`.

- `table`       name -> params and handler; the names of herdr's that this host does not offer
- `find`        ids and names -> what they mean
- `server`      ping, snapshot, manifests, notifications, stop
- `workspaces`, `tabs`, `panes`, `agents`   lists, records, opening, closing, focus
- `writing`     everything that writes to a terminal
- `start`       starting an agent in a pane's shell
- `reports`     what hooks say from inside panes
- `waits`       calls that last until something happens
"""
