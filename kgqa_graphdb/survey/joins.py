"""Finds nodes that are no things of their own: join nodes, such as an order's lines, and nodes that only hold values.

A join node is walked through as one step between what it joins, and its properties belong to that step. A node that
hangs on one neighbour, such as an address, gives its values to that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kgqa_graphdb.language import Language
from kgqa_graphdb.mapping import EntityKind
from kgqa_graphdb.survey.kinds import is_opaque
from kgqa_graphdb.survey.schema import LabelSurvey

MAIN, MOSTLY_ONE = 0.9, 0.95
"""A join node's relationship: so many of its nodes have it, and so many of those have one."""
MAX_ENDS = 4
"""A node that joins more is a thing of its own."""


@dataclass(frozen=True, slots=True)
class End:
    """What a join node leads to.

    :ivar code: the step from the node to it, by relationship type: ``>OF_PRODUCT``, ``<HAS_LINE``
    :ivar labels: of the entities there
    """

    code: str
    labels: tuple[str, ...]

    @property
    def type(self) -> str:
        """The relationship type."""
        return self.code[1:]


@dataclass(frozen=True, slots=True)
class Join:
    """A label whose nodes are walked through.

    :ivar ends: two or more, or one: then the nodes only hold values of that
    :ivar pairs: which ends are joined, as places in ``ends``
    """

    label: str
    ends: tuple[End, ...]
    pairs: tuple[tuple[int, int], ...]


def find_joins(
    labels: tuple[LabelSurvey, ...], kinds: Mapping[str, EntityKind], language: Language
) -> tuple[Join, ...]:
    """The join nodes, and the nodes that only hold values, among some labels."""
    weak = {label.label for label in labels if _is_weak(label, kinds[label.label], language)}
    found = (_join(label, weak, kinds) for label in labels if label.label in weak)
    return tuple(join for join in found if join is not None)


def _is_weak(label: LabelSurvey, kind: EntityKind, language: Language) -> bool:
    """Whether the nodes have neither names nor a key that people use."""
    if kind.names:
        return False
    return is_opaque(label, kind.key) or bool(language.joining & set(language.words_of(label.label).split()))


def _join(label: LabelSurvey, weak: set[str], kinds: Mapping[str, EntityKind]) -> Join | None:
    around = [one for one in label.around if one.nodes]
    ends: list[End] = []
    pairs: list[tuple[int, int]] = []
    for one in around:
        named = tuple(dict.fromkeys(_entity_label(others, weak, kinds) for others in one.others))
        if "" in named:
            return None  # it leads to other nodes without a name, or to none that is mapped
        end = End((">" if one.outgoing else "<") + one.type, tuple(sorted(named)))
        main = one.nodes >= MAIN * label.explored
        if len(around) == 1:
            if main and one.double >= MOSTLY_ONE * one.nodes:  # two of a kind, as of a friendship
                return Join(label.label, (end,), ((0, 0),))
            return Join(label.label, (end,), ()) if main else None
        if one.single < MOSTLY_ONE * one.nodes:
            return None
        ends.append(end)
    needed = sum(one.nodes >= MAIN * label.explored for one in around)
    if needed < 2 or len(ends) > MAX_ENDS:
        return None
    pairs += [(i, j) for i in range(len(ends)) for j in range(i + 1, len(ends))]
    return Join(label.label, tuple(ends), tuple(pairs))


def _entity_label(labels: tuple[str, ...], weak: set[str], kinds: Mapping[str, EntityKind]) -> str:
    """The label by which a neighbour is an entity; empty when it is none."""
    return next((label for label in labels if label in kinds and label not in weak), "")
