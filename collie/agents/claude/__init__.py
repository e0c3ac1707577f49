"""Claude Code.

- `page`       one screen: its width, its rules, its input box
- `dialog`     which dialog waits, and its reader: `permission`, ...
- `menu`, `field`, `footer`, `decisions`, `parts`, `call`   what the readers share
- `draft`, `notice`, `banner`, `activity`   the input box and what stands around it
- `read`, `detect`   everything on a screen; the status for the embedded host
- `launch`     how it is started
"""

from functools import partial

from collie.agents.claude.detect import detect
from collie.agents.claude.launch import EXECUTABLES, PACKAGES, argv
from collie.agents.claude.read import read
from collie.agents.facts import State
from collie.agents.kind import AgentKind

NAME = "claude"

KIND = AgentKind(
    name=NAME,
    title="Claude Code",
    executables=EXECUTABLES,
    argv=argv,
    detect=detect,
    read=partial(read, kind=NAME),
    packages=PACKAGES,
    reads_dialogs=True,
    assumed_idle=State.UNKNOWN,
)
