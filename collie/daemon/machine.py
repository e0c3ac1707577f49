"""What this machine is called."""

import os
import subprocess
import sys
from typing import Final

from collie.daemon.config import Config
from collie.protocol.models import MachineInfo

SCUTIL: Final = ("/usr/sbin/scutil", "--get", "LocalHostName")
SCUTIL_SECONDS: Final = 2.0


def machine_info(config: Config) -> MachineInfo:
    """This machine, as clients are told; `node_id` is "local" as long as it is on no private network."""
    session = config.herdr_session or config.environ.get("HERDR_SESSION") or "default"
    return MachineInfo(name=_name() or "this machine", node_id="local", herdr_session=session)


def _name() -> str:
    """The local host name on macOS, whose node name follows the network; else the node name up to the first dot."""
    if sys.platform == "darwin":
        try:
            done = subprocess.run(SCUTIL, capture_output=True, text=True, timeout=SCUTIL_SECONDS, check=True)
        except (OSError, subprocess.SubprocessError):
            return os.uname().nodename.partition(".")[0]
        return done.stdout.strip()
    return os.uname().nodename.partition(".")[0]
