"""A mail server and a push service for tests: real ones, that say what came.

Mail to `gone-...` is refused for good, to `busy-...` once for now, and to `held-...` it is taken and not acknowledged
until somebody asks for it. A push endpoint `/push/gone-...` says that the browser is gone, `/push/busy-...` once that
it is busy. What is pushed is opened by `http_ece`, and the server's signature checked by `cryptography`.
"""

import asyncio
import base64
import email
import email.policy
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import http_ece
from aiosmtpd.smtp import SMTP
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

PATIENCE = 60

changed = threading.Condition()
mails = []
attempts = []
pushes = []
browsers = {}
released = set()


def text64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def bytes64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def note(where, what):
    with changed:
        where.append(what)
        changed.notify_all()


def wait_for(condition):
    """What the condition gives as soon as that is something, or what it gives in the end."""
    with changed:
        changed.wait_for(condition, PATIENCE)
        return condition()


class Mailbox:
    """What the mail server does with letters."""

    async def handle_RCPT(self, server, session, envelope, address, options):
        with changed:
            is_first = address not in attempts
        note(attempts, address)
        if address.startswith("gone-"):
            return "550 5.1.1 no such mailbox"
        if address.startswith("busy-") and is_first:
            return "451 4.3.0 try again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        part = lambda kind: message.get_body((kind,)).get_content()
        for address in envelope.rcpt_tos:
            note(mails, {
                "to": address,
                "from": envelope.mail_from,
                "headers": {name.lower(): str(value) for name, value in message.items()},
                "text": part("plain"),
                "html": part("html"),
            })
            if address.startswith("held-"):
                # The server that sent it never hears that it was taken.
                while address not in released:
                    await asyncio.sleep(0.02)
        return "250 OK"


def new_browser(name):
    key = ec.generate_private_key(ec.SECP256R1())
    public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    browsers[name] = (key, os.urandom(16))
    return {"p256dh": text64(public), "auth": text64(browsers[name][1])}


def signed(headers):
    """The claims in a push's signature, if that is good."""
    scheme, _, rest = headers["authorization"].partition(" ")
    fields = dict(field.strip().split("=", 1) for field in rest.split(","))
    token, key = fields["t"], fields["k"]
    head, claims, signature = token.split(".")
    raw = bytes64(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes64(key))
    try:
        public.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return None
    return {"scheme": scheme, "key": key, **json.loads(bytes64(claims))}


class Answers(BaseHTTPRequestHandler):
    """The push service, and what tests ask."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        kind, _, name = self.path.strip("/").partition("/")
        if kind == "browsers":
            return self.answer(201, {"endpoint": f"{self.base()}/push/{name}", "keys": new_browser(name)})
        if kind == "release":
            released.add(name)
            return self.answer(200, {})
        key, auth = browsers[name]
        headers = {header.lower(): value for header, value in self.headers.items()}
        opened = http_ece.decrypt(body, private_key=key, auth_secret=auth, version="aes128gcm")
        with changed:
            is_first = all(push["browser"] != name for push in pushes)
        note(pushes, {"browser": name, "message": json.loads(opened), "headers": headers, "signed": signed(headers)})
        if name.startswith("gone-"):
            return self.answer(410, {})
        if name.startswith("busy-") and is_first:
            return self.answer(503, {})
        return self.answer(201, {})

    def do_GET(self):
        asked = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(asked.query).items()}
        many = int(query.get("many", 1))
        if asked.path == "/mails":
            found = lambda: [mail for mail in mails if mail["to"] == query["to"]]
        elif asked.path == "/attempts":
            found = lambda: [address for address in attempts if address == query["to"]]
        else:
            found = lambda: [push for push in pushes if push["browser"] == query["browser"]]
        wait_for(lambda: len(found()) >= many)
        self.answer(200, found())

    def base(self):
        host, port = self.server.server_address[:2]
        return f"http://{host}:{port}"

    def answer(self, status, what):
        body = json.dumps(what).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Service(ThreadingHTTPServer):
    """Says nothing of clients that are gone: a test that is over does not say goodbye."""

    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


async def serve():
    loop = asyncio.get_running_loop()
    smtp = await loop.create_server(lambda: SMTP(Mailbox()), "127.0.0.1", 0)
    port = smtp.sockets[0].getsockname()[1]
    web = Service(("127.0.0.1", 0), Answers)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    print(f"ready smtp://127.0.0.1:{port} http://127.0.0.1:{web.server_address[1]}", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)


asyncio.run(serve())
