"""Folding keeps the way back to the original, and names stand in texts as whole words."""

from __future__ import annotations

import random

import pytest

from kgqa_graphdb.language.folding import fold, folded_text, occurrences


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Zoë's CAFÉ", "zoe s cafe"),
        ("  two   spaces ", "two spaces"),
        ("Straße", "strasse"),
        ("ﬁlm №5", "film no5"),
        ("e\u0301te\u0301", "ete"),
        ("67P/Churyumov–Gerasimenko", "67p churyumov gerasimenko"),
        ("...", ""),
        ("", ""),
        ("東京タワー", "東京タワー"),
    ],
)
def test_case_accents_and_punctuation_fold_away(text: str, folded: str) -> None:
    assert fold(text).text == folded


@pytest.mark.parametrize("text", ["Zoë's CAFÉ", "Straße ﬁlm", " a  b ", "e\u0301te\u0301 in 東京", "🚀 Ranch 🚀"])
def test_each_character_knows_where_it_came_from(text: str) -> None:
    folded = fold(text)
    assert len(folded.offsets) == len(folded.text)
    assert list(folded.offsets) == sorted(folded.offsets)
    for char, offset in zip(folded.text, folded.offsets, strict=True):
        assert char == " " or char in fold(text[offset]).text


def test_a_stretch_leads_back_to_the_original() -> None:
    text = "Who met  Zoë de la CRÉE?"
    folded = fold(text)
    start = folded.text.index("zoe de la cree")
    left, right = folded.original(start, start + len("zoe de la cree"))
    assert text[left:right] == "Zoë de la CRÉE"


def test_a_name_of_punctuation_stays_as_it_is() -> None:
    assert folded_text(" !!! ") == "!!!"


def test_names_are_found_as_whole_words_only() -> None:
    text = "titan met titania and titan"
    assert list(occurrences("titan", text)) == [(0, 5), (22, 27)]
    assert list(occurrences("met titania", text)) == [(6, 17)]
    assert list(occurrences("an", text)) == []
    assert list(occurrences("", text)) == []


def test_scripts_without_spaces_need_no_word_ends() -> None:
    text = fold("東京タワーの高さは?").text
    name = fold("東京タワー").text
    assert list(occurrences(name, text)) == [(0, len(name))]
    assert list(occurrences(fold("高さ").text, text)) != []


def test_a_word_of_another_script_beside_such_a_name_ends_it() -> None:
    assert list(occurrences("京", "abc京def")) == [(3, 4)]
    assert list(occurrences("abc", "abc京")) == list(occurrences("abc", "abc def")) == [(0, 3)]
    assert list(occurrences("abc", "abcdef京")) == []
    assert list(occurrences("2022年杭州", "举办2022年杭州的")) == [(2, 9)]


def test_plain_names_fold_as_all_others_do() -> None:
    choose = random.Random(0)
    for _ in range(500):
        text = "".join(chr(choose.randrange(128)) for _ in range(choose.randrange(12)))
        assert folded_text(text) == (fold(text).text or text.strip())
