"""Folding keeps the way back to the original, and names stand in texts as whole words."""

from __future__ import annotations

import random

import pytest

from kgqa_graphdb.language.folding import fold, folded_text, occurrences, symbols_agree, symbols_of, with_symbols


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
        ("Incep\u200btion \u202eA\u00adda", "inception ada"),
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


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("C++", ((1, "++"),)),
        ("C＋＋", ((1, "++"),)),
        ("C#", ((1, "#"),)),
        ("#1", ()),
        ("$9.99", ((0, "$"),)),
        ("-40 °C", ((0, "-"),)),
        ("5%", ((1, "%"),)),
        ("5 %", ((1, "%"),)),
        ("Ca²⁺", ((3, "+"),)),
        ("C++11", ((1, "++"),)),
        ("A+B", ()),
        ("M*A*S*H", ()),
        ("Yahoo!", ()),
        ("R&D", ()),
        ("B-12", ()),
        ("3 + 4", ()),
        ("Titan", ()),
    ],
)
def test_symbols_are_parts_of_words_but_marks_and_what_parts_words_are_none(
    text: str, symbols: tuple[tuple[int, str], ...]
) -> None:
    assert symbols_of(text) == symbols


@pytest.mark.parametrize(
    ("name", "text", "agree"),
    [
        ("C++", "c++", True),
        ("C++", "C", False),
        ("C", "C++", False),
        ("C", "C#", False),
        ("A", "A*", False),
        ("Inception", "**Inception**", True),
        ("$9.99", "9.99", False),
        ("100", "$100", False),
        ("-40 °C", "40 °C", False),
        ("-40 °C", "-40°C", True),
        ("5%", "5 %", True),
        ("5 %", "5", False),
        ("#1", "1", True),
        ("10248", "#10248", True),
        ("Yahoo!", "Yahoo", True),
        ("*batteries not included", "batteries not included", True),
        ("batteries not included", "*batteries not included", False),
    ],
)
def test_what_differs_by_symbols_is_another_name(name: str, text: str, agree: bool) -> None:
    assert folded_text(name) == folded_text(text)
    assert symbols_agree(name, text) is agree


@pytest.mark.parametrize(
    ("text", "word", "whole"),
    [
        ("Who designed C++?", "C", "C++"),
        ("it costs $9.99.", "9.99", "$9.99"),
        ("Titan+Rhea", "Titan", "Titan"),
        ("in order #10248?", "10248", "#10248"),
        ("at -40 °C", "40 °C", "-40 °C"),
        ("3-4", "4", "4"),
        ("is 5 % of it", "5", "5 %"),
    ],
)
def test_a_stretch_goes_on_to_the_symbols_of_its_words(text: str, word: str, whole: str) -> None:
    start = text.index(word)
    assert text[slice(*with_symbols(text, start, start + len(word)))] == whole
