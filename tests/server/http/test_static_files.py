"""The page's files and addresses, on a made-up page."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from preau.host.catalogue import catalogue
from preau.host.refusals import Busy
from preau.learn.puzzles import puzzles
from preau.server.app import make_app, make_litestar
from preau.server.config import Config, Limits
from preau.server.http.download_limits import DownloadLimits
from preau.server.http.link_preview import LinkPreviews, TableLookup, language_of
from preau.server.http.static_files import HEAD, LARGE, SLOT, STATIC, StaticFiles, read
from preau.server.services import Services
from preau.table.refusals import Unknown
from tests.server.asgi_requests import request
from tests.server.players import ME, OPEN, Api, bot, run
from tests.server.tables_over_http import wait_for_record

SCRIPT = b"console.log('recess')\n" * 20
PACKED = gzip.compress(SCRIPT, mtime=0)  # the time would make every run another test
BROTLI = b"what a brotli file would hold"
PUZZLE = puzzles("recess")[0].id


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A server with a made-up page; it is not open for play."""
    base = tmp_path_factory.mktemp("page")
    files = {
        "index.html": b"<!doctype html><title>front</title>",
        "favicon.ico": b"icon",
        "site.webmanifest": b"{}",
        "service.js": b"addEventListener('push', () => {})",
        "assets/main-1a2b.js": SCRIPT,
        "assets/main-1a2b.js.gz": PACKED,
        "assets/main-1a2b.js.br": BROTLI,
        "assets/pen.svg": b"<svg/>",
        "assets/large.wasm": b"x" * (LARGE + 1),
        "sounds/bell.gz": b"no other form of it",
    }
    for name, body in files.items():
        path = base / "static" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    (base / "secret.txt").write_bytes(b"outside")
    config = Config(database=f"sqlite:///{base}/preau.db")
    return make_app(config, static=base / "static")


FRONT = (
    b'<!doctype html><html lang="en"><head>%b<title>Pr\xc3\xa9au</title>%b'
    b'<link rel="modulepreload" href="/en.js" data-language="en">\n'
    b'<link rel="modulepreload" href="/fr.js" data-language="fr">\n</head></html>' % HEAD
)


def with_previews(folder: Path, look: TableLookup, origin: str = "") -> StaticFiles:
    """A page that can say what its addresses are about, with pictures of all but one game."""
    (folder / "previews").mkdir()
    (folder / "index.html").write_bytes(FRONT)
    for name in ("home", "recess", "cour"):
        (folder / "previews" / f"{name}.png").write_bytes(b"picture")
    return paged(folder, b"[]", LinkPreviews(catalogue(), look), origin)


class Head(HTMLParser):
    """What the head of a page says: its language, its title and its tags by their names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.language = ""
        self.title = ""
        self.tags: dict[str, str] = {}
        self.others: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = {name: value or "" for name, value in attrs}
        if tag == "meta" and "content" in about:
            self.tags[about.get("property") or about["name"]] = about["content"]
        elif tag == "html":
            self.language = about["lang"]
        self.others.append(tag)

    def handle_data(self, data: str) -> None:
        if self.others[-1:] == ["title"] and not self.title:
            self.title = data


async def _known(table: str) -> tuple[str, str]:
    """Tables whose id says what they are."""
    game, _, status = table.partition("0")
    if not status:
        raise Unknown("there is no such table")
    return game, status


def paged(folder: Path, *more: Any) -> StaticFiles:
    """A page alone, with default limits."""
    return StaticFiles(_nobody, DownloadLimits(Limits()), folder, *more)


async def _nobody(*_: object) -> None:
    raise AssertionError("the page answers this itself")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/new/recess",
        "/new",
        "/join",
        "/join/h4kzpt",
        "/move",
        "/rules/cour",
        "/rules",
        "/learn/recess",
        "/challenge",
        "/challenge/recess",
        "/challenge/cour/2026-11-02",
        "/puzzles/recess",
        f"/puzzles/recess/{PUZZLE}",
        "/help",
        "/me",
        "/settings",
        "/watch",
    ],
)
def test_every_address_of_the_page_is_the_front_page(page, path):
    answer = request(page, path)
    assert answer.status_code == 200
    assert answer.content == b"<!doctype html><title>front</title>"
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/new/chess",
        "/rules/chess",
        "/learn",
        "/learn/chess",
        "/challenge/chess",
        "/challenge/cour/2026-02-30",
        "/challenge/cour/2999-01-01",
        "/puzzles",
        "/puzzles/chess",
        "/puzzles/recess/00000000",
        f"/puzzles/cour/{PUZZLE}",
        "/t",
        "/t/UPPER",
        "/t/a'b",
        "/replay/" + "x" * 33,
        "/t/%00",
        "/%ff",
    ],
)
def test_an_address_that_leads_nowhere_is_the_front_page_all_the_same(page, path):
    answer = request(page, path)
    assert (answer.status_code, answer.content) == (404, b"<!doctype html><title>front</title>")
    assert request(page, path, if_none_match=answer.headers["etag"]).status_code == 404
    assert request(page, path, method="HEAD").status_code == 404


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/nothing", "/api/tables/x/nothing"])
def test_addresses_of_the_api_are_never_the_page(page, path):
    answer = request(page, path)
    assert answer.status_code == 404
    assert answer.json()["error"] == "NotFound"


@pytest.mark.parametrize(
    "path",
    ["/static/", "/static/assets", "/static/../secret.txt", "/static/%2e%2e/secret.txt", "/secret.txt"],
)
def test_files_that_are_not_there_are_not_the_page_either(page, path):
    answer = request(page, path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/json"


def test_only_reading_is_answered_by_the_page(page):
    assert request(page, "/join", method="POST").status_code == 404
    head = request(page, "/join", method="HEAD")
    assert (head.status_code, head.content) == (200, b"")
    assert int(head.headers["content-length"]) == len(request(page, "/join").content)


def test_files_have_types_and_hashed_ones_are_kept_for_ever(page):
    for path, kind, cache in [
        ("/static/assets/main-1a2b.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/static/assets/pen.svg", "image/svg+xml; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/static/site.webmanifest", "application/manifest+json", "no-cache"),
        ("/static/index.html", "text/html; charset=utf-8", "no-cache"),
        ("/service.js", "text/javascript; charset=utf-8", "no-cache"),
        ("/favicon.ico", "image/vnd.microsoft.icon", "no-cache"),
        ("/static/sounds/bell.gz", "application/octet-stream", "no-cache"),
    ]:
        answer = request(page, path)
        assert (answer.status_code, answer.headers["content-type"], answer.headers["cache-control"]) == (
            200,
            kind,
            cache,
        )
        assert "content-encoding" not in answer.headers


@pytest.mark.parametrize(
    ("accept", "encoding", "raw"),
    [
        ("gzip, deflate, br", "br", BROTLI),
        ("gzip", "gzip", PACKED),
        ("br;q=0, gzip;q=0.5", "gzip", PACKED),
        ("deflate", None, SCRIPT),
        ("", None, SCRIPT),
    ],
)
def test_compressed_files_go_to_whoever_takes_them(page, accept, encoding, raw):
    answer = request(page, "/static/assets/main-1a2b.js", method="HEAD", accept_encoding=accept)
    assert answer.headers.get("content-encoding") == encoding
    assert int(answer.headers["content-length"]) == len(raw)
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "accept-encoding" in answer.headers["vary"]
    if encoding == "gzip":
        assert request(page, "/static/assets/main-1a2b.js", accept_encoding=accept).content == SCRIPT


def test_a_game_on_the_readers_own_device_is_not_looked_for(page):
    for path in ("/t/localk7c2mzq4tn8w3xrp", "/replay/localk7c2mzq4tn8w3xrp"):
        assert request(page, path).status_code == 200


def test_a_large_file_is_not_kept_in_memory_and_sent_whole(page, tmp_path):
    answer = request(page, "/static/assets/large.wasm")
    assert (answer.headers["content-type"], len(answer.content)) == ("application/wasm", LARGE + 1)
    (tmp_path / "large.bin").write_bytes(b"x" * (LARGE + 1))
    [form] = read(tmp_path)["large.bin"].forms
    assert (form.body, form.size) == (b"", LARGE + 1)


def test_what_a_browser_has_already_is_not_sent_again(page):
    for path in ("/", "/favicon.ico", "/static/assets/main-1a2b.js", "/static/assets/large.wasm"):
        first = request(page, path)
        again = request(page, path, if_none_match=first.headers["etag"])
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert request(page, path, if_none_match='"other"').status_code == 200
    forms = {
        request(page, "/static/assets/main-1a2b.js", method="HEAD", accept_encoding=accept).headers["etag"]
        for accept in ("", "gzip", "br")
    }
    assert len(forms) == 3


def test_the_policy_lets_the_page_run_and_nothing_else(page):
    policy = dict(part.split(" ", 1) for part in request(page, "/").headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["style-src"] == policy["font-src"] == policy["connect-src"] == policy["worker-src"] == "'self'"
    assert policy["script-src"] == "'self' 'wasm-unsafe-eval'", "for the page's own Python; not for strings as scripts"
    assert policy["style-src-attr"] == "'unsafe-inline'"
    assert policy["img-src"] == "'self' data:"


def test_the_front_page_holds_the_games(tmp_path):
    """As data that no text in it can turn into anything else, and compressed for those who take it."""
    head, tail = b"<!doctype html><title>front</title>" + SLOT, b"</script><p>end</p>"
    (tmp_path / "index.html").write_bytes(head + tail)
    (tmp_path / "index.html.br").write_bytes(b"the page without games")
    page = paged(tmp_path, b'[{"id":"tag","about":"</script><script>alert(1)</script>"}]')
    answer = request(page, "/", accept_encoding="br")
    assert (
        answer.content == head + rb'[{"id":"tag","about":"\u003c/script>\u003cscript>alert(1)\u003c/script>"}]' + tail
    )
    packed = request(page, "/", accept_encoding="gzip, br")
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == answer.content == request(page, "/static/index.html").content
    assert request(page, "/", if_none_match=answer.headers["etag"]).status_code == 304
    assert request(paged(tmp_path, b"[]"), "/").headers["etag"] != answer.headers["etag"]


def test_the_front_page_says_where_its_files_are_and_the_service_worker_which_version_it_is(tmp_path):
    """The version changes with the games on offer and with the page's own Python, so that browsers fetch both anew."""
    (tmp_path / "index.html").write_bytes(b'<script src="./assets/main.js"></script>' + SLOT + b"</script>")
    (tmp_path / "service.js").write_bytes(b'const version = "%VERSION%";')
    assert b'src="/static/assets/main.js"' in request(paged(tmp_path), "/t/abc").content
    versions = [request(paged(tmp_path, games), "/service.js").text for games in (b"[]", b"[]", b"[1]")]
    (tmp_path / "offline.json").write_bytes(b"{}")
    versions.append(request(paged(tmp_path, b"[1]"), "/service.js").text)
    assert all(re.fullmatch('const version = "[0-9a-f]{16}";', one) for one in versions)
    assert versions[0] == versions[1]
    assert len(set(versions)) == 3


def test_the_games_in_the_page_are_those_of_the_api(server):
    front = server.ask("GET", "/").text
    if SLOT.decode() in front:  # the page is built
        written = front.partition(SLOT.decode())[2].partition("</script>")[0]
        assert json.loads(written) == server.ask("GET", "/api/games").json()


@pytest.mark.parametrize(
    ("path", "language", "title", "picture"),
    [
        ("/", "en", "Préau: school-yard games", "home"),
        ("/", "fr", "Préau\u202f: des jeux de cour d’école", "home"),
        ("/t/recess0waiting", "en", "Come and play Recess!", "recess"),
        ("/t/cour0playing", "fr", "Une partie est en cours\u202f: Dans la cour d’école", "cour"),
        ("/t/cour0over", "fr", "La partie est finie\u202f: Dans la cour d’école", "cour"),
        ("/replay/recess0over", "en", "Recess!: a game to watch again", "recess"),
        ("/replay/recess0playing", "en", "A game of Recess! is on", "recess"),
        ("/replay", "en", "A game from a file", "home"),
        ("/replay/file-1a2b3c4d", "fr", "Une partie d’un fichier", "home"),
        ("/replay/recess0over/with/w3k8", "en", "Recess!: look at a game together", "recess"),
        ("/replay/recess0playing/with/w3k8", "en", "A game of Recess! is on", "recess"),
        ("/rules/cour", "fr", "Règles\u202f: Dans la cour d’école", "cour"),
        ("/rules/bagarre", "en", "Rules: La grande bagarre", "home"),
        ("/t/chess0over", "en", "A game of chess is over", "home"),
        ("/puzzles/cour", "fr", "Énigmes\u202f: Dans la cour d’école", "cour"),
        (f"/puzzles/recess/{PUZZLE}", "en", "A puzzle: Recess!", "recess"),
        ("/help", "fr", "Touches et aide", "home"),
        ("/me", "fr", "Mon carnet", "home"),
    ],
)
def test_a_link_says_what_it_is_about(tmp_path, path, language, title, picture):
    page = with_previews(tmp_path, _known)
    wishes = {"accept_language": f"{language}-CH, de;q=0.5", "accept_encoding": "gzip"}
    answer = request(page, path, **wishes)
    head = Head(answer.text)
    assert (answer.status_code, head.language, head.title) == (200, language, title)
    assert head.tags["og:title"] == head.tags["twitter:title"] == title
    assert len(head.tags["description"]) > 20
    assert head.tags["og:description"] == head.tags["twitter:description"] == head.tags["description"]
    assert head.tags["og:url"] == f"http://localhost{path}"
    assert head.tags["og:image"] == head.tags["twitter:image"] == f"http://localhost/static/previews/{picture}.png"
    assert head.tags["twitter:card"] == "summary_large_image"
    assert "accept-language" in answer.headers["vary"]
    assert re.findall(r"/(\w+)\.js", answer.text) == [language], "words of the other language are loaded, too"
    assert answer.headers["content-encoding"] == "gzip"
    assert request(page, path, **wishes, if_none_match=answer.headers["etag"]).status_code == 304


def test_links_name_the_public_address_and_hold_nothing_that_was_typed(tmp_path):
    page = with_previews(tmp_path, _known, "https://play.example.org/")
    head = Head(request(page, '/join/"><script>alert(1)</script>').text)
    assert head.tags["og:url"].startswith("https://play.example.org/join/%22%3E%3Cscript")
    assert head.others.count("script") == 0
    lost = Head(request(page, "/t/nosuchtable").text)
    assert lost.title == "There is nothing here"
    assert not any(name.startswith(("og:", "twitter:")) for name in lost.tags)


@pytest.mark.parametrize("trouble", ["busy", "stuck"])
def test_the_page_comes_although_the_database_does_not_answer(tmp_path, monkeypatch, trouble):
    async def look(table: str) -> tuple[str, str]:
        if trouble == "stuck":
            await asyncio.sleep(3600)
        raise Busy("away", key="busy")

    monkeypatch.setattr("preau.server.http.link_preview.LOOKUP_SECONDS", 0.05)
    answer = request(with_previews(tmp_path, look), "/t/recess0over")
    assert (answer.status_code, Head(answer.text).title) == (200, "Préau: school-yard games")


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("FR-fr,en;q=0.8", "fr"),
        ("en;q=0.3, fr;q=0.7", "fr"),
        ("de, fr;q=0, en;q=0.1", "en"),
        ("de", "en"),
        ("fr;q=huge, en;q=0.9", "fr"),
        (";;;,,", "en"),
    ],
)
def test_the_language_is_the_one_that_is_asked_for(header, language):
    assert language_of(header) == language


def test_tables_of_the_server_have_previews(default_server):
    """Over the wire: a table that waits, one that is over and its replay, and none; the picture is there."""
    if not (STATIC / "index.html").is_file():
        pytest.skip("the page is not built")

    async def story() -> None:
        async with Api(default_server.url) as api:
            waiting = (await api.create("recess", [ME, OPEN, OPEN]))["table"]["id"]
            over = (await api.create("bagarre", [bot(), bot()], start=True))["table"]["id"]
            await wait_for_record(api, over)
            for path, title in [
                (f"/t/{waiting}", "Come and play Recess!"),
                (f"/t/{over}", "A game of La grande bagarre is over"),
                (f"/replay/{over}", "La grande bagarre: a game to watch again"),
            ]:
                answer = default_server.ask("GET", path)
                assert answer.status_code == 200
                head = Head(answer.text)
                assert head.title == title
                assert "Zoé" not in answer.text
                picture = default_server.ask("GET", head.tags["og:image"].removeprefix(default_server.url))
                assert picture.headers["content-type"] == "image/png"
                assert picture.content[16:24] == bytes([0, 0, 4, 176, 0, 0, 2, 118])  # 1200 by 630
            assert default_server.ask("GET", "/t/nosuchtable").status_code == 404

    run(story())


def test_without_the_built_page_a_plain_one_says_so(tmp_path):
    answer = request(paged(tmp_path / "none"), "/")
    assert answer.status_code == 200
    assert "not installed" in answer.text


def test_an_invitation_is_a_link_and_a_picture_of_it(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await api.create("recess", [ME, OPEN, OPEN])
            table = made["table"]["id"]
            invitation = await api.ok("GET", f"/tables/{table}/invitation")
            assert invitation["url"] == f"{default_server.url}/t/{table}"
            picture = ElementTree.fromstring(invitation["qr"])
            assert picture.tag.endswith("svg")
            assert 'fill="#fff"' in invitation["qr"]
            assert (await api.call("GET", "/tables/nosuchtable/invitation")).status_code == 404

    run(story())


def test_links_name_the_public_address(tmp_path):
    async def story() -> None:
        config = Config(database=f"sqlite:///{tmp_path}/preau.db", origins=("https://play.example.org/",))
        services = Services(config)
        await services.open()
        try:
            transport = httpx.ASGITransport(make_litestar(services))  # type: ignore[arg-type]
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost", trust_env=False) as client:
                made = (await client.post("/api/tables", json={"game": "recess", "seats": [ME] * 3})).json()
                table = made["table"]["id"]
                found = (await client.get(f"/api/tables/{table}/invitation")).json()
                assert found["url"] == f"https://play.example.org/t/{table}"
        finally:
            await services.close()

    asyncio.run(story())
