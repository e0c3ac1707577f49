"""The private network a daemon is reached over: who calls, and a stream to talk on.

- `node`         what a node must give, whatever carries it
- `local`        a node over a Unix socket of this machine
- `preamble`     what a caller there says of itself, before all else
- `socket_file`, `credentials`   its socket in the file system; which process connected

Two carriers fill it: a Tailscale node inside the process, built from `native/`, and a Unix socket of this machine.
"""
