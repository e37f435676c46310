"""What people write: nothing of it hides, piles up or turns other words round, and no letter is torn apart."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from preau.table.protocol import NAME, TEXT
from preau.table.text_cleaning import MARKS, clean, clusters

NAMES = [
    *("Zoé", "Nguyễn Thị Ánh", "O’Brien-Łódź", "Ærøskøbing", "李小龙", "さくら", "김민준", "Ωμέγα", "Ștefan", "x"),
    *("मुहम्मद क़ुरैशी", "ปิ่นโต", "مُحَمَّد", "שָׁלוֹם", "မြို့", "བརྒྱད", "தமிழ்", "ශ්‍රී", "می‌خواهم"),
    *("👨‍👩‍👧‍👦", "❤️‍🔥 Léa", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇫🇷🇨🇭", "1️⃣ #️⃣", "👩🏻‍❤️‍💋‍👨🏽", "🧑🏿‍🚀", "🏳️‍🌈", "🙂‍↔️", "🫨\U0001fae9", "☕︎"),
]
"""Of people, or such as they give themselves: they stay as they are."""


@pytest.mark.parametrize("name", NAMES)
def test_names_of_people_stay_as_they_are(name):
    whole = unicodedata.normalize("NFC", name)
    assert clean(whole, NAME) == whole
    assert clean(unicodedata.normalize("NFD", name), NAME) == whole


HIDDEN = [
    *(
        "",
        " ",
        "\t\n\r",
        "\u00a0",
        "\u3000",
        "\u2003\u2009",
        "\u3164",
        "\u2800\u2800",
        "\uffa0",
        "\u115f\u1160",
        "\0\x1b",
    ),
    *(
        "\u200b",
        "\u200c",
        "\u200d",
        "\u2060\ufeff",
        "\u00ad",
        "\u202e\u2066\u061c",
        "\U000e0041\U000e007f",
        "\ufe0f",
        "\ufe0e",
    ),
    *(
        "\u034f",
        "\u17b4",
        "\u180e\u180b",
        "\U000e0100",
        "\u0301",
        "\u20dd",
        " \u0301",
        "\u3164\u0301\u0301",
        "\ud800",
        "\ue000",
    ),
    *("\U0001d159", "\ufffc", "\U000e0fff", "\u200d\ufe0f\u200d", "\u3164 \u2800\u200b \u115f", "\U00013441", "\u0488"),
]


@pytest.mark.parametrize("name", HIDDEN, ids=ascii)
def test_a_name_that_shows_nothing_is_none(name):
    assert clean(name, NAME) == ""
    assert clean(f"a{name}b", NAME).replace(" ", "")[0] in "aá"


@pytest.mark.parametrize(
    ("written", "left"),
    [
        (" a \t\n  b ", "a b"),
        ("a\u3164\u3164b", "a b"),
        ("ab\u202ecd\u202c", "abcd"),
        ("a\u200bb\u200dc", "abc"),
        ("a" + "\u0301" * 300, "á" + "\u0301" * 3),
        ("Z\u0489a\u0336\u0337\u0338\u0334lgo", "Za\u0336\u0337\u0338lgo"),
        ("e\u200b\u0301", "e"),
        ("a\u0301\ufe0f", "á"),
        ("👨\u200d", "👨"),
        ("👨\u200dx", "👨x"),
        ("👍\u0301\u0301", "👍"),
        ("x\U000e0067\U000e0062", "x"),
        ("7\ufe0f", "7"),
    ],
)
def test_what_is_left_of_a_text(written, left):
    assert clean(written, TEXT) == left


def test_a_text_ends_between_two_letters():
    assert clean("x" * 30, NAME) == "x" * NAME
    assert clean("x" * 20 + "👨‍👩‍👧‍👦", NAME) == "x" * 20
    assert clean("x" * 23 + "👍🏽", NAME) == "x" * 23
    assert clean("x" * 23 + "🇫🇷", NAME) == "x" * 23
    assert clean("x" * 23 + "q\u0323\u0301", NAME) == "x" * 23
    assert clean("x" * 23 + " yes", NAME) == "x" * 23
    assert clean("\ufb2c" * NAME, NAME) == "\u05e9\u05bc\u05c1" * 8, "written out, it is three times as long"
    assert clean("ක්‍" * 8 + "ර", NAME) == "ක්‍" * 7 + "ක්"


ODD = "aé \n👍❤🏴🇫🏽1#مक\u0301\u0336\u0903\u094d\u20e3\u200b\u200c\u200d\ufe0f\u3164\u2800\u202e\U000e0067\U000e007f"
odd = st.lists(st.sampled_from(ODD), max_size=60).map("".join)
texts = st.text(st.characters(exclude_categories=())) | odd


@given(texts)
def test_whatever_is_written(text):
    left = clean(text, NAME)
    assert len(left) <= NAME
    assert clean(left, NAME) == left
    assert unicodedata.is_normalized("NFC", left)
    assert left == " ".join(left.split())
    left.encode()  # no surrogates
    for cluster in clusters(left):
        assert unicodedata.category(cluster[0])[0] in "LNPSZ" or cluster[0] >= "\U0001f000"
        piled = sum(unicodedata.category(mark) == "Mn" and mark != "\ufe0f" for mark in cluster[1:])
        assert piled <= MARKS
    for char in left:
        assert unicodedata.category(char) not in ("Cc", "Cs", "Co", "Zl", "Zp")
        assert char not in "\u3164\u2800\u200b\u202e"


@given(texts)
def test_clusters_lose_nothing(text):
    assert "".join(clusters(text)) == text
