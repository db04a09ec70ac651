"""Who does what to whom, as English says it: in questions, and in the words of relations."""

from __future__ import annotations

import pytest

from kgqa_graphdb.language.english import words_of
from kgqa_graphdb.language.english_deeds import deed_of, related, verb_of
from kgqa_graphdb.language.english_relations import guessed_inverse, guessed_phrase, guessed_template
from kgqa_graphdb.language.english_roles import roles
from kgqa_graphdb.language.english_senses import is_symmetric, senses
from kgqa_graphdb.language.roles import Role

AGENT, PATIENT, OBLIQUE = "agent", "patient", "oblique"


def places(text: str) -> set[tuple[str, str]]:
    return {(role.word, role.place) for role in roles(text).roles}


@pytest.mark.parametrize(
    ("text", "word", "place"),
    [
        ("who manages [X]?", "manage", PATIENT),
        ("who does [X] manage?", "manage", AGENT),
        ("who is the manager of [X]?", "manage", PATIENT),
        ("who is [X] the manager of?", "manage", AGENT),
        ("who is [X]'s manager?", "manage", PATIENT),
        ("whose manager is [X]?", "manage", AGENT),
        ("who has [X] as a manager?", "manage", AGENT),
        ("which manager does [X] have?", "manage", PATIENT),
        ("who is managed by [X]?", "manage", AGENT),
        ("who is [X] managed by?", "manage", PATIENT),
        ("by whom is [X] managed?", "manage", PATIENT),
        ("did [X] get managed by [Y]?", "manage", PATIENT),
        ("does [X] manage [Y]?", "manage", AGENT),
        ("does [Y] manage [X]?", "manage", PATIENT),
        ("has [X] managed [Y]?", "manage", AGENT),
        ("who beat [X]?", "beat", PATIENT),
        ("who did [X] beat?", "beat", AGENT),
        ("did [X] beat [Y]?", "beat", AGENT),
        ("who was beaten by [X]?", "beat", AGENT),
        ("who was hit by [X]?", "hit", AGENT),
        ("was [X] hit by [Y]?", "hit", PATIENT),
        ("is [X] [Y]'s manager?", "manage", AGENT),
        ("who directly manages [X]?", "manage", PATIENT),
        ("the people [X] manages", "manage", AGENT),
        ("how many people manage [X]?", "manage", PATIENT),
        ("how many people does [X] manage?", "manage", AGENT),
        ("who reports to [X]?", "report", OBLIQUE),
        ("who does [X] report to?", "report", AGENT),
        ("to whom does [X] report?", "report", AGENT),
        ("the boss that is reported to by [X]", "report", AGENT),
        ("which modules depend on the module [X]?", "depend", OBLIQUE),
        ("what are the dependencies of [X]?", "depend", AGENT),
        ("what are the dependents of [X]?", "depend", PATIENT),
        ("is [X] dependent on [Y]?", "depend", AGENT),
        ("who are the employees of [X]?", "employ", AGENT),
        ("what is [X] part of?", "a_part", AGENT),
        ("what are the parts of [X]?", "a_part", PATIENT),
        ("is [X] a child of [Y]?", "a_child", AGENT),
        ("where was [X] born?", "bear", PATIENT),
        ("which films did [X] act in?", "act", AGENT),
        ("who is the producer of [X] directed movies?", "direct", AGENT),
        ("what are the films directed by the [X] director?", "direct", PATIENT),
        ("when did the movies written by [X] writers release?", "write", PATIENT),
        ("films directed by [X] released in 1990", "direct", AGENT),
        ("who manages [X] now?", "manage", PATIENT),
    ],
)
def test_a_text_gives_its_topic_a_place(text: str, word: str, place: str) -> None:
    assert places(text) == {(word, place)}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("what is the next station after [X]?", "succeed"),
        ("which stations come right after [X]?", "succeed"),
        ("what is [X]'s next station?", "succeed"),
        ("what is the following version of [X]?", "succeed"),
        ("which station is before [X]?", "precede"),
        ("the previous version of [X]", "precede"),
    ],
)
def test_words_for_an_order_give_the_topic_a_place_in_it(text: str, word: str) -> None:
    follows = AGENT if word == "precede" else PATIENT
    assert places(text) == {(word, PATIENT), ("follow", follows)}


@pytest.mark.parametrize(
    "text",
    ["which doctors treat patients with [X]?", "what is the number of [X]?", "films without [X]", "what about [X]?",
     "which films have the same director as [X]?", "who was the predecessor in office before [X]?", "how many films?",
     "which films does [X] star in?"],
)  # fmt: skip
def test_what_says_nothing_of_its_topic_gives_it_no_place(text: str) -> None:
    assert roles(text).roles == ()


def test_verbs_that_are_joined_give_a_place_each() -> None:
    assert places("who wrote and directed [X]?") == {("write", PATIENT), ("direct", PATIENT)}


@pytest.mark.parametrize(
    ("text", "outer"),
    [
        ("Who mentors the coach of [X]?", "who mentors [X]"),
        ("Who mentors [X]'s coach?", "who mentors [X]"),
        ("Who defeated the players coached by [X]?", "who defeated [X]"),
        ("Who treats horses that are owned by [X]?", "who treats [X]"),
        ("Who mentors the jockey that rides [X]?", "who mentors [X]"),
        ("Who does the jockey that [X] coaches ride?", "who does [X] ride"),
        ("Who rides [X]?", ""),
        ("Which horses does [X] ride?", ""),
        ("Does [Y] ride [X]?", ""),
    ],
)
def test_what_the_topic_belongs_to_has_a_place_of_its_own(text: str, outer: str) -> None:
    assert roles(text).outer == outer


def test_the_noun_for_what_is_asked_for_is_apart() -> None:
    assert roles("which modules depend on [X]?").asked == "modules"
    assert roles("how many companies supply [X]?").asked == "companies"
    assert roles("who manages [X]?").asked == ""


@pytest.mark.parametrize(
    ("noun", "word", "place"),
    [("managers", "manage", AGENT), ("supplier", "supply", AGENT), ("winner", "win", AGENT),
     ("mentee", "mentor", PATIENT), ("employees", "employ", PATIENT), ("successor", "succeed", AGENT),
     ("children", "a_child", AGENT)],
)  # fmt: skip
def test_nouns_share_the_word_of_their_verb(noun: str, word: str, place: str) -> None:
    assert deed_of(noun) == (word, place)


def test_verbs_are_known_in_every_form() -> None:
    assert [verb_of(one) for one in ("endorses", "managing", "sent", "cite", "sing", "king", "sibling", "the")] == [
        "endorse", "manage", "send", "cite", "sing", "", "", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "word", "of_head", "of_tail"),
    [
        ("MANAGES", "manage", AGENT, PATIENT),
        ("REPORTS_TO", "report", AGENT, OBLIQUE),
        ("TREATED_BY", "treat", PATIENT, AGENT),
        ("SUCCEEDED_BY", "succeed", PATIENT, AGENT),
        ("PARENT_OF", "parent", AGENT, PATIENT),
        ("parent", "parent", PATIENT, AGENT),
        ("has_manager", "manage", PATIENT, AGENT),
        ("EMPLOYEE_OF", "employ", PATIENT, AGENT),
        ("PART_OF", "a_part", AGENT, PATIENT),
        ("ENDORSES", "endorse", AGENT, PATIENT),
        ("ACQUIRED", "acquire", AGENT, PATIENT),
        ("directed_by", "direct", PATIENT, AGENT),
        ("buried", "bury", PATIENT, OBLIQUE),
        ("is_managed_by", "manage", PATIENT, AGENT),
        ("NEXT_STATION", "succeed", PATIENT, AGENT),
        ("previousVersion", "precede", PATIENT, AGENT),
        ("COMES_AFTER", "succeed", AGENT, PATIENT),
    ],
)
def test_guessed_words_say_what_each_end_is(name: str, word: str, of_head: str, of_tail: str) -> None:
    words = words_of(name)
    (sense,) = [one for one in senses(words, guessed_phrase(name), guessed_inverse(words)) if one.word == word]
    assert of_head in sense.heads
    assert of_head not in sense.tails
    assert of_tail in sense.tails
    assert of_tail not in sense.heads


@pytest.mark.parametrize("name", ["BEAT", "CUT", "HIT", "LET", "PUT", "READ", "SET", "SPREAD"])
def test_a_verb_whose_form_does_not_change_is_done_by_the_head(name: str) -> None:
    words = words_of(name)
    of_verb = next(one for one in senses(words, guessed_phrase(name), guessed_inverse(words)) if one.word == words)
    assert (of_verb.heads, AGENT in of_verb.tails, PATIENT in of_verb.tails) == ({AGENT}, False, True)


@pytest.mark.parametrize(
    ("name", "inverse", "template"),
    [
        ("BEAT", "that beat", "{head} beat {tail}."),
        ("PAID", "that paid", "{head} paid {tail}."),
        ("ASSISTS", "that assists", "{head} — assists: {tail}."),
        ("SUPERVISOR", "with supervisor", "{head} — supervisor: {tail}."),
        ("SET", "with set", "{head} — set: {tail}."),
    ],
)
def test_guessed_words_tell_deeds_from_things(name: str, inverse: str, template: str) -> None:
    assert (guessed_inverse(words_of(name)), guessed_template(words_of(name))) == (inverse, template)


@pytest.mark.parametrize(
    ("label", "inverse", "word", "of_head"),
    [
        ("employee managed by", "manager of", "manage", AGENT),
        ("boss that is reported to by", "employee who reports to", "report", AGENT),
        ("child of", "parent of", "a_child", PATIENT),
        ("child of", "parent of", "parent", AGENT),
        ("part of", "part of", "a_part", AGENT),
        ("owned by", "owner of", "own", PATIENT),
        ("director", "films directed by", "direct", PATIENT),
        ("followed by", "follows", "follow", PATIENT),
        ("person followed by", "follower of", "follow", AGENT),
        ("paper cited by", "paper that cites", "cite", AGENT),
        ("dependency of", "module that depends on", "depend", AGENT),
        ("has part", "part of", "a_part", PATIENT),
    ],
)
def test_written_words_say_what_each_end_is(label: str, inverse: str, word: str, of_head: str) -> None:
    found = {sense.word: sense for sense in senses("p17", label, inverse)}
    assert of_head in found[word].heads
    assert of_head not in found[word].tails


@pytest.mark.parametrize("name", ["married to", "borders", "sibling of", "spouse", "friend of", "adjacent to"])
def test_symmetric_relations_are_known(name: str) -> None:
    assert is_symmetric(name)


@pytest.mark.parametrize("name", ["knows", "manages", "parent of", "follows", "connects to", "part of"])
def test_others_are_not_symmetric(name: str) -> None:
    assert not is_symmetric(name)


def test_words_that_say_it_from_the_other_end_are_related() -> None:
    assert Role("parent", AGENT) in related(Role("a_child", PATIENT))
    assert Role("report", AGENT) in related(Role("manage", PATIENT))
    assert Role("supervise", PATIENT) in related(Role("manage", PATIENT))
    assert related(Role("cite", AGENT)) == ()
