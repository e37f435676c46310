"""Answers that stay the same: written and compressed once, however often they are asked for."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import Any

import pytest

from preau.server.app import make_app
from preau.server.config import Config
from tests.server.asgi_requests import request

LONG = ["/games", "/games/cour/texts/fr", "/games/cour/rules/fr", "/games/cour/gallery", "/games/cour/puzzles"]
LONG += ["/studies/fr"]


def plain(app: Any, path: str) -> bytes:
    return request(app, f"/api{path}", accept_encoding="identity").content


@pytest.mark.parametrize("path", LONG)
def test_they_are_compressed_once(tmp_path, monkeypatch, path):
    app = make_app(Config(database=f"sqlite:///{tmp_path}/preau.db"))
    first = request(app, f"/api{path}", accept_encoding="gzip")
    assert first.headers["content-encoding"] == "gzip"
    assert first.headers["vary"].lower() == "accept-encoding"
    assert first.headers["content-type"] == "application/json"
    assert int(first.headers["content-length"]) < len(first.content) == len(plain(app, path))

    def never(*args: Any, **how: Any) -> Any:
        raise AssertionError("compressed again")

    monkeypatch.setattr(gzip, "compress", never)
    monkeypatch.setattr(zlib, "compressobj", never)
    again = request(app, f"/api{path}", accept_encoding="gzip")
    assert (again.status_code, again.content) == (200, first.content)
    assert again.headers["content-encoding"] == "gzip"


def test_clients_and_servers_need_not_compress(tmp_path: Path) -> None:
    app = make_app(Config(database=f"sqlite:///{tmp_path}/preau.db", compression=False))
    for one, accepted in ((app, "gzip"), (make_app(Config(database=f"sqlite:///{tmp_path}/b.db")), "gzip;q=0")):
        answer = request(one, "/api/games/cour/texts/fr", accept_encoding=accepted)
        assert "content-encoding" not in answer.headers
        assert answer.json()["game"] == "cour"
