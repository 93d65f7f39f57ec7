"""The controls of ranking as a profile switches them: ``chat.controls``."""

from __future__ import annotations

from pydantic import Field

from qx.model import Model
from qx_chatlog.store import Controls

_OWN = Controls()


class ControlSettings(Model):
    fusion: bool = _OWN.fusion
    """A turn's place counts together with that of its conversation."""
    share: float = Field(default=_OWN.share, ge=0, le=10)
    """What the conversation counts beside the turn."""
    window: int = Field(default=_OWN.window, ge=0, le=20)
    """Turns before and after a found one that come along, within its conversation."""
    time_first: bool = _OWN.time_first
    """The time limits what is ranked; else what is ranked is limited by it afterwards."""
    skip_seen: bool = _OWN.skip_seen
    """The planner's searches pass over conversations that were returned before."""
    near: bool = _OWN.near
    """The words of the messages around one count for it too."""
    speakers: bool = _OWN.speakers
    """What somebody says whom the query names goes before what others say."""

    def controls(self) -> Controls:
        """Return them as the store takes them."""
        return Controls(**self.model_dump())
