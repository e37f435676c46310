"""A push service and a mail server for the tests of turn notifications."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.mail_server import MailServer
from tests.server.push_service import PushService


@pytest.fixture
def push_service() -> Iterator[PushService]:
    one = PushService()
    yield one
    one.stop()


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    one = MailServer()
    yield one
    one.stop()
