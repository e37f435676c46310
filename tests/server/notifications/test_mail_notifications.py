"""Emails of turns: a mailbox is asked first, emails are few, and one click ends them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from preau.core.errors import PreauError
from preau.server.services import Services
from tests.server.notifications.three_players import Json, three
from tests.server.running_services import DAY, HOUR, FakeClock, run_with_services

# Mail.

MAIL: Json = {"mail_from": "Préau <preau@example.org>", "origins": ("https://play.example.org",)}


def test_a_mailbox_is_asked_first_and_ended_at_one_click(tmp_path, mail_server):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        assert services.notifications.about().mail
        await here.write(1, "bo@example.org", "fr")
        assert (await services.notifications.mail(here.holders[1])).state == "asked"
        [asked] = mail_server.mails
        assert asked["To"] == "bo@example.org"
        assert asked["Subject"] == "Récré\u202f!\u202f: on t’écrit quand c’est à toi\u202f?"
        assert "Ann" not in asked.get_content(), "a mailbox that is not Bo's is told nothing of the table"
        await here.act(0)
        await here.later()
        assert len(mail_server.mails) == 1, "nobody has agreed"
        code = _code(asked)
        assert await services.notifications.confirm(code) == here.table.id
        assert (await services.notifications.mail(here.holders[1])).state == "on"
        for seat in (1, 2, 0):
            await here.act(seat)
        await here.later()
        told = mail_server.mails[1]
        assert told["Subject"] == "Récré\u202f!\u202f: c’est à toi de jouer"
        text = told.get_content()
        assert "C’est à toi de jouer, Bo. Avec Ann et Cléo." in text
        assert "Il te reste 2 jours." in text
        assert f"https://play.example.org/t/{here.table.id}" in text
        assert told["List-Unsubscribe"] == f"<https://play.example.org/api/mail/{code}/end>"
        assert told["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert told.get_content_type() == "text/plain"
        assert told["Auto-Submitted"] == "auto-generated"
        await services.notifications.end_code(code)
        await services.notifications.end_code(code)
        assert await here.rows() == []
        with pytest.raises(PreauError) as refused:
            await services.notifications.confirm(code)
        assert refused.value.key == "mail_code"
        for wrong in (code[:-1] + ("0" if code[-1] != "0" else "1"), "x", ""):
            with pytest.raises(PreauError):
                await services.notifications.end_code(wrong)

    run_with_services(tmp_path, story, smtp=mail_server.url, **MAIL)


def _code(mail: Any) -> str:
    found = re.search(r"/mail#(\w+)", mail.get_content())
    assert found is not None
    return found[1]


def test_mails_are_few_and_only_to_addresses(tmp_path, mail_server):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        for wrong in (
            "bo",
            "bo@",
            "@example.org",
            "bo@example",
            "a b@example.org",
            "bo@example.org\r\nBcc: x@y.org",
            "x" * 250 + "@a.org",
        ):
            with pytest.raises(PreauError) as refused:
                await here.write(1, wrong)
            assert (refused.value.key, refused.value.field) == ("mail_address", "address")
        assert mail_server.mails == []
        for _ in range(3):
            await here.write(1, "bo@example.org")
            await services.notifications.end_mail(here.holders[1])
        with pytest.raises(PreauError) as refused:
            await here.write(2, "BO@example.org")
        assert refused.value.key == "mail_asked"
        assert len(mail_server.mails) == 3
        mail_server.full = True
        with pytest.raises(PreauError) as refused:
            await here.write(1, "other@example.org")
        assert refused.value.key == "mail_failed"
        assert await here.rows() == [], "nothing was changed"
        mail_server.full = False
        await here.write(1, "one@example.org")
        await services.notifications.confirm(_code(mail_server.mails[-1]))
        await here.write(1, "two@example.org")
        assert [row.endpoint for row in await here.rows()] == ["two@example.org"], "one mailbox for each person"
        clock.ms += DAY + 1
        await services.retention.tidy()
        assert await here.rows() == [], "nobody has agreed for a day"

    run_with_services(tmp_path, story, smtp=mail_server.url, **MAIL)


def test_a_mail_that_is_not_taken_is_sent_later_and_one_an_hour_at_most(tmp_path, mail_server):
    async def story(services: Services, clock: FakeClock) -> None:
        here = await three(services, clock)
        await here.write(1, "bo@example.org")
        await services.notifications.confirm(_code(mail_server.mails[0]))
        mail_server.full = True
        await here.act(0)
        await here.later()
        assert len(mail_server.mails) == 1
        mail_server.full = False
        await here.later(30_000)
        assert len(mail_server.mails) == 2
        for seat in (1, 2, 0):
            await here.act(seat)
        await here.later(HOUR - 10)
        assert len(mail_server.mails) == 2
        await here.later(10)
        assert len(mail_server.mails) == 3

    run_with_services(tmp_path, story, smtp=mail_server.url, **MAIL)
