"""Plays, watches and talks at the XMPP door, with Prosody and slixmpp.

xmpp.py SERVER-BINARY FOLDER [PART ...]: which parts, else all. Called by scripts/xmpp.
"""

import asyncio
import pathlib
import sys
import time

import xmpp_faults
import xmpp_play
import xmpp_room
from xmpp_world import Arbiter, Prosody, until

PARTS = [*xmpp_play.PARTS, *xmpp_room.PARTS, *xmpp_faults.PARTS]


class World:
    """What every part finds there."""

    def __init__(self, binary: str, work: pathlib.Path) -> None:
        self.binary, self.work = binary, work
        self.prosody = Prosody(work / "prosody")
        self.arbiter = Arbiter(binary, work, self.prosody, "arbiter")
        self.people, self.more = [], []

    async def comes(self, *names: str):
        """People who arrive with their clients."""
        people = [xmpp_play.Person(self.prosody, name) for name in names]
        self.people += people
        await asyncio.gather(*(person.arrive() for person in people))
        return people

    async def is_open(self) -> None:
        """Both components of Arbiter answer."""
        [probe] = await self.comes("probe")
        await until("the door is open", lambda: xmpp_play.answers_pings(probe))
        probe.abort()

    async def end(self) -> None:
        for person in self.people:
            person.abort()
        for process in [self.arbiter.process, self.prosody.process, *self.more]:
            if process is not None and process.poll() is None:
                process.kill()


async def drive(binary: str, work: pathlib.Path, wanted: list[str]) -> None:
    for folder in (work, work / "prosody"):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)  # the XMPP server is another user
    world = World(binary, work)
    try:
        await world.prosody.start()
        await world.arbiter.start()
        await world.is_open()
        for part in PARTS:
            if wanted and part.__name__ not in wanted:
                continue
            began = time.monotonic()
            await part(world)
            print(f"xmpp: {part.__name__.replace('_', ' ')}: {time.monotonic() - began:.1f} s")
    except BaseException:
        for log in sorted(work.glob("*.log")) + [work / "prosody" / "prosody.log"]:
            if log.exists():
                print(f"-- {log.name}", *log.read_text(errors="replace").splitlines()[-15:], sep="\n", file=sys.stderr)
        raise
    finally:
        await world.end()


asyncio.run(drive(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]))
