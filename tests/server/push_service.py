"""A push service for tests, with its browsers. It checks the sender (RFC 8292), decrypts messages with the browser's
keys (RFC 8291), and answers as the test says. It shares no code with what it tests.
"""

from __future__ import annotations

import base64
import datetime
import ipaddress
import json
import os
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tests.support import PATIENCE

Json = dict[str, Any]
SIGNS_CERTIFICATES = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=False,
    encipher_only=False,
    decipher_only=False,
)
"""What the key of an authority may be used for."""
POINT = (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """The keys of a browser's subscription."""

    def __init__(self, key: ec.EllipticCurvePrivateKey | None = None, auth: bytes = b"") -> None:
        self._key = key or ec.generate_private_key(ec.SECP256R1())
        self.auth = auth or os.urandom(16)
        self.point = self._key.public_key().public_bytes(*POINT)

    def read(self, body: bytes) -> bytes:
        """Decrypt a message for this browser."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size, "one record"
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
        info = b"WebPush: info\x00" + self.point + theirs
        secret = HKDF(hashes.SHA256(), 32, self.auth, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\x00").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\x00").derive(secret)
        text = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\x00")
        assert text.endswith(b"\x02"), "the last record"
        return text[:-1]


class ReceivedPush(NamedTuple):
    """A push message that came in, and the status it was answered with."""

    name: str
    headers: dict[str, str]
    size: int
    call: Json
    status: int


class PushService:
    """The service. It answers 201 unless `answer` says otherwise. Clearing `free` holds all answers back."""

    def __init__(self, *, tls: Path | None = None) -> None:
        self.browsers: dict[str, Browser] = {}
        self.answers: deque[tuple[int, dict[str, str]]] = deque()
        self.got: list[ReceivedPush] = []
        self.wrong: list[str] = []
        self.came = threading.Condition()
        self.free = threading.Event()
        self.free.set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, headers = outer.take(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
                outer.free.wait(PATIENCE)
                try:
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                except OSError:
                    pass  # the sender has ended

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        if tls is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.origin = f"{'https' if tls else 'http'}://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        self.free.set()
        self._server.shutdown()
        self._server.server_close()
        assert self.wrong == []

    def browser(self, name: str, language: str = "en") -> Json:
        """Add a browser. Return its subscription as the page gets it, with the language of the user."""
        one = self.browsers[name] = Browser()
        return {
            "endpoint": f"{self.origin}/push/{name}",
            "p256dh": b64(one.point),
            "auth": b64(one.auth),
            "language": language,
        }

    def answer(self, status: int, **headers: str) -> None:
        """Set the answer to the next message that has none set yet."""
        self.answers.append((status, {name.replace("_", "-"): value for name, value in headers.items()}))

    def take(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str]]:
        with self.came:
            status, more = self.answers.popleft() if self.answers else (201, {"Location": "/message/1"})
            try:
                self.check(headers)
                name = path.removeprefix("/push/")
                text = self.browsers[name].read(body)
                self.got.append(ReceivedPush(name, headers, len(body), json.loads(text), status))
            except Exception as error:
                self.wrong.append(f"{path}: {error!r}")
            self.came.notify_all()
            return status, more

    def check(self, headers: dict[str, str]) -> None:
        """Check that the message names its sender and is signed by it."""
        kind, _, rest = headers["authorization"].partition(" ")
        fields = dict(part.strip().split("=", 1) for part in rest.split(","))
        head, claims, signature = fields["t"].split(".")
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(fields["k"]))
        raw = unb64(signature)
        numbers = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
        key.verify(encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        said = json.loads(unb64(claims))
        assert kind == "vapid"
        assert json.loads(unb64(head))["alg"] == "ES256"
        assert said["aud"] == self.origin, said
        assert said["sub"].startswith(("mailto:", "https:"))
        assert headers["content-encoding"] == "aes128gcm"
        assert len(headers["topic"]) <= 32
        assert int(headers["ttl"]) >= 0

    def wait(self, check: Callable[[], object]) -> None:
        """Wait until `check` returns something true."""
        with self.came:
            assert self.came.wait_for(check, PATIENCE), self.told()

    def told(self) -> list[tuple[str, int]]:
        """Return browser and turn of each message that was accepted."""
        return [(one.name, one.call["turn"]) for one in self.got if 200 <= one.status < 300]

    def shown(self, name: str) -> dict[str, Json]:
        """Return what a browser shows in the end: the newest message of each tag."""
        return {one.call["tag"]: one.call for one in self.got if one.name == name}


def certificate(folder: Path) -> tuple[Path, Path]:
    """Write a key with a certificate for this machine, and the certificate of its authority."""
    now = datetime.datetime.fromtimestamp(time.time(), datetime.UTC)
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    names = [x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]) for name in ("our authority", "ours")]
    made = []
    for at, (key, name) in enumerate(zip(keys, names, strict=True)):
        builder = x509.CertificateBuilder(names[0], name, key.public_key(), x509.random_serial_number())
        builder = builder.not_valid_before(now - datetime.timedelta(days=1))
        builder = builder.not_valid_after(now + datetime.timedelta(days=30))
        builder = builder.add_extension(x509.BasicConstraints(ca=not at, path_length=None), critical=True)
        here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        builder = builder.add_extension(here, critical=False)
        # Since Python 3.13 a certificate must name its key and that of its authority.
        own_name = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
        builder = builder.add_extension(own_name, critical=False)
        signed_by = x509.AuthorityKeyIdentifier.from_issuer_public_key(keys[0].public_key())
        builder = builder.add_extension(signed_by, critical=False)
        if not at:
            builder = builder.add_extension(SIGNS_CERTIFICATES, critical=True)
        made.append(builder.sign(keys[0], hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    secret = keys[1].private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    own, authority = folder / "own.pem", folder / "authority.pem"
    own.write_bytes(secret + made[1])
    authority.write_bytes(made[0])
    return own, authority
