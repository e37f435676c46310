"""Being told when it is one's turn: offered after sitting down, switched in the menu, shown by the service worker."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from preau.core import LANGUAGES
from tests.page.playing import BOT, ME, OPEN, ask, make, sit
from tests.page.visitor import Visitor, accessibility_violations, until
from tests.server.mail_server import MailServer
from tests.server.processes import DefaultServer, Server
from tests.server.push_service import PushService

DAYS = {"kind": "days", "amount": 2}
OFFER = "[data-calls-offer]"

STUB = """(subscription) => {
  let permission = "default", subscribed = null;
  window.answer = "granted";
  Object.defineProperty(Notification, "permission", { get: () => permission });
  Notification.requestPermission = async () => (permission = window.answer === "nobody" ? "granted" : window.answer);
  const made = { ...subscription, toJSON: () => subscription, options: {}, unsubscribe: async () => true };
  PushManager.prototype.subscribe = async function (options) {
    if (!options.userVisibleOnly || !options.applicationServerKey) throw new TypeError("not as browsers want it");
    if (window.answer === "nobody") throw new DOMException("no push service", "AbortError");
    return (subscribed = made);
  };
  PushManager.prototype.getSubscription = async () => subscribed;
  if (localStorage.getItem("preau.calls")) { permission = "granted"; subscribed = made; }
}"""
"""A browser without a window cannot reach a push service: here is what it would say."""


@pytest.fixture(scope="module")
def push_service() -> Iterator[PushService]:
    one = PushService()
    yield one
    one.stop()


@pytest.fixture(scope="module")
def mail_server() -> Iterator[MailServer]:
    one = MailServer()
    yield one
    one.stop()


@pytest.fixture(scope="module")
def calling(tmp_path_factory, push_service: PushService, mail_server: MailServer) -> Iterator[Server]:
    """A server that sends notifications at once, and to the receivers of these tests."""
    soon = [f"--set={name}=0" for name in ("call_after_ms", "call_every_ms", "mail_every_ms")]
    mail = ["--smtp", mail_server.url, "--mail-from", "preau@example.org", "--origin", "http://play.example.org"]
    one = DefaultServer(tmp_path_factory.mktemp("calls"), "--set=bot_pause_ms=0", "--push-anywhere", *soon, *mail)
    yield one
    one.stop()


def subscriber(
    visitor: Visitor, push_service: PushService, name: str, language: str = "en", answer: str = "granted"
) -> Visitor:
    """Let a visitor's browser have a subscription with our own push service; whoever is asked gives this answer."""
    said = push_service.browser(name, language)
    keys = {"p256dh": said["p256dh"], "auth": said["auth"]}
    stub = json.dumps({"endpoint": said["endpoint"], "keys": keys})
    visitor.context.add_init_script(f"({STUB})({stub}); window.answer = {json.dumps(answer)};")
    return visitor


def seated(server: Server, **more: Any) -> dict[str, Any]:
    """A table with days for a move, where Zoé waits for a friend; a bot begins."""
    wish: dict[str, Any] = {
        "seats": [ME, OPEN, BOT],
        "options": {"first": 2, "turns": 9},
        "timer": DAYS,
        "start": False,
    }
    return dict(make(server.url, "recess", **{**wish, **more}))


def begin(server: Server, table: dict[str, Any]) -> None:
    """Ann comes and the game begins; after the bot it is Zoé's turn."""
    at = f"{server.url}/api/tables/{table['table']['id']}"
    ask(f"{at}/join", {"name": "Ann"})
    ask(f"{at}/start", {}, table["token"])


def deliver(page: Page, home: str, call: object) -> None:
    """Hand the service worker what a push service would."""
    registrations: list[str] = []
    session = page.context.new_cdp_session(page)
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda found: registrations.extend(one["registrationId"] for one in found["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not registrations:
        page.wait_for_function("true")
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": f"{home}/", "registrationId": registrations[-1], "data": json.dumps(call)},
    )
    until(page, f"async () => (await ({SHOWN})()).length > 0")


SHOWN = """async () => {
  const worker = await navigator.serviceWorker.getRegistration("/");
  return (await worker.getNotifications()).map((one) => [one.title, one.body, one.lang]);
}"""
"""What the browser shows."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_offered_after_sitting_down_and_shown_by_the_service_worker(visit, calling, push_service, language):
    table = seated(calling)
    name = f"zoe-{table['table']['id']}"
    visitor = visit(home=calling.url, phone=language == "fr", language=language)
    subscriber(visitor, push_service, name, language).context.grant_permissions(["notifications"])
    visitor.page.goto("/")
    visitor.page.locator("h1").wait_for()
    assert not visitor.page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)")
    page = sit(visitor, table)
    offer = page.locator(OFFER)
    expect(offer).to_be_visible()
    assert accessibility_violations(page) == []
    offer.locator("[data-calls-yes]").click()
    expect(page.locator(".notice.good")).to_be_visible()
    expect(offer).to_have_count(0)
    page.goto("/", wait_until="networkidle")  # it has looked whose turn it is
    begin(calling, table)
    push_service.wait(lambda: push_service.shown(name))
    [call] = push_service.shown(name).values()
    deliver(page, calling.url, call)
    until(page, f"async () => (await ({SHOWN})()).length > 0")
    [(title, body, spoken)] = page.evaluate(SHOWN)
    assert (title, spoken) == ({"en": "Recess!", "fr": "Récré\u202f!"}[language], language)
    said = {"en": "It is your turn, Zoé. With Ann.\nUntil ", "fr": "C’est à toi de jouer, Zoé. Avec Ann.\nJusqu’au "}
    assert body.startswith(said[language])
    page.reload()
    expect(page).to_have_title("(1) Préau")
    assert len(page.evaluate(SHOWN)) == 1, "it is still Zoé's turn"
    page.goto(f"/t/{table['table']['id']}")
    expect(page.locator("[data-menu]")).to_be_visible()
    until(page, f"async () => (await ({SHOWN})()).length === 0")
    expect(page.locator(OFFER)).to_have_count(0)


def test_switched_in_the_menu_of_the_table(visit, calling, push_service):
    visitor = subscriber(visit(home=calling.url), push_service, "switch")
    table = seated(calling)
    page = sit(visitor, table)
    page.locator("[data-calls-later]").click()
    expect(page.locator(OFFER)).to_have_count(0)
    begin(calling, table)
    page.locator("[data-menu]").click()
    switch = page.get_by_role("switch")
    expect(switch).not_to_be_checked()
    assert accessibility_violations(page) == []
    switch.press("Space")
    expect(switch).to_be_checked()
    page.reload()
    expect(page.locator("[data-menu]")).to_be_visible()
    expect(page.locator(OFFER)).to_have_count(0)
    page.locator("[data-menu]").click()
    expect(switch).to_be_checked()
    switch.click()
    expect(switch).not_to_be_checked()
    assert page.evaluate("localStorage.getItem('preau.calls')") == "[]"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_against_it_is_said(visit, calling, push_service, language):
    visitor = subscriber(visit(home=calling.url, language=language, phone=True), push_service, "no", language, "denied")
    table = seated(calling)
    page = sit(visitor, table)
    page.locator("[data-calls-yes]").click()
    expect(page.locator(OFFER)).to_contain_text("notifications")
    assert accessibility_violations(page) == []
    page.reload()
    page.evaluate("window.answer = 'nobody'")
    page.locator("[data-calls-yes]").click()
    expect(page.locator(".notice.bad")).to_be_visible()
    begin(calling, table)
    page.locator("[data-menu]").click()
    expect(page.get_by_role("switch")).not_to_be_checked()
    page.context.add_init_script("delete window.PushManager")
    page.reload()
    page.locator("[data-menu]").click()
    expect(page.locator("[data-calls=unsupported]")).to_contain_text("iPhone")
    expect(page.locator(OFFER)).to_have_count(0)


def test_a_browser_that_registers_no_service_worker_says_so(visit, calling, push_service):
    """The button does not wait for a worker that never comes."""
    visitor = subscriber(visit(home=calling.url), push_service, "blocked")
    visitor.context.add_init_script(
        "ServiceWorkerContainer.prototype.register = async () => { throw new DOMException('', 'SecurityError'); };"
    )
    page = sit(visitor, seated(calling))
    page.locator("[data-calls-yes]").click()
    expect(page.locator(".notice.bad")).to_be_visible()
    expect(page.locator("[data-calls-yes]")).to_have_attribute("aria-disabled", "false")


def test_a_server_that_calls_nobody_says_so_and_offers_nothing(visit, server, push_service):
    visitor = subscriber(visit(home=server.url), push_service, "none")
    visitor.page.route("**/api/calls", lambda route: route.fulfill(json={}))
    table = seated(server)
    page = sit(visitor, table)
    begin(server, table)
    page.locator("[data-menu]").click()
    expect(page.locator("[data-calls=none]")).to_be_visible()
    expect(page.locator("#calls-mail")).to_have_count(0)
    expect(page.locator(OFFER)).to_have_count(0)


def test_by_mail_after_the_mailbox_has_agreed(visit, calling, mail_server):
    table = seated(calling)
    page = sit(visit(home=calling.url, expected="404"), table)
    begin(calling, table)
    page.locator("[data-menu]").click()
    page.locator("#calls-mail").fill("zoe@example.org")
    page.locator("[data-calls-mail]").click()
    expect(page.locator(".calls")).to_contain_text("A mail is on its way")
    mail_server.wait(1)
    code = re.search(r"/mail#(\w+)", mail_server.mails[0].get_content())
    assert code is not None
    page.goto(f"/mail#{code[1]}")
    assert accessibility_violations(page) == []
    page.locator("[data-agree]").click()
    expect(page.locator("#main [role=status]")).to_contain_text("Done")
    page.locator(f"a[href='/t/{table['table']['id']}']").click()
    page.locator("[data-menu]").click()
    expect(page.locator(".calls")).to_contain_text("You are written to")
    page.goto(f"/mail#{code[1]}")
    page.locator("[data-end]").click()
    expect(page.locator("#main [role=status]")).to_contain_text("No more mails")
    page.goto("/mail#wrongwrong")
    page.locator("[data-agree]").click()
    expect(page.get_by_role("alert")).to_contain_text("This link has ended")
