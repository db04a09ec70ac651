"""Words guessed from relation names."""

from __future__ import annotations

import pytest

from kgqa_graphdb.language.english import (
    agent_of,
    base_form,
    base_of,
    doer_of,
    happened_at,
    is_act,
    lemma,
    past_form,
    plural_of,
    root,
    singular_of,
    words_of,
)
from kgqa_graphdb.language.english_relations import (
    begins_clause,
    edge_words,
    guessed_inverse,
    guessed_phrase,
    guessed_template,
    is_verbal,
)
from kgqa_graphdb.language.names import scope_of


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("directed_by", "directed by"),
        ("DIRECTED_BY", "directed by"),
        ("directedBy", "directed by"),
        ("people.person.place_of_birth", "place of birth"),
        ("/people/person/place_of_birth", "place of birth"),
        ("/film/film/starring./film/performance/actor", "actor"),
        ("__people__person__place_of_birth", "place of birth"),
        ("billing__address", "billing address"),
        ("music.recording.tracks", "track"),
        ("media.item.tracks_to", "tracks to"),
        ("location.location.contains", "contains"),
        ("sports.team.coaches", "coach"),
        ("sports.team.managers", "managers"),
        ("tracks", "tracks"),
        ("http://example.org/ns#birthPlace", "birth place"),
        ("/ns#birthPlace", "birth place"),
        ("http://example.org/ns/", "ns"),
        ("hasDNAProfile", "has dna profile"),
        ("___", "___"),
        ("导演", "导演"),
    ],
)
def test_names_become_words(name: str, words: str) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("people.person.place_of_birth", "people person"),
        ("film.film.starring", "film"),
        ("government.us_president.vice_president", "government us president"),
        ("__government__us_president__vice_president", "government us president"),
        ("/government/us_president/vice_president", "government us president"),
        ("billing__address", ""),
        ("http://example.org/v1.2/capital", ""),
        ("directed_by", ""),
    ],
)
def test_a_name_of_several_parts_has_a_scope(name: str, scope: str) -> None:
    assert scope_of(name) == scope


@pytest.mark.parametrize(
    ("name", "phrase", "inverse"),
    [
        ("directed_by", "director", "directed by"),
        ("written_by", "writer", "written by"),
        ("first_climbed_by", "first climber", "first climbed by"),
        ("published_by", "publisher", "published by"),
        ("has_genre", "genre", "with genre"),
        ("release_year", "release year", "with release year"),
        ("in_language", "language", "in language"),
        ("ACTED_IN", "acted in", "actor in"),
        ("DIRECTED", "directed", "director of"),
        ("wrote", "wrote", "writer of"),
        ("capital_of", "is capital of", "capital of"),
        ("located_in", "is located in", "located in"),
        ("spouse", "spouse", "with spouse"),
        ("is_part_of", "is part of", "part of"),
        ("has", "has", "with has"),
        ("FOLLOWS", "follows", "follower of"),
        ("SUPPLIES", "supplies", "supplier of"),
        ("CONTAINS", "contains", "that contains"),
        ("REPORTS_TO", "reports to", "that reports to"),
        ("SHIPPED_VIA", "is shipped via", "shipped via"),
        ("GENRES", "genres", "with genres"),
        ("PARENT_OF", "is parent of", "parent of"),
        ("PART_OF", "is part of", "part of"),
        ("SENT_TO", "is sent to", "sent to"),
        ("MARRIED_TO", "is married to", "married to"),
        ("DIAGNOSED_WITH", "is diagnosed with", "diagnosed with"),
        ("TREATED_BY", "is treated by", "treated by"),
        ("SUCCEEDED_BY", "successor", "succeeded by"),
        ("MENTORED_BY", "mentor", "mentored by"),
        ("recommended_by", "is recommended by", "recommended by"),
        ("TREATS", "treats", "that treats"),
    ],
)
def test_phrases_are_guessed_for_both_directions(name: str, phrase: str, inverse: str) -> None:
    assert guessed_phrase(name) == phrase
    assert guessed_inverse(words_of(name)) == inverse


@pytest.mark.parametrize(
    ("verb", "agent"),
    [
        ("directed", "director"), ("produced", "producer"), ("created", "creator"), ("edited", "editor"),
        ("carried", "carrier"), ("wrote", "writer"), ("genre", ""), ("red", ""), ("seed", ""),
    ],
)  # fmt: skip
def test_agents_of_past_forms(verb: str, agent: str) -> None:
    assert agent_of(verb) == agent


def test_verbal_phrases_are_told_from_nouns() -> None:
    assert is_verbal("acted in")
    assert is_verbal("directed")
    assert not is_verbal("director")
    assert not is_verbal("release year")
    assert not is_verbal("")


def test_a_template_names_both_ends() -> None:
    assert (
        guessed_template("directed by").format(head="Alien", tail="Ridley Scott")
        == "Alien is directed by Ridley Scott."
    )
    assert guessed_template("written by") == "{head} was written by {tail}."
    assert guessed_template("stand by") == "{head} — stand by: {tail}."
    assert guessed_template("parent of") == "{head} is a parent of {tail}."
    assert guessed_template("sent to") == "{head} is sent to {tail}."


def test_facts_of_verbs_are_sentences() -> None:
    assert guessed_template("follows") == "{head} follows {tail}."
    assert guessed_template("acted in") == "{head} acted in {tail}."
    assert guessed_template("genre") == "{head} — genre: {tail}."
    assert guessed_template("released", of_value=True) == "{head} — released: {tail}."


@pytest.mark.parametrize(
    ("verb", "base", "doer"),
    [("follows", "follow", "follower"), ("ships", "ship", "shipper"), ("supplies", "supply", "supplier"),
     ("writes", "write", "writer"), ("directs", "direct", "director"), ("buys", "buy", "buyer")],
)  # fmt: skip
def test_third_persons_have_a_base_form_and_a_doer(verb: str, base: str, doer: str) -> None:
    assert base_of(verb) == base
    assert doer_of(base) == doer
    assert begins_clause(f"{verb} it")


@pytest.mark.parametrize("word", ["genres", "address", "news", "species", "is", "boss", ""])
def test_other_words_in_s_are_no_verbs(word: str) -> None:
    assert base_of(word) == ""


@pytest.mark.parametrize(
    ("name", "heads", "tails", "phrase", "inverse"),
    [
        ("REVIEWS", ("Person",), ("Film",), "reviews", "reviewer of"),
        ("REVIEWS", ("Film",), ("Review",), "review", "film with review"),
        ("HAS", ("Customer",), ("Basket",), "basket", "customer with basket"),
        ("ORDERS", ("Order",), ("Product",), "product in order", "order with"),
        ("SHIPPED_WITH", ("Order",), ("Shipper",), "shipped with", "shipped with"),
        ("SUPPLIES", ("Supplier",), ("Product",), "supplies", "supplier of"),
    ],
)
def test_labels_settle_what_a_relationships_name_means(
    name: str, heads: tuple[str, ...], tails: tuple[str, ...], phrase: str, inverse: str
) -> None:
    assert edge_words(name, heads, tails)[:2] == (phrase, inverse)


@pytest.mark.parametrize(
    ("form", "base", "past"),
    [("directed", "direct", "directed"), ("wrote", "write", "wrote"), ("written", "write", "wrote"),
     ("starred", "star", "starred"), ("produced", "produce", "produced"), ("follows", "follow", "followed"),
     ("married", "marry", "married"), ("river", "", "")],
)  # fmt: skip
def test_verbs_have_a_base_and_a_past(form: str, base: str, past: str) -> None:
    assert base_form(form) == base
    assert not base or past_form(base) == past


@pytest.mark.parametrize(
    ("noun", "plural"),
    [("genre", "genres"), ("country", "countries"), ("person", "people"), ("place of birth", "places of birth"),
     ("tags", "tags"), ("class", "classes"), ("imdb rating", "imdb ratings")],
)  # fmt: skip
def test_plurals(noun: str, plural: str) -> None:
    assert plural_of(noun) == plural


@pytest.mark.parametrize(
    ("noun", "happened", "time"),
    [("release year", "released", "year"), ("opening date", "opened", "date"), ("birth date", "born", "date"),
     ("publication year", "published", "year"), ("year", "", ""), ("length", "", ""), ("leap year", "", "")],
)  # fmt: skip
def test_what_happened_at_a_time(noun: str, happened: str, time: str) -> None:
    assert happened_at(noun) == (happened, time)


def test_who_acts_is_somebody() -> None:
    assert all(map(is_act, ("direct", "write", "act")))
    assert not any(map(is_act, ("contain", "numb", "head quart")))


@pytest.mark.parametrize(
    ("noun", "plural"),
    [("wolf", "wolves"), ("mouse", "mice"), ("hero", "heroes"), ("city", "cities"), ("child", "children"),
     ("person", "people"), ("wife", "wives"), ("bus", "buses"), ("series", "series"), ("woman", "women"),
     ("german", "germans"), ("supernova", "supernovas"), ("file of the hero", "files of the hero")],
)  # fmt: skip
def test_plurals_that_no_suffix_makes(noun: str, plural: str) -> None:
    assert plural_of(noun) == plural_of(plural) == plural
    assert " " in noun or singular_of(plural) == singular_of(noun) == noun


@pytest.mark.parametrize(
    ("form", "base"),
    [("died", "die"), ("met", "meet"), ("flew", "fly"), ("flown", "fly"), ("paid", "pay"), ("lost", "lose"),
     ("taught", "teach"), ("won", "win"), ("sang", "sing"), ("born", "bear"), ("saved", "save"), ("used", "use"),
     ("co-starred", "co-star"), ("", "")],
)  # fmt: skip
def test_past_forms_have_the_base_that_a_dictionary_says(form: str, base: str) -> None:
    assert base_form(form) == base


@pytest.mark.parametrize(
    "word", ["speed", "hundred", "naked", "mice", "better", "best", "older", "fred", "had", "film"]
)
def test_other_words_are_no_past_forms(word: str) -> None:
    assert base_form(word) == ""


@pytest.mark.parametrize("base", ["die", "meet", "fly", "pay", "teach", "write", "cite", "ship", "copy", "direct"])
def test_the_past_of_a_verb_leads_back_to_it(base: str) -> None:
    assert base_form(past_form(base)) == base


@pytest.mark.parametrize(
    ("verb", "agent"),
    [("cited", "citer"), ("founded", "founder"), ("authored", "author"), ("taught", "teacher"), ("visited", "visitor"),
     ("illustrated", "illustrator"), ("supervised", "supervisor"), ("rated", "rater"), ("speed", ""), ("hundred", "")],
)  # fmt: skip
def test_agents_are_made_of_base_forms(verb: str, agent: str) -> None:
    assert agent_of(verb) == agent
    assert is_verbal(verb) == bool(agent)


def test_agents_in_phrases() -> None:
    assert guessed_phrase("taught_by") == "teacher"
    assert guessed_phrase("founded_by") == "founder"
    assert guessed_inverse("cites") == "citer of"
    assert doer_of("create") == "creator"


def test_words_of_one_root_are_compared_by_it() -> None:
    assert root("met") == root("meet")
    assert root("paid") == root("pay")
    assert root("wrote") == root("written") == root("writing")
    assert lemma("cities") == lemma("city")
    assert lemma("heroes") == lemma("hero") == "hero"
