"""The private network a daemon is reached over: who calls, and a stream to talk on.

- `node`   what a node must give, whatever carries it

Two carriers fill it: a Tailscale node inside the process, built from `native/`, and a Unix socket of this machine.
"""
