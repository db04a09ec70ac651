"""How methods end that have a language model read facts: it lists answers, and only what the facts have is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.graph import Graph
from kgqa_graphdb.lm import as_data, prompt
from kgqa_graphdb.lm.budget import FittedPrompt, fit_prompt
from kgqa_graphdb.methods.finish import conclude, give_up
from kgqa_graphdb.methods.grounding import ground, ground_list, listed_names
from kgqa_graphdb.methods.linked import Linked
from kgqa_graphdb.plan import Answer, Cut, Tokens
from kgqa_graphdb.steps import CountTokens, Generate, Mark, Sampling, Steps, ask
from kgqa_graphdb.types import Fact, Question, Scored, Subgraph
from kgqa_graphdb.verbalise import FactLine, fact_sentence

NOTHING_GROUNDED = "the language model names nothing that stands in the facts that it was shown"
ONLY_THE_TOPIC = "the language model names only what the question is about"
NO_ANSWER = "the language model finds no answer in the facts that it was shown"
NO_FACTS = "the graph has no facts about {}"
TOO_MANY_FACTS = "the graph has too many facts about {} to be read"
UNKNOWN = "unknown"
"""What a language model writes, as its prompt says, where the facts have no answer."""
NOTE_TRUNCATED = "not all that the graph knows around {} was read: there is too much of it"
NOTE_CUT = "the language model was shown {kept:,} of {facts:,} facts: more did not fit"
NOTE_MOST = "the language model was shown {kept:,} of {facts:,} facts: no more were wanted"
NOTE_NO_LIST = (
    "'ungrounded' in the JSON has what the language model wrote; kgqa train reader teaches a small one to list "
    "answers, and with --set reader=none none is asked"
)


def check_token_limits(max_tokens: int, budget: int | None) -> None:
    """Check the settings of these names, which all methods with a reader have.

    :raises UsageError: one leaves no room
    """
    if max_tokens < 1:
        raise UsageError(f"a language model writes nothing in {max_tokens} tokens: at least 1")
    if budget is not None and budget < 1:
        raise UsageError(f"a prompt has no room in {budget} tokens: at least 1")


@dataclass(frozen=True, slots=True)
class FactReader:
    """Has a language model list answers from facts.

    :ivar method: on whose behalf
    :ivar prompt: name of its prompt, which has the placeholders ``facts``, unless it is shown none, and ``question``
    :ivar max_tokens: of what it says
    :ivar budget: tokens of the prompt at most; ``None``: what the model's window leaves
    :ivar most: lines that are shown at most; ``None``: as many as fit
    :ivar say: a fact as a line
    """

    method: str
    prompt: str
    max_tokens: int = 256
    budget: int | None = None
    most: int | None = None
    say: Callable[[Fact], str] = fact_sentence

    def answer(self, linked: Linked, subgraph: Subgraph, graph: Graph) -> Steps[Answer]:
        """The answer to a question from a subgraph's facts, a line each; the first ones, as many as can be read."""
        return (yield from self.read(linked, self.lines(subgraph.facts), subgraph, graph))

    def lines(self, facts: Iterable[Fact]) -> list[FactLine]:
        """Facts, a line each."""
        return [FactLine(self.say(fact), (fact,)) for fact in facts]

    def fit(self, question: Question, lines: Sequence[FactLine]) -> Steps[FittedPrompt]:
        """The prompt with as many of the first lines as can be read.

        :raises LanguageModelError: there is no model, or the prompt without any line is too long for it
        """
        asked = {"question": as_data(question.text)}
        return (
            yield from fit_prompt(
                [as_data(line.text) for line in lines[: self.most]],
                lambda facts: prompt(self.prompt, **asked, **({"facts": facts} if lines else {})),
                self.max_tokens,
                self.budget,
            )
        )

    def read(self, linked: Linked, lines: Sequence[FactLine], subgraph: Subgraph, graph: Graph) -> Steps[Answer]:
        """The answer to a question from lines about a subgraph's facts; the first ones, as many as can be read.

        :param lines: where there are none, the prompt has none, and all facts of the subgraph count as shown
        """
        question, links = linked.question, linked.links
        notes = notes_on(subgraph)
        if not subgraph.facts:
            return linked.noted(give_up(self.method, question, links, why_nothing_to_read(subgraph)))
        yield from ask(Mark("reason"))
        fitted = yield from self.fit(question, lines)
        (text,) = yield from ask(Generate(fitted.prompt, Sampling(max_tokens=self.max_tokens)))
        tokens = Tokens(*(yield from ask(CountTokens((fitted.prompt, text)))))
        facts, kept = facts_of(lines), facts_of(lines[: fitted.kept])
        cut = Cut(len(facts), len(kept)) if fitted.kept < len(lines) else None
        note = NOTE_MOST if fitted.kept == self.most else NOTE_CUT
        notes += [note.format(kept=cut.kept, facts=cut.facts)] if cut else []
        shown = replace(subgraph, facts=kept) if lines else subgraph
        unknown = [name.lower() for name in listed_names(text)] == [UNKNOWN]
        grounded = ground([], shown) if unknown else ground_list(text, shown)
        if not grounded.plan.nodes:
            notes += [NOTE_NO_LIST] if grounded.ungrounded else []
            answer = give_up(self.method, question, links, NO_ANSWER if unknown else NOTHING_GROUNDED, notes)
        elif set(grounded.plan.nodes) <= set(subgraph.topics):  # it proves nothing
            answer = give_up(self.method, question, links, ONLY_THE_TOPIC, notes)
        else:
            yield from ask(Mark("retrieve"))
            result = yield from graph.execute(grounded.plan)
            proof = (Scored(result, 1.0),)
            answer = yield from conclude(
                self.method, question, graph, links, proof, notes=notes, scores=grounded.scores
            )
        return linked.noted(replace(answer, cut=cut, ungrounded=grounded.ungrounded, tokens=tokens))


def notes_on(subgraph: Subgraph) -> list[str]:
    """What an asker should know of a subgraph that was read."""
    return [NOTE_TRUNCATED.format(_about(subgraph))] if subgraph.truncated else []


def why_nothing_to_read(subgraph: Subgraph) -> str:
    """Why a subgraph has no facts."""
    return (TOO_MANY_FACTS if subgraph.truncated else NO_FACTS).format(_about(subgraph))


def _about(subgraph: Subgraph) -> str:
    return ", ".join(topic.name for topic in subgraph.topics)


def facts_of(lines: Iterable[FactLine]) -> tuple[Fact, ...]:
    """The facts of some lines, without repeats."""
    return tuple(dict.fromkeys(fact for line in lines for fact in line.facts))
