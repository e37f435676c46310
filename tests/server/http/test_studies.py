"""Published studies over HTTP."""

from __future__ import annotations

from preau.lab.published import studies


def test_studies_are_told_in_both_languages(default_server):
    english, french = (default_server.ask("GET", f"/api/studies/{language}") for language in ("en", "fr"))
    assert english.headers["cache-control"] == "public, max-age=600"
    assert [one["id"] for one in english.json()] == [one["id"] for one in french.json()] == list(studies())
    for one, other in zip(english.json(), french.json(), strict=True):
        report = studies()[one["id"]]
        assert one["command"] == other["command"] == report["command"]
        assert one["games"] == report["arms"][0]["games"]
        assert [line.get("shares") for line in one["lines"]] == [line.get("shares") for line in other["lines"]]
        assert one["lines"][0]["shares"] == [arm["figures"]["seats"][0] for arm in report["arms"]]
        assert all(len(line["said"]) == len(one["rules"]) for line in one["lines"])
        assert one["lines"][0]["label"] == "seat 1 wins"
        assert other["lines"][0]["label"] == "siège 1 gagne"
        assert one["title"] != one["about"] != ""


def test_other_languages_are_refused(server):
    assert server.ask("GET", "/api/studies/de").status_code == 404
