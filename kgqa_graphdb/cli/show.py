"""A reply as a person reads it in a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from kgqa_graphdb.mapping import leg_codes
from kgqa_graphdb.plan import TEMPLATES, Aggregate, Combine, Follow, Plan, Result
from kgqa_graphdb.reply import Reply
from kgqa_graphdb.types import Entity, Fact, Node, Path, Value
from kgqa_graphdb.verbalise import fact_sentence
from kgqa_graphdb.verbalise.written import facts_shown

MAX_ANSWERS = 25
MAX_BRANCHES = 8
"""Facts shown below one node of the tree."""
MAX_LINES = 40
"""Lines of the whole tree."""


def show_reply(reply: Reply, browser: str = "") -> str:
    """The sentence, the answers, the proof as a tree, the Cypher and where to paste it."""
    lines = [one_line(reply.text)]
    if reply.abstained:
        lines += [f"note: {one_line(note)}" for note in reply.notes]
        return "\n".join(lines)
    if len(reply.answers) > 1:
        lines += ["", "Answers"]
        amounts = reply.amounts
        for node in [scored.item for scored in reply.answers][:MAX_ANSWERS]:
            lines.append(f"  {one_line(node.name)}{f' ({one_line(amounts[node].name)})' if node in amounts else ''}")
        if len(reply.answers) > MAX_ANSWERS:
            lines.append(f"  … and {len(reply.answers) - MAX_ANSWERS:,} more (all with --json)")
    if reply.verbalised_by != TEMPLATES:  # its numbers are those of the facts
        shown, every = facts_shown([scored.item for scored in reply.answer.proof])
        lines += ["", f"Facts (written by {one_line(reply.verbalised_by)})"]
        lines += [
            f"  [{number}] {one_line(fact_sentence(fact, reply.language))}" for number, fact in enumerate(shown, 1)
        ]
        lines += [f"  … and {every - len(shown):,} more"] if every > len(shown) else []
    lines += ["", "Proof", *(f"  {line}" for scored in reply.answer.proof for line in proof_tree(scored.item))]
    where = f" ({browser})" if browser else ""
    lines += [
        "",
        f"Cypher for Neo4j Browser{where}",
        *(f"  {one_line(line)}" for line in reply.cypher_to_paste.splitlines()),
    ]
    lines += [f"note: {one_line(note)}" for note in reply.notes]
    return "\n".join(lines)


def proof_tree(result: Result) -> list[str]:
    """The facts of a result as trees that grow from its topics."""
    lines: list[str] = []
    for plan in _follows(result.plan):
        lines.append(one_line(plan.topic.name))
        lines += _branches(plan.topic, _codes(plan.path, result.facts), result.facts)
    if not lines:
        lines = [f"{one_line(f.head.name)} ─ {f.relation.phrase} → {one_line(f.tail.name)}" for f in result.facts]
    if len(lines) > MAX_LINES:
        lines = [*lines[:MAX_LINES], f"… {len(lines) - MAX_LINES:,} more lines"]
    return lines


def _follows(plan: Plan) -> Iterable[Follow]:
    match plan:
        case Follow():
            yield plan
        case Combine(_, parts):
            for part in parts:
                yield from _follows(part)
        case Aggregate(_, over):
            yield from _follows(over)


def _codes(path: Path, facts: tuple[Fact, ...]) -> tuple[str, ...]:
    """The steps whose facts a proof shows: of a step that is made of several the legs, unless it is one fact."""
    shown = {fact.relation.id for fact in facts}
    codes: list[str] = []
    for step in path:
        if step.relation.kind != "qualifier":
            codes += [step.code] if step.relation.id in shown else leg_codes(step)
    return tuple(codes)


def _branches(node: Node, path: tuple[str, ...], facts: tuple[Fact, ...], came_from: Node | None = None) -> list[str]:
    """The facts that leave a node by a path's first step, each with what follows it."""
    if not path:
        return []
    (code, *rest), inverse = path, path[0].startswith("<")
    onward: dict[Node, Fact] = {}
    for fact in facts:
        if fact.relation.id != code[1:]:
            continue
        left, right = (fact.tail, fact.head) if inverse else (fact.head, fact.tail)
        if left == node and right != came_from:
            onward.setdefault(right, fact)
    shown = list(onward)[:MAX_BRANCHES]
    hidden = len(onward) - len(shown)
    lines: list[str] = []
    for number, right in enumerate(shown):
        last = number == len(shown) - 1 and not hidden
        phrase = onward[right].relation.phrase
        arrow = f"←─ {phrase} ─" if inverse else f"── {phrase} →"
        value = " =" if isinstance(right, Value) else ""
        qualifiers = "".join(f", {key} {item}" for key, item in onward[right].qualifiers)
        lines.append(f"{'└' if last else '├'}{arrow}{value} {one_line(right.name)}{qualifiers}")
        if isinstance(right, Entity):
            inner = _branches(right, tuple(rest), facts, node)
            lines += [("    " if last else "│   ") + line for line in inner]
    if hidden:
        lines.append(f"└── … and {hidden:,} more")
    return lines


def one_line(name: str) -> str:
    """A name or a sentence without line breaks and control characters."""
    return "".join(char if char.isprintable() else " " for char in name)
