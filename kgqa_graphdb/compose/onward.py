"""A plan about one entity as a plan about all that another plan yields."""

from __future__ import annotations

from dataclasses import replace

from kgqa_graphdb.plan import Aggregate, Cite, Combine, Follow, Group, Onward, Plan
from kgqa_graphdb.types import Entity


def about_all(plan: Plan, one: Entity, over: Plan) -> Plan | None:
    """A plan with the answers of another in the place of an entity; ``None``: it can't be put so.

    :param over: yields entities; ``one`` is among them
    """
    found = _about(plan, one, over)
    return None if found == plan else found


def _about(plan: Plan, one: Entity, over: Plan) -> Plan | None:
    match plan:
        case Follow(topic, path, to):
            if topic.element_id == one.element_id:
                walked = Onward(over, path)
                return walked if to is None else None if _in_value(plan) else Combine("and", (walked, Cite((to,), ())))
            if to is not None and to.element_id == one.element_id:
                return None if _in_value(plan) else Combine("and", (Follow(topic, path), over))
            return plan
        case Cite(nodes, facts):
            if not any(isinstance(node, Entity) and node.element_id == one.element_id for node in nodes):
                return plan
            return over if len(nodes) == 1 and not facts else None
        case Combine(op, parts):
            some = [_about(part, one, over) for part in parts]
            whole = [part for part in some if part is not None]
            return Combine(op, tuple(whole)) if len(whole) == len(parts) else None
        case Aggregate():
            inner = _about(plan.over, one, over)
            value = _about(plan.value, one, over) if isinstance(plan.value, Plan) else plan.value
            within = _about(plan.within, one, over) if plan.within is not None else None
            if inner is None or (value is None) != (plan.value is None) or (within is None) != (plan.within is None):
                return None
            return replace(plan, over=inner, value=value, within=within)
        case Group():
            inner = _about(plan.over, one, over)
            return replace(plan, over=inner) if inner is not None else None
    return plan


def _in_value(plan: Follow) -> bool:
    return plan.path[-1].relation.kind != "edge"
