"""Every number of the wire, with its reason (specs: phone-protocol sections 1.3, 3.5)."""

PROTOCOL_VERSION = 25

CLIENT_FRAME_BYTES = 65_536
"""The longest frame a client may send."""

SERVER_FRAME_BYTES = 4 * 1024 * 1024
"""The longest frame a server may send: a read of 1,000 styled lines fits."""

PROMPT_BYTES = 32_768
"""The longest prompt or draft."""

READ_LINES = 1_000
"""The most lines a read may ask for; the host lowers larger numbers silently."""

WATCH_LINES = 200
"""The lines a watch delivers when it does not say."""

KEYS_PER_CALL = 16
LABEL_CHARS = 64
SNIPPET_CHARS = 200
CHOICE_CHARS = 120
NOTE_CHARS = 200
CWD_BYTES = 1_024

SEARCH_PATH_CHARS = 16_384
"""The longest PATH that goes with a start; people's real ones stay below 4 KiB."""

BODY_BYTES = 32_768
"""The longest `body` of an approval; a longer dialog is shown cut and cannot be approved."""

APPROVAL_TTL_MS = 600_000
"""How long an approval can be answered; the agent's question stays and gets a new one."""

HELLO_SECONDS = 10.0
"""A session that has not said hello by then is closed."""

FRAMES_A_SECOND = 20
FRAMES_AT_ONCE = 40
"""How many frames a device may send; each one counts, and past that it is told to slow down."""

SEND_SECONDS = 10.0
"""A frame that a client does not take in this time ends its session."""

EVENT_QUEUE = 256
"""Events kept for a slow client; past that it gets one `flock.changed` for what it missed."""

REPLY_SECONDS = 10.0
"""How long a client waits for a reply unless the method's row says more."""

UNSIGNED_32 = 2**32 - 1
UNSIGNED_64 = 2**64 - 1
