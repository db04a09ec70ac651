"""What the steps of a path walk: each one relationship or, where a relation has a ``via``, several as one hop."""

from __future__ import annotations

from dataclasses import dataclass

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.mapping.graph_mapping import GraphMapping
from kgqa_graphdb.types import Path, Relation, Step


@dataclass(frozen=True, slots=True)
class Hop:
    """A step of a path, and the relationships that it is walked by.

    :ivar legs: in walking order; the step itself unless its relation has a ``via``
    """

    step: Step
    legs: tuple[Step, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the nodes at which the hop arrives; empty: any."""
        own = end_labels(self.step) if self.step.relation.kind == "edge" else ()
        return own or end_labels(self.legs[-1])


@dataclass(frozen=True, slots=True)
class Turn:
    """What going straight back means between two hops.

    :ivar back: the second hop walks back over the relation of the first: it must not arrive where that came from
    :ivar leg_back: its first leg walks back over the last leg of the first: it must not pass the node before that
    """

    back: bool
    leg_back: bool

    @classmethod
    def between(cls, before: Hop, after: Hop) -> Turn:
        """The turn from one hop to the next."""
        plain = len(before.legs) == len(after.legs) == 1
        return cls(inverts(before.step, after.step), not plain and inverts(before.legs[-1], after.legs[0]))


def inverts(before: Step, after: Step) -> bool:
    """Whether a step walks back over the relation of the step before."""
    return before.relation.id == after.relation.id and before.inverse != after.inverse


def end_labels(step: Step) -> tuple[str, ...]:
    """The labels of the nodes at which a step arrives; empty: any."""
    return step.relation.heads if step.inverse else step.relation.tails


def hops_of(mapping: GraphMapping, path: Path) -> tuple[Hop, ...]:
    """The hops of a path: its steps, without the property or qualifier that it ends in."""
    hops = []
    for step in path:
        legs = mapping.legs(step)
        if step.relation.kind == "property":
            legs = legs[:-1]
        if step.relation.kind != "qualifier" and legs:
            hops.append(Hop(step, legs))
    return tuple(hops)


def end_of(mapping: GraphMapping, path: Path) -> Relation | None:
    """The property or qualifier that holds what a path leads to; ``None`` when it leads to nodes."""
    last = path[-1]
    if last.relation.kind == "property":
        return mapping.legs(last)[-1].relation
    return last.relation if last.relation.kind == "qualifier" else None


def check_path(path: Path) -> None:
    """Refuse paths that can't be walked.

    :raises UsageError: empty, a property before the end, a value walked backwards, a qualifier without its edge, a leg
    """
    if not path:
        raise UsageError("a relation path needs at least one step")
    for position, step in enumerate(path):
        kind, last = step.relation.kind, position == len(path) - 1
        for test in step.tests:
            if kind != "edge" or test.qualifier.kind != "qualifier" or test.qualifier.of not in ("", step.relation.id):
                raise UsageError(f"'{test.qualifier.id}' is no property of the relationships of '{step.relation.id}'")
        if kind == "edge":
            continue
        if kind == "leg":
            raise UsageError(f"'{step.relation.id}' is but a part of other relations: walk one of those")
        if step.inverse:
            raise UsageError(f"'{step.relation.id}' is a property: from a value back to its entities there is no way")
        if not last:
            raise UsageError(f"'{step.relation.id}' is a property: it can only be a path's last step")
        before = path[position - 1].relation if position else None
        if kind == "qualifier" and (before is None or before.kind != "edge" or step.relation.of not in ("", before.id)):
            raise UsageError(f"'{step.relation.id}' belongs to a relationship: a path must walk that first")
