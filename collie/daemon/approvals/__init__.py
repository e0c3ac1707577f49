"""The approvals: what agents ask, offered to people, and answered only at the picture that was shown.

- `board`        `Approvals`, all that the rest of the daemon uses
- `machine`      one approval's life: the table of states, events and rules; nothing here types anything
- `events`       what happens to an approval, and what is to be done about it
- `claiming`, `pressing`, `settling`   the rules: taken, up to the confirming key, after it
- `proof`        which pictures prove that a question is gone, and which do not
- `progress`     how far one approval has come, and the ways in which it can end
- `offer`        what was shown, and which option a decision means
- `sight`, `fingerprint`   one reading of an agent; the digest of what it asks
- `reading`, `jobs`     host -> sight; an agent that left the foreground: ended, or suspended?
- `card`, `words`   sight -> what people decide by
- `observe`      opens and ends approvals
- `decide`       performs what the machine says: the only place that answers a terminal
- `ledger`       which approvals there are, and how the last ones ended
- `host`         what is needed of the host
"""
