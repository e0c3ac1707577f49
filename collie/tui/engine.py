"""The one bridge between trio and Textual: the session with the daemon lives in a thread of its own.

Pictures go one way, calls the other; nothing else crosses. trio and the client load inside the thread, after the first
paint.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from collie.client.picture import Picture, with_lost
from collie.errors import CollieError, sole_error
from collie.protocol.methods import Params, Result, Surface
from collie.tui.pace import Pace

if TYPE_CHECKING:
    import trio

    from collie.client.supervisor import Dial, Supervisor

log = logging.getLogger(__name__)

CLOSE_SECONDS: Final = 5.0
"""How long the thread may take to end; past that the process ends without it."""


class NotConnected(CollieError):
    """There is no session with the daemon yet."""


class DaemonHandle(Protocol):
    """A daemon that runs in this process."""

    def alive(self) -> bool:
        """Whether it still runs."""

    def stop(self) -> None:
        """End it and wait for that; nothing when it ended already."""


StartDaemon = Callable[[], DaemonHandle | None]
"""Takes the lock and starts a daemon in a thread of this process; returns once it listens. None when another process
holds the lock. Raises CollieError when it cannot start."""


class Engine(Protocol):
    """What the app needs of the world behind it. All of it is called on Textual's loop."""

    @property
    def hosting(self) -> bool:
        """Whether the daemon runs in this process."""

    def open(self, show: Callable[[Picture], None]) -> None:
        """Begin; `show` gets each new picture, on Textual's loop."""

    async def call(self, name: str, params: Params) -> Result:
        """Ask the daemon once. Raises WireError (refused) and other CollieErrors (no session, reply lost)."""

    async def watch(self, terminal_id: str | None) -> None:
        """Follow one terminal's text in the pictures' `output`, or none. Raises as `call`."""

    def close(self) -> None:
        """End the session, and the daemon when it runs here; blocks for a moment."""


class TrioEngine:
    """The real one: a trio loop in a thread. `dial` opens a session in another way than over `control_socket`."""

    def __init__(
        self, control_socket: Path, start_daemon: StartDaemon | None = None, *, dial: "Dial | None" = None
    ) -> None:
        self._control_socket = control_socket
        self._dial = dial
        self._start_daemon = start_daemon
        self._handle: DaemonHandle | None = None
        self._thread: threading.Thread | None = None
        self._supervisor: Supervisor | None = None
        self._token: trio.lowlevel.TrioToken | None = None
        self._inbox: trio.MemorySendChannel[Callable[[], Any]] | None = None
        self._failure: BaseException | None = None

    @property
    def hosting(self) -> bool:
        return self._handle is not None and self._handle.alive()

    def open(self, show: Callable[[Picture], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._show = show
        self._thread = threading.Thread(target=self._main, name="collie-engine", daemon=True)
        self._thread.start()

    async def call(self, name: str, params: Params) -> Result:
        return await self._ask(lambda supervisor: supervisor.call(name, params))  # type: ignore[no-any-return]

    async def watch(self, terminal_id: str | None) -> None:
        await self._ask(lambda supervisor: supervisor.watch(terminal_id))

    def close(self) -> None:
        self._post(None)
        if self._thread is not None:
            self._thread.join(CLOSE_SECONDS)
        if self._handle is not None:
            self._handle.stop()
        if self._failure is not None:
            raise self._failure

    async def _ask(self, ask: Callable[["Supervisor"], Any]) -> Any:
        reply = self._loop.create_future()
        self._post(partial(self._perform, ask, reply))
        return await reply

    def _post(self, job: Callable[[], Any] | None) -> None:
        """Hand a job to the thread; None ends it."""
        import trio  # after the first paint

        token, inbox = self._token, self._inbox
        if token is None or inbox is None:
            if job is not None:
                raise NotConnected("not connected to the daemon yet")
            return
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(inbox.close if job is None else partial(inbox.send_nowait, job))

    def _main(self) -> None:
        import trio  # after the first paint

        try:
            trio.run(self._run)
        except BaseException as error:  # noqa: BLE001  (outermost line of the thread; `close` raises it again)
            self._failure = error
            last = self._supervisor.picture if self._supervisor else Picture()
            self._hand_over(with_lost(last, f"the dashboard failed inside ({type(error).__name__}): start it anew"))

    async def _run(self) -> None:
        import trio

        from collie.client.connection import connect_control
        from collie.client.supervisor import Supervisor

        self._supervisor = supervisor = Supervisor(
            self._dial or (lambda: connect_control(self._control_socket, Surface.DASHBOARD)),
            when_absent=self._bring_up if self._start_daemon else None,
        )
        send, receive = trio.open_memory_channel[Callable[[], Any]](float("inf"))
        with sole_error():
            async with trio.open_nursery() as nursery:
                nursery.start_soon(supervisor.run)
                nursery.start_soon(self._feed, supervisor)
                self._token, self._inbox = trio.lowlevel.current_trio_token(), send
                async for job in receive:
                    nursery.start_soon(job)
                nursery.cancel_scope.cancel()

    async def _feed(self, supervisor: "Supervisor") -> None:
        import trio

        pace = Pace()
        async for _ in supervisor.changes():
            wait: float | None = 0.0
            while wait is not None:
                await trio.sleep(wait)
                newest = supervisor.picture
                if (picture := pace.offer(newest, trio.current_time())) is not None:
                    self._hand_over(picture)
                wait = pace.wait(newest, trio.current_time())

    async def _perform(self, ask: Callable[["Supervisor"], Any], reply: "asyncio.Future[Any]") -> None:
        assert self._supervisor is not None
        try:
            result = await ask(self._supervisor)
        except CollieError as error:
            self._settle(reply, partial(reply.set_exception, error))
        else:
            self._settle(reply, partial(reply.set_result, result))

    def _settle(self, reply: "asyncio.Future[Any]", settle: Callable[[], None]) -> None:
        """Give a reply to whoever still waits for it."""
        self._on_loop(lambda: None if reply.done() else settle())

    def _hand_over(self, picture: Picture) -> None:
        self._on_loop(partial(self._show, picture))

    def _on_loop(self, act: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # Textual's loop has ended
            self._loop.call_soon_threadsafe(act)

    def _bring_up(self) -> None:
        """Nobody listens: run the daemon here, unless it already does or another process may."""
        if self.hosting or self._start_daemon is None:
            return
        self._bury()
        self._handle = self._start_daemon()

    def _bury(self) -> None:
        """Be done with a daemon that ended here by itself: that it failed must not keep the next one from starting."""
        if self._handle is None:
            return
        try:
            self._handle.stop()
        except Exception:  # another thread's failure, of any kind
            log.exception("the daemon that ran in this window failed")
        self._handle = None
