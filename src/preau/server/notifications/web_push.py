"""Web Push: a message that only one browser can read (RFC 8291, aes128gcm), and who it is from (VAPID, RFC 8292).

The cryptography is the library's of that name; here is the order in which those two standards ask for it, which the
example of RFC 8291 holds us to in the tests.
"""

from __future__ import annotations

import base64
import os
from collections import OrderedDict

import msgspec
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

CURVE = ec.SECP256R1()
LENGTH = 1_024
"""Every message is padded to this, so that its length tells nothing."""
RECORD = 4_096
HOUR = 3_600
KEPT = 100
"""Signed headers that are kept, one for each push service."""


def b64(data: bytes) -> str:
    """Base64 for addresses and headers, without its padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """What was written so; ValueError if that is not what it is."""
    return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)


def is_point(key: str) -> bool:
    """Whether a browser's key is a point on the curve."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, unb64(key))
    except ValueError:
        return False
    return True


def encrypt(
    payload: bytes, key: str, auth: str, *, salt: bytes = b"", own: ec.EllipticCurvePrivateKey | None = None
) -> bytes:
    """The body of a push message for the browser with these keys. `salt` and `own` are drawn anew each time."""
    salt, own = salt or os.urandom(16), own or ec.generate_private_key(CURVE)
    theirs, mine = unb64(key), _point(own.public_key())
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    secret = _derived(shared, unb64(auth), b"WebPush: info\0" + theirs + mine, 32)
    cipher = AESGCM(_derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16))
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(mine)]) + mine
    return head + cipher.encrypt(nonce, payload + b"\x02", None)


def padded(payload: bytes) -> bytes:
    """JSON as long as all others: white space at its end means nothing."""
    return payload.ljust(LENGTH)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def new_key() -> str:
    """A private key for a server, as it is kept."""
    return b64(ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(32, "big"))


class PushSender:
    """Who calls: a server with its key, and where its host can be asked about it."""

    def __init__(self, kept: str, contact: str) -> None:
        self._key = ec.derive_private_key(int.from_bytes(unb64(kept), "big"), CURVE)
        self._contact = contact
        self.public = b64(_point(self._key.public_key()))
        """What browsers want to know before they take messages from this server and from no other."""
        self._signed: OrderedDict[str, tuple[int, str]] = OrderedDict()

    def authorization(self, origin: str, now: int) -> str:
        """The header that says who calls a push service; the same for some hours. `now` is in seconds."""
        ends, header = self._signed.get(origin, (0, ""))
        if not now + HOUR < ends <= now + 12 * HOUR:
            ends = now + 12 * HOUR
            header = self._sign(origin, ends)
            self._signed[origin] = ends, header
            if len(self._signed) > KEPT:
                self._signed.popitem(last=False)
        return header

    def _sign(self, origin: str, ends: int) -> str:
        head = {"typ": "JWT", "alg": "ES256"}
        claims = {"aud": origin, "exp": ends, "sub": self._contact}
        text = ".".join(b64(msgspec.json.encode(part)) for part in (head, claims))
        numbers = decode_dss_signature(self._key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        signature = b64(b"".join(number.to_bytes(32, "big") for number in numbers))
        return f"vapid t={text}.{signature}, k={self.public}"
