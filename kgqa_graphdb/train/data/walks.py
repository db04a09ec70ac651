"""Which way back people bar when they ask: the walk rule under which paths come nearest to the answers."""

from __future__ import annotations

import logging
import math
import random
from collections.abc import Callable, Sequence
from typing import get_args

import numpy as np

from kgqa_graphdb.types import WalkRule

log = logging.getLogger(__name__)
SAMPLE = 150
"""Questions that a rule is first chosen on, and that are looked at again for a better path."""
LEAST_GAIN = 0.001
"""What another rule than the graph's own must gain on the first sample, in F1 of the best paths."""
STANDARD_ERRORS = 1.2
"""By how many it must gain when all are known: what a single question gains is just one."""
Scores = Callable[[Sequence[int], WalkRule], Sequence[float]]
"""F1 of some questions, by their numbers, under a rule."""


def chosen_walk(best: Scores, count: int, own: WalkRule, seed: int = 0) -> WalkRule:
    """The rule under which the paths of a sample of questions come nearest to their answers.

    :param best: of the best paths, looked for under the rule
    :param count: how many questions there are
    :param own: the graph's rule, which is kept if none is much better
    """
    some = random.Random(seed).sample(range(count), min(SAMPLE, count))
    means = {rule: float(np.mean(best(some, rule))) for rule in (own, *_others(own))}
    log.info("F1 of the best paths of %d questions: %s", len(some), means)
    chosen = max(means, key=lambda rule: means[rule])
    return chosen if means[chosen] >= means[own] + LEAST_GAIN else own


def better_walk(best: Scores, same: Scores, found: Sequence[float], own: WalkRule, seed: int = 0) -> WalkRule | None:
    """Another rule that is better for questions whose best paths are known under one; ``None``: there is none.

    Rules differ on few questions, those in which a way leads back, and a sample hardly has any. So it is looked at what
    questions could gain that have no path to just their answers, and what those could lose that have one.

    :param best: of the best paths, looked for under the rule
    :param same: of the paths that are known, under the rule
    :param found: F1 of each question's best path
    """
    open_ = [number for number, f1 in enumerate(found) if f1 < 1]
    settled = [number for number, f1 in enumerate(found) if f1 == 1]
    some = random.Random(seed).sample(open_, min(SAMPLE, len(open_)))
    gains: dict[WalkRule, float] = {}
    for rule in _others(own) if some else ():
        gained = np.subtract(best(some, rule), [found[number] for number in some]) * (len(open_) / len(found))
        if gained.mean() <= 0:
            continue
        lost = np.subtract(1, same(settled, rule)) * (len(settled) / len(found)) if settled else np.zeros(1)
        gain = float(gained.mean() - lost.mean())
        error = math.hypot(*(float(each.std()) / math.sqrt(max(1, len(each) - 1)) for each in (gained, lost)))
        log.info("walk rule %s instead of %s: F1 of the best paths %+.4f ± %.4f", rule, own, gain, error)
        if gain > STANDARD_ERRORS * error:
            gains[rule] = gain
    return max(gains, key=lambda rule: gains[rule], default=None)


def _others(own: WalkRule) -> list[WalkRule]:
    return [rule for rule in get_args(WalkRule) if rule != own]
