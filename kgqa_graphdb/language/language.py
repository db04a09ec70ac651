"""What one language has: its words that carry grammar, the forms of its words, and how its names of relations read.

Everything has a default that fits any language, so that a new one begins with its words and gets better from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TypeAlias

from kgqa_graphdb.language import names
from kgqa_graphdb.language.roles import Role, Sense, TopicRoles, no_kin, no_related, no_roles, no_senses
from kgqa_graphdb.language.wording import PLAIN_WORDING, Wording

WordForm: TypeAlias = Callable[[str], str]
WordTest: TypeAlias = Callable[[str], bool]
_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PathPatterns:
    """How relation paths are put in words for the text encoder.

    :ivar noun: a step that is a noun: "the director of X"
    :ivar moment: a property that says when something happened: "when X was born"
    :ivar clause: a step that is a verb: "what X directed"
    :ivar clause_about: the same where it is known what it leads to: "film that X directed"
    :ivar both: what two paths lead to
    :ivar things: what is not known to be anything else
    :ivar date: what a moment is
    """

    noun: str = "{what} {phrase} {start}"
    moment: str = "{phrase} {start}"
    clause: str = "{start} {phrase}"
    clause_about: str = "{what} {start} {phrase}"
    both: str = "{one}, {other}"
    things: str = ""
    date: str = ""


def unchanged(word: str) -> str:
    """The word itself."""
    return word


def unknown(word: str) -> str:
    """Nothing: the word is none that is known."""
    return ""


def never(word: str) -> bool:
    """No."""
    return False


def no_stances(words: Sequence[str]) -> frozenset[int]:
    """None: no words are known that say the opposite of each other."""
    return frozenset()


def as_asked(question: str, known: Set[str]) -> str:
    """The question itself."""
    return question


def no_event(noun: str) -> tuple[str, str]:
    """No time at which something happened."""
    return "", ""


def same_beginning(word: str, other: str) -> bool:
    """Whether two words are of one stem, as far as their beginnings tell: "directed" and "director"."""
    shorter, longer = sorted((len(word), len(other)))
    shared = 0
    while shared < shorter and word[shared] == other[shared]:
        shared += 1
    whole = shared == shorter and shared >= 3 and 2 * shared >= longer
    return whole or (shared >= 4 and 5 * shared >= 3 * longer)


def plain_template(phrase: str, *, of_value: bool = False) -> str:
    """A sentence of one fact: "X — genre: Y."."""
    return f"{{head}} — {phrase}: {{tail}}."


def plain_edge_words(name: str, heads: tuple[str, ...], tails: tuple[str, ...]) -> tuple[str, str, str]:
    """The words of a relationship type for its phrase, its inverse phrase and its template."""
    words = names.words_of(name)
    return words, words, plain_template(words)


@dataclass(frozen=True, slots=True)
class Language:
    """What the methods know of a language; words are in lower case.

    :ivar code: as mapping files have it: ``en``
    :ivar stop_words: carry no topic of their own: no name is looked up by them alone; folded
    :ivar grammar_words: say nothing of the relation that is asked for
    :ivar sharing: say that two things have something in common
    :ivar sharing_prefix: the same as the beginning of a word: "co-author"
    :ivar interrogatives: words that ask → what for; empty: the noun after them says that
    :ivar amounts: words that ask how many or how much → what for where a topic follows, and elsewhere
    :ivar clause_words: stand after an interrogative that has no noun
    :ivar articles: stand before nouns
    :ivar titles: stand beside names without being parts of them: "Dr", "Lake", "Ltd"; folded
    :ivar possessive: how a word ends that has something
    :ivar fillers: say nothing of what is compared or of the verb of a condition
    :ivar joining: words for nodes that join others
    :ivar vague: a relationship type of such words alone is named after what it leads to
    :ivar patterns: how paths are put in words for the text encoder
    :ivar wording: how plans and answers are put in sentences for a person
    :ivar is_written: whether a text is in this language, whose script tells; never: no text tells
    :ivar without_politeness: a question without what it says for politeness alone
    :ivar words_of: the words of a name in a database
    :ivar lemma: the form of a word that stands in a dictionary
    :ivar stem: what a folded word is compared by with the words for relations, where names are linked
    :ivar root: what a word shares with its other forms, where conditions are compared with relations
    :ivar same_stem: whether two words are forms of one
    :ivar plural_of: of a noun
    :ivar regular_plural: a word with the usual ending of plurals, whatever it is: what slips are read as
    :ivar base_form: of a verb; empty: the word is no form of a verb that is known
    :ivar happened_at: of a time such as "release year": what happened then, and which kind of time
    :ivar is_moment: whether a property's words say when something happened, as "released" does
    :ivar is_verbal: whether a phrase goes on after its subject, as in "what X acted in"
    :ivar ends_noun: whether a word ends the noun that a phrase begins with, as "directed" does in "films directed by"
    :ivar guessed_phrase: words for walking a relation from head to tail, from its name
    :ivar guessed_inverse: words for walking it from tail to head, from its words
    :ivar guessed_template: a sentence of one fact, from the same; ``of_value``: the tail is a value
    :ivar edge_words: all three for a relationship type, from its name and the labels of its heads and tails
    :ivar roles: what a text says of the topic that is masked in it: whether that does what a verb says, or has it done
    :ivar senses: the same of a relation's ends, from its name, its phrase and its inverse phrase
    :ivar related_roles: what a role is in other words, also in those that say it from the other end
    :ivar kin: of a noun for a relative the roles that say what it does, a step each; ``None``: it is no such noun
    :ivar stances: what words say of what has an opposite, as numbers, of which the opposite's is below zero
    :ivar sort_asked: a question for what kind of something its topic is, with a word that a graph has for that
    :ivar is_symmetric: whether what a relation's name in words says of one end it says of the other, as "borders" does
    """

    code: str
    stop_words: frozenset[str] = _NONE
    grammar_words: frozenset[str] = _NONE
    sharing: frozenset[str] = _NONE
    sharing_prefix: str = ""
    interrogatives: Mapping[str, str] = field(default_factory=dict, hash=False)
    amounts: Mapping[str, tuple[str, str]] = field(default_factory=dict, hash=False)
    clause_words: frozenset[str] = _NONE
    articles: frozenset[str] = _NONE
    titles: frozenset[str] = _NONE
    possessive: str = ""
    fillers: frozenset[str] = _NONE
    joining: frozenset[str] = _NONE
    vague: frozenset[str] = _NONE
    patterns: PathPatterns = PathPatterns()  # frozen
    wording: Wording = PLAIN_WORDING
    is_written: WordTest = never
    without_politeness: WordForm = unchanged
    words_of: WordForm = names.words_of
    lemma: WordForm = unchanged
    stem: WordForm = unchanged
    root: WordForm = unchanged
    same_stem: Callable[[str, str], bool] = same_beginning
    plural_of: WordForm = unchanged
    regular_plural: WordForm = unchanged
    base_form: WordForm = unknown
    happened_at: Callable[[str], tuple[str, str]] = no_event
    is_moment: WordTest = never
    is_verbal: WordTest = never
    ends_noun: WordTest = never
    guessed_phrase: WordForm = names.words_of
    guessed_inverse: WordForm = unchanged
    guessed_template: Callable[..., str] = plain_template
    edge_words: Callable[[str, tuple[str, ...], tuple[str, ...]], tuple[str, str, str]] = plain_edge_words
    roles: Callable[[str], TopicRoles] = no_roles
    senses: Callable[[str, str, str], tuple[Sense, ...]] = no_senses
    related_roles: Callable[[Role], tuple[Role, ...]] = no_related
    kin: Callable[[Role], tuple[Role, ...] | None] = no_kin
    is_symmetric: WordTest = never
    stances: Callable[[Sequence[str]], frozenset[int]] = no_stances
    sort_asked: Callable[[str, Set[str]], str] = as_asked

    def are_opposite(self, asked: Sequence[str], said: Sequence[str]) -> bool:
        """Whether some words say the opposite of what others ask for, and not the same, too.

        :param asked: of a question; what asks for both is opposed to neither
        :param said: of a relation, in their order
        """
        asks, says = self.stances(asked), self.stances(said)
        return any(-one in says and -one not in asks and one not in says for one in asks)

    @property
    def question_words(self) -> frozenset[str]:
        """What questions are built of, whatever they ask for."""
        return self.grammar_words | self.sharing | self.interrogatives.keys()
