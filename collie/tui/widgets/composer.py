"""A text area in which enter sends and ctrl+j makes a new line."""

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import TextArea


class Composer(TextArea):
    """What a person says to an agent."""

    @dataclass
    class Sent(Message):
        """Enter was pressed over this text."""

        text: str

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.post_message(self.Sent(self.text))
        elif event.key == "ctrl+j":
            event.stop()
            event.prevent_default()
            self.insert("\n")
        else:
            await super()._on_key(event)
