"""Documents with something wrong in them: parts left out, or replaced by values of other kinds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

many = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
"""As often as each reader is tried."""


def values(keys: Iterable[str], *, toml: bool = False) -> st.SearchStrategy[Any]:
    """Whatever JSON or TOML can say, with the keys that a reader looks for."""
    plain = st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=5)
    if not toml:
        plain |= st.none()
    known = st.sampled_from(sorted(keys))
    return st.recursive(
        plain | known,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(known, inner, max_size=4),
        max_leaves=8,
    )


@st.composite
def mutants(draw: st.DrawFn, document: Any, other: st.SearchStrategy[Any]) -> Any:
    """A document some of whose parts are missing, or are something else."""

    def changed(value: Any) -> Any:
        if draw(st.integers(0, 11)) == 0:
            return draw(other)
        if isinstance(value, dict):
            return {key: changed(one) for key, one in value.items() if draw(st.integers(0, 19))}
        return [changed(one) for one in value] if isinstance(value, list) else value

    return changed(document)
