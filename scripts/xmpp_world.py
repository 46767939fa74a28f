"""A Prosody, Arbiters that join it, people who are there with slixmpp, and people who are at another door.

Used by scripts/xmpp.py. Nothing here waits for a time: everything waits for something to be so.
"""

import asyncio
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree as ET

import slixmpp
from free_port import free_port

PATIENCE = 60
DOMAIN, ARBITER, GAMES = "chesspark.com", "arbiter.chesspark.com", "games.chesspark.com"
GAME = "http://onlinegamegroup.com/xml/chesspark-01"
STANZAS = "urn:ietf:params:xml:ns:xmpp-stanzas"
MUC = "http://jabber.org/protocol/muc"
CLIENT = "{jabber:client}"
HERE = pathlib.Path(__file__).parent
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

PROSODY = """
run_as_root = true
pidfile = "%(work)s/prosody.pid"
data_path = "%(work)s/data"
certificates = "%(work)s"
log = { info = "%(work)s/prosody.log" }
admins = {}
interfaces = { "127.0.0.1" }
c2s_ports = { %(clients)d }
component_ports = { %(components)d }
component_interfaces = { "127.0.0.1" }
legacy_ssl_ports = {}
c2s_require_encryption = false
allow_unencrypted_plain_auth = true
storage = "memory"
modules_enabled = { "roster", "saslauth", "disco", "ping" }
modules_disabled = { "s2s", "offline", "tls" }
-- Whoever comes is who they say: this server is for one test, on loopback.
authentication = "insecure"
insecure_open_authentication = "Yes please, I know what I'm doing!"
VirtualHost "%(domain)s"
Component "%(arbiter)s"
    component_secret = "secret"
Component "%(games)s"
    component_secret = "secret"
"""


async def until(what: str, found, patience: float = PATIENCE):
    """What `found` finds, as soon as it does."""
    deadline = asyncio.get_running_loop().time() + patience
    while True:
        it = found()
        if asyncio.iscoroutine(it):
            it = await it
        if it:
            return it
        assert asyncio.get_running_loop().time() < deadline, f"not within {patience} s: {what}"
        await asyncio.sleep(0.02)


class Stopwatch:
    """How long something takes, without the moments in which this machine lets nobody run."""

    TICK = 0.05

    def __init__(self) -> None:
        self.began, self.lost = time.monotonic(), 0.0
        self.ticking = asyncio.create_task(self.tick())

    async def tick(self) -> None:
        while True:
            slept = time.monotonic()
            await asyncio.sleep(self.TICK)
            self.lost += max(0.0, time.monotonic() - slept - 2 * self.TICK)

    def stop(self) -> float:
        self.ticking.cancel()
        return time.monotonic() - self.began - self.lost


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


class Prosody:
    """An XMPP server that believes everybody."""

    def __init__(self, work: pathlib.Path) -> None:
        self.work, self.process = work, None
        self.clients, self.components = free_port(), free_port()
        names = {"domain": DOMAIN, "arbiter": ARBITER, "games": GAMES}
        config = PROSODY % {"work": work, "clients": self.clients, "components": self.components, **names}
        (work / "data").mkdir()
        (work / "prosody.cfg.lua").write_text(config)
        self.as_user = []
        if os.getuid() == 0:
            # A user of the system's packages, who may do nothing else.
            for path in (work, work / "data"):
                shutil.chown(path, "prosody")
            self.as_user = ["setpriv", "--reuid", "prosody", "--regid", "prosody", "--clear-groups"]

    async def start(self) -> None:
        command = [*self.as_user, "prosody", "-F", "--config", str(self.work / "prosody.cfg.lua")]
        with open(self.work / "prosody.out", "ab") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=out, cwd=self.work)
        await until("Prosody answers", lambda: self.is_up())

    def is_up(self) -> bool:
        assert self.process.poll() is None, "Prosody ended"
        return answers(self.clients) and answers(self.components)

    async def kill(self) -> None:
        self.process.kill()
        await asyncio.to_thread(self.process.wait)


class Arbiter:
    """A server with the door open."""

    def __init__(self, binary: str, work: pathlib.Path, prosody: Prosody, name: str, **settings: str) -> None:
        self.binary, self.log = binary, work / f"{name}.log"
        self.process, self.url = None, None
        self.where = work / name
        self.where.mkdir()
        self.settings = {
            "ARBITER_LISTEN": "127.0.0.1:0",
            "ARBITER_STORE": "sqlite:arbiter.db",
            "ARBITER_LOG": "info",
            "ARBITER_BOT_THINKING": "off",
            "ARBITER_RATE_LIMITS": "off",
            "ARBITER_XMPP_HOST": "127.0.0.1",
            "ARBITER_XMPP_PORT": str(prosody.components),
            "ARBITER_XMPP_SECRET": "secret",
            "ARBITER_XMPP_ARBITER": ARBITER,
            "ARBITER_XMPP_GAMES": GAMES,
            "ARBITER_XMPP_CLOCK_SECONDS": "1",
            **settings,
        }

    async def start(self) -> None:
        self.url, before = None, self.log.stat().st_size if self.log.exists() else 0
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ARBITER_")} | self.settings
        with open(self.log, "ab") as out:
            self.process = subprocess.Popen(
                [self.binary, "serve"], stdout=out, stderr=out, cwd=self.where, env=environment
            )

        def address():
            assert self.process.poll() is None, "Arbiter ended"
            return re.search(rb"curl (http\S+)/health", self.log.read_bytes()[before:])

        self.url = (await until("Arbiter answers", address)).group(1).decode()

    async def kill(self) -> None:
        """As a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        await asyncio.to_thread(self.process.wait)

    async def stop(self) -> None:
        self.process.terminate()
        await asyncio.to_thread(self.process.wait)


class Helper:
    """A script of this folder that starts a server of its own and answers lines."""

    def __init__(self, name: str) -> None:
        self.process = subprocess.Popen(
            [str(HERE / name)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE
        )
        self.said = self.process.stdout.readline().split()
        assert self.said[:1] == ["ready"], f"{name} did not start"

    def ask(self, line: str) -> str:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()


class Refused(Exception):
    """A stanza came back: type, condition and text of its error."""

    def __init__(self, stanza: ET.Element) -> None:
        error = stanza.find(f"{CLIENT}error")
        conditions = [e for e in error if e.tag.startswith(f"{{{STANZAS}}}") and not e.tag.endswith("}text")]
        text = error.findtext(f"{{{STANZAS}}}text", "")
        self.what = (error.get("type"), conditions[0].tag.rpartition("}")[2], text)
        self.stanza = stanza
        super().__init__(self.what)


class Unheard(AssertionError):
    """Nothing of the kind came in time."""


class Person(slixmpp.ClientXMPP):
    """Somebody with an XMPP client, and all that it was sent."""

    numbers = itertools.count(1)

    def __init__(self, prosody: Prosody, name: str) -> None:
        super().__init__(f"{name}@{DOMAIN}/cpc", "whatever")
        self.prosody, self.name = prosody, name
        self.enable_direct_tls, self.enable_starttls, self.enable_plaintext = False, False, True
        for plugin in ("xep_0030", "xep_0045", "xep_0199"):
            self.register_plugin(plugin)
        self["feature_mechanisms"].unencrypted_plain = True
        self.heard: list[ET.Element] = []
        self.marked = 0
        self.more = asyncio.Event()
        self.add_filter("in", self.hears)

    @property
    def bare(self) -> str:
        return self.boundjid.bare

    def hears(self, stanza):
        if stanza.name in ("iq", "message", "presence"):
            # A copy: the client takes from a stanza what it has understood.
            self.heard.append(ET.fromstring(ET.tostring(stanza.xml)))
            self.more.set()
        return stanza

    async def arrive(self) -> "Person":
        there = self.wait_until("session_start", PATIENCE)
        self.connect("127.0.0.1", self.prosody.clients)
        await there
        self.send_presence()
        return self

    def vanish(self) -> None:
        """Without a word, as when the network is gone."""
        self.abort()

    def mark(self) -> int:
        """From here on is new."""
        self.marked = len(self.heard)
        return self.marked

    async def expect(
        self, what: str, matches, since: int | None = None, patience: float = PATIENCE
    ) -> ET.Element:
        """The first stanza since the mark that matches."""
        at = self.marked if since is None else since
        deadline = asyncio.get_running_loop().time() + patience
        while True:
            self.more.clear()
            for at in range(at, len(self.heard)):
                if matches(self.heard[at]):
                    return self.heard[at]
            at = len(self.heard)
            try:
                left = deadline - asyncio.get_running_loop().time()
                await asyncio.wait_for(self.more.wait(), left)
            except asyncio.TimeoutError:
                news = "\n".join(ET.tostring(e, "unicode") for e in self.heard[-8:])
                raise Unheard(f"{self.name} was not told of {what}; the last was\n{news}") from None

    async def ask(
        self, to: str, payload: str, kind: str = "set", number: str | None = None, patience: float = PATIENCE
    ) -> ET.Element:
        """Sends an `iq` as it stands, and returns its answer."""
        number = number or f"q{next(self.numbers)}"
        since = len(self.heard)
        self.send_raw(f"<iq type='{kind}' to='{to}' id='{number}'>{payload}</iq>")
        answer = await self.expect(
            f"an answer to {payload}", lambda e: e.tag == f"{CLIENT}iq" and e.get("id") == number, since, patience
        )
        if answer.get("type") == "error":
            raise Refused(answer)
        return answer

    async def does(self, command: str, game: str | None = None, number: str | None = None) -> ET.Element:
        """A command to the arbiter."""
        of = f" id='{game}'" if game else ""
        return await self.ask(ARBITER, f"<game xmlns='{GAME}'{of}>{command}</game>", number=number)

    async def makes(self, command: str, game: str | None = None) -> str:
        """One that leads to a game: its number."""
        made = (await self.does(command, game)).find(f"{{{GAME}}}game")
        assert made.get("room") == room(made.get("id")), ET.tostring(made)
        return made.get("id")

    async def refused(self, command: str, game: str | None = None) -> tuple[str, str, str]:
        try:
            await self.does(command, game)
        except Refused as refused:
            return refused.what
        raise AssertionError(f"{command} was not refused")

    async def joins(self, game: str, nick: str):
        """Enters a room, as the client's own plug-in does, and reads the private state."""
        since = self.mark()
        joined = await self["xep_0045"].join_muc_wait(slixmpp.JID(room(game)), nick, timeout=PATIENCE)
        state = await self.expect("the state", lambda e: at(e, "state") is not None, since)
        assert state.get("type") in (None, "normal") and state.get("from") == f"{room(game)}/Arbiter"
        return joined, state.find(f"{{{GAME}}}game")

    async def told(self, element: str, since: int | None = None, **attributes: str) -> ET.Element:
        """A change that the room is told: the whole message."""

        def matches(stanza: ET.Element) -> bool:
            found = at(stanza, element)
            is_change = stanza.get("type") == "groupchat" and found is not None
            return is_change and all(found.get(k) == v for k, v in attributes.items())

        return await self.expect(f"<{element}/> {attributes}", matches, since)

    async def reads(self, text: str, since: int | None = None) -> ET.Element:
        return await self.expect(f"the line {text!r}", lambda e: body(e) == text, since)

    def says(self, game: str, text: str, more: str = "") -> str:
        number = f"t{next(self.numbers)}"
        self.send_raw(
            f"<message to='{room(game)}' type='groupchat' id='{number}'><body>{text}</body>{more}</message>"
        )
        return number

    def knows(self, text: str) -> bool:
        return any(body(e) == text for e in self.heard)


class Native:
    """Somebody at the native door."""

    def __init__(self, arbiter: Arbiter, name: str) -> None:
        self.arbiter, self.name = arbiter, name

    async def register(self) -> "Native":
        self.token = None
        made = await self.post("/v1/accounts", {"username": self.name, "password": "correct horse battery"})
        self.token = made["token"]
        return self

    async def post(self, path: str, body: dict | None = None) -> dict:
        return await asyncio.to_thread(self.call, "POST", path, {} if body is None else body)

    async def get(self, path: str) -> dict:
        return await asyncio.to_thread(self.call, "GET", path, None)

    def call(self, method: str, path: str, body: dict | None) -> dict:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.arbiter.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
                return json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from None


def room(game: str) -> str:
    return f"{game}@{GAMES}"


def native_id(game: str) -> str:
    """A game's number as the other doors write it."""
    rest, text = int(game), ""
    for _ in range(8):
        rest, digit = divmod(rest, 62)
        text = DIGITS[digit] + text
    return text


def number_of(native: str) -> str:
    number = 0
    for digit in native:
        number = number * 62 + DIGITS.index(digit)
    return str(number)


def at(stanza: ET.Element, element: str) -> ET.Element | None:
    """An element of ours in a stanza's `game`."""
    return stanza.find(f"{{{GAME}}}game/{{{GAME}}}{element}")


def body(stanza: ET.Element) -> str | None:
    return stanza.findtext(f"{CLIENT}body")


def statuses(presence: ET.Element) -> set[str]:
    return {e.get("code") for e in presence.iter(f"{{{MUC}#user}}status")}


def canonical(stanza: ET.Element | str) -> str:
    """Canonical XML without `to`, the language and white space, which the XMPP server rewrites."""
    text = stanza if isinstance(stanza, str) else ET.tostring(stanza, "unicode")
    left_out = ["to", "{http://www.w3.org/XML/1998/namespace}lang"]
    return ET.canonicalize(text, strip_text=True, rewrite_prefixes=True, exclude_attrs=left_out)
