"""The dashboard: a Textual app that is a client of the daemon, in its own process or in another.

- `app`        the state that is drawn, and what is done through the engine; `run` is the way in
- `engine`     the one bridge between trio and Textual; `pace` says how often a picture crosses it
- `state`      what the windows draw, as one value
- `questions` `answers` `card` `card_keys`   what needs a person, what was answered, what a card says
- `reading` `keys`   which lines of a card were seen; which keys can go to an agent
- `present` `table` `audit_words`   what is said of agents, host, daemon, audit log
- `reveal` `lines`    untrusted text made safe and honest to look at; lines of it, by display width
- `actions` `commands`   every action once; the palette over it
- `screens` `panes` `widgets` `styles`   whole windows and dialogs, parts of the dashboard, what they are made of

All but the last row, `app`, `engine` and `commands` know no Textual widget and are tried without one.
"""
