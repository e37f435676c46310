"""Mail, where a host has named a server that takes it: plain text, one at a time, each with a link that ends it."""

from __future__ import annotations

import asyncio
import email.utils
import hmac
import re
import smtplib
import ssl
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from secrets import compare_digest
from urllib.parse import unquote, urlsplit

from ...core.errors import SetupError
from ...table.refusals import Refusal
from ..config import Config
from .messages import Email

SECONDS = 10
"""How long a mail server may take for each thing."""
LONGEST = 254
"""Letters of an address, as SMTP has it."""
_ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@"
    r"([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])"
)
_PROOF = 24
_CODE = re.compile(rf"([a-z0-9]{{16}})([0-9a-f]{{{_PROOF}}})")


class EmailSender:
    """The post office of one process."""

    def __init__(self, config: Config) -> None:
        self._from = config.mail_from
        self._where = urlsplit(config.smtp)
        self._key = b""
        self._thread = ThreadPoolExecutor(1, "mail")

    def open(self, key: bytes) -> None:
        """With the secret that its links are made with."""
        self._key = key

    def close(self) -> None:
        """Nothing more is written."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    @property
    def can(self) -> bool:
        """Whether there is anybody who takes mail."""
        return bool(self._where.hostname and self._from)

    def read(self, address: str) -> str:
        """An address that somebody has typed, or a refusal."""
        address = address.strip()
        local = address.partition("@")[0]
        if len(address) > LONGEST or len(local) > 64 or not _ADDRESS.fullmatch(address):
            raise Refusal(
                "that is no mail address", field="address", key="mail_address", hint="Write it like zoe@example.org."
            )
        return address

    # What links say.

    def code(self, name: str) -> str:
        """What a link about a row says: its name, and a proof that it came by mail."""
        return name + hmac.digest(self._key, name.encode(), "sha256").hex()[:_PROOF]

    def name(self, code: str) -> str | None:
        """The row that a code is about; None if we have not made it."""
        found = _CODE.fullmatch(code)
        return found[1] if found is not None and compare_digest(self.code(found[1]), code) else None

    # Sending.

    async def send(self, address: str, letter: Email) -> None:
        """Hand a mail over; OSError if it was not taken."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self._from, address, letter.subject
        mail["Date"] = email.utils.localtime()
        mail["Message-ID"] = email.utils.make_msgid(domain=self._from.rpartition("@")[2].rstrip(">"))
        mail["Auto-Submitted"] = "auto-generated"
        if letter.end:
            mail["List-Unsubscribe"] = f"<{letter.end}>"
            mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        mail.set_content(letter.text)
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._hand_over, mail)
        except smtplib.SMTPException as error:
            raise OSError(f"{type(error).__name__}: {error}") from error

    def _hand_over(self, mail: EmailMessage) -> None:
        """Blocks. Without TLS mail goes to this machine only."""
        where, host = self._where, str(self._where.hostname)
        if where.scheme == "smtps":
            tls = ssl.create_default_context()
            line: smtplib.SMTP = smtplib.SMTP_SSL(host, where.port or 465, timeout=SECONDS, context=tls)
        else:
            line = smtplib.SMTP(host, where.port or 587, timeout=SECONDS)
        with line:
            if where.scheme == "smtp" and host not in ("localhost", "127.0.0.1", "::1"):
                line.starttls(context=ssl.create_default_context())
            if where.username:
                line.login(unquote(where.username), unquote(where.password or ""))
            line.send_message(mail)


def check_mail_settings(smtp: str, mail_from: str, origins: Sequence[str]) -> None:
    """Refuse a host's settings for mail that cannot work."""
    where = urlsplit(smtp)
    if where.scheme not in ("smtp", "smtps") or not where.hostname:
        raise SetupError("that is no mail server", field="--smtp", hint="Write smtps://user:password@mail.example.org.")
    if not _ADDRESS.fullmatch(email.utils.parseaddr(mail_from)[1]):
        raise SetupError("there is no address that mail is from", field="--mail-from", hint="Write preau@example.org.")
    if not origins:
        raise SetupError(
            "links in mails need this server's public address", field="--origin", hint="Write https://play.example.org."
        )
