"""Completions are kept by all that they depend on, and a broken file costs nothing but the work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from kgqa_graphdb.errors import LanguageModelError
from kgqa_graphdb.lm import CachedModel
from kgqa_graphdb.lm.cached import FILE
from kgqa_graphdb.steps import Sampling


@dataclass
class Counting:
    """Says how often it was asked."""

    fingerprint: str = "one"
    name: str = "counting"
    context_window: int = 100
    asked: list[object] = field(default_factory=list)

    def generate(self, prompts: Sequence[str], sampling: Sampling) -> list[tuple[str, ...]]:
        if "fail" in prompts:
            raise LanguageModelError("no")
        self.asked += prompts
        return [(f"{prompt}!{len(self.asked)}",) * sampling.n for prompt in prompts]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.asked += pairs
        return [-1.5 * len(after) for _, after in pairs]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def stream(self, prompt: str, sampling: Sampling) -> Iterator[str]:
        self.asked.append(prompt)
        yield from prompt


def test_what_was_asked_before_is_not_asked_again_not_by_another_client_either(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    said = CachedModel(first, tmp_path).generate(["a", "b"], Sampling())
    assert CachedModel(second, tmp_path).generate(["b", "c", "a"], Sampling()) == [said[1], ("c!1",), said[0]]
    assert (first.asked, second.asked) == (["a", "b"], ["c"])


@pytest.mark.parametrize(
    "other", [Sampling(max_tokens=7), Sampling(seed=1), Sampling(temperature=0.5), Sampling(stop=("x",)), Sampling(n=2)]
)
def test_another_sampling_or_another_model_is_asked(tmp_path: Path, other: Sampling) -> None:
    model = Counting()
    CachedModel(model, tmp_path).generate(["a"], Sampling())
    CachedModel(model, tmp_path).generate(["a"], other)
    CachedModel(Counting("two", asked=model.asked), tmp_path).generate(["a"], Sampling())
    assert model.asked == ["a", "a", "a"]


def test_a_search_in_groups_is_kept_by_its_groups_and_their_diversity(tmp_path: Path) -> None:
    model = Counting()
    alone, groups = Sampling(n=4), Sampling(n=4, groups=2)
    for sampling in (alone, groups, replace(groups, diversity=1.0), replace(groups, groups=4), alone, groups):
        CachedModel(model, tmp_path).generate(["a"], sampling)
    assert model.asked == ["a"] * 4
    CachedModel(model, tmp_path).generate(["a"], replace(alone, diversity=1.0))  # nothing to avoid
    assert model.asked == ["a"] * 4


def test_scores_and_streams_are_kept_too(tmp_path: Path) -> None:
    model = Counting()
    for _ in range(2):
        cached = CachedModel(model, tmp_path)
        assert cached.score([("a", "bc"), ("a", "b")]) == [-3.0, -1.5]
        assert "".join(cached.stream("xyz", Sampling())) == "xyz"
    assert model.asked == [("a", "bc"), ("a", "b"), "xyz"]
    next(CachedModel(model, tmp_path).stream("half", Sampling()))  # left before its end: not kept
    assert "".join(CachedModel(model, tmp_path).stream("half", Sampling())) == "half"
    assert model.asked[3:] == ["half", "half"]


def test_an_error_is_not_kept(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(LanguageModelError, match="no"):
            CachedModel(Counting(), tmp_path).generate(["fail"], Sampling())


def test_a_broken_file_or_a_folder_that_is_none_leaves_the_model_to_answer(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database" * 100)
    (tmp_path / "file").touch()
    for folder in (tmp_path, tmp_path / "file"):
        model = Counting()
        cached = CachedModel(model, folder)
        assert [cached.generate(["a"], Sampling()) for _ in range(2)] == [[("a!1",)], [("a!2",)]]
    assert (tmp_path / FILE).read_bytes().startswith(b"no database")


def test_only_the_user_reads_what_is_kept(tmp_path: Path) -> None:
    CachedModel(Counting(), tmp_path).generate(["a"], Sampling())
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
