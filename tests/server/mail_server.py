"""An SMTP server for tests."""

from __future__ import annotations

import email
import email.policy
import socketserver
import threading
from email.message import EmailMessage

from tests.support import PATIENCE


class MailServer:
    """Accepts and keeps mail for every address, unless it is `full`."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.full = False
        self.came = threading.Condition()
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self.say("220 test")
                while line := self.rfile.readline():
                    word = line[:4].decode().upper().strip()
                    if word == "DATA":
                        self.say("354 go on")
                        text = b""
                        while (more := self.rfile.readline()) != b".\r\n":
                            text += more.removeprefix(b".")
                        outer.take(text)
                        self.say("250 taken")
                    elif word == "QUIT":
                        self.say("221 bye")
                        return
                    else:
                        self.say("452 full" if outer.full and word == "MAIL" else "250 ok")

            def say(self, line: str) -> None:
                self.wfile.write(f"{line}\r\n".encode())

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"smtp://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def take(self, text: bytes) -> None:
        with self.came:
            mail = email.message_from_bytes(text, policy=email.policy.default)
            assert isinstance(mail, EmailMessage)
            self.mails.append(mail)
            self.came.notify_all()

    def wait(self, count: int) -> None:
        with self.came:
            assert self.came.wait_for(lambda: len(self.mails) >= count, PATIENCE)

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
