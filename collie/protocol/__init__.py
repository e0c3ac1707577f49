"""What any two processes of Collie say to each other: one typed definition for both ends. No I/O, clock or randomness.

- `ids`      the validated strings
- `limits`   every number of the wire, with its reason
- `models`   what is spoken of: agents, approvals, the flock, terminal reads
- `methods`  name -> params, result, class: the one table
- `events`   what a daemon tells unasked
- `frames`   frames <-> bytes, limits enforced
- `lines`    bytes -> lines, for the control socket
- `errors`   the codes, and whose fault each is
- `patch`    what changed of a watched text
- `invite`   the pairing URI
"""
