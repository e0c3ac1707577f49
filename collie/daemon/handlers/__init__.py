"""What each method does: a module for each noun, and one table of them all.

- `flock`      everything at once
- `agents`     read, watch, drive, start, explain
- `approvals`  list and decide
- `audit`      the newest lines
- `host`       how the host does, and ending it
- `daemon`     how the daemon does, and ending it
"""
