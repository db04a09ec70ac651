"""Methods are asked for by name; their settings are checked; other packages bring further ones."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.methods import METHODS, MethodConfig, MethodSpec, all_methods, changed_settings, method_spec, setting
from kgqa_graphdb.methods.paths import Paths


@dataclass(frozen=True, slots=True)
class MadeSettings:
    hops: int = setting(2, "Longest path, 1..4.")
    order: Literal["name", "score"] = setting("name", "How answers are ordered.")
    bound: float | None = setting(None, "0..1.")
    strict: bool = setting(False, "Whether it is.")


def made(settings: Any, model: Any) -> Any:
    return settings, model


MADE = MethodSpec(
    "made", "Made for tests.", made, MadeSettings, read_model=lambda folder: f"read {folder}",
    needs=frozenset({"model", "language_model"}),
)  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
def test_every_method_of_this_package_says_what_it_is(name: str) -> None:
    spec = method_spec(name)
    assert spec.name == name
    assert spec.summary.endswith(".")
    assert spec.citation
    assert spec.settings_of({}) == spec.settings()
    document = spec.to_dict()
    assert all(one["doc"].endswith(".") for one in document["settings"])
    assert {"name", "summary", "needs", "extra", "takes_model", "source", "settings"} == document.keys()


def test_every_method_of_this_package_has_a_class_of_tests() -> None:
    tests = Path(__file__).parents[2] / "neo4j"
    named = [re.findall(r'\(MethodTestCase\):\n    method = "(\w+)"', file.read_text(encoding="utf-8"))
             for file in tests.glob("test_*.py")]  # fmt: skip
    assert {name for names in named for name in names} == set(METHODS)


def test_an_unknown_method_names_the_nearest_and_all() -> None:
    with pytest.raises(UsageError, match=r"no method 'path'; nearest: 'paths'; choose from: .*paths"):
        method_spec("path")
    with pytest.raises(UsageError, match=r"no method 'zzz'; choose from"):
        method_spec("zzz")


def test_settings_given_as_texts_are_read_as_what_they_are() -> None:
    settings = MADE.settings_of({"hops": "3", "strict": "true", "bound": "0.5", "order": "score"})
    assert settings == MadeSettings(3, "score", 0.5, True)
    assert changed_settings(settings) == {"hops": 3, "order": "score", "bound": 0.5, "strict": True}
    assert changed_settings(MADE.settings_of({"hops": 2})) == {}
    assert MADE.settings_of({"bound": "none"}) == MadeSettings()  # as kgqa methods shows it


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"hop": 1}, r"method 'made' has no setting 'hop'; nearest: 'hops'; it has: hops, order, bound, strict"),
        ({"hops": "two"}, r"setting 'hops' of method 'made' can't be 'two'.*integer"),
        ({"order": "size"}, r"setting 'order'.*'name' or 'score'"),
        ({"hops": "none"}, r"setting 'hops' of method 'made' can't be 'none'"),
    ],
)
def test_a_setting_that_there_is_not_or_a_value_that_it_can_t_have_is_named(
    values: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        MADE.settings_of(values)


def test_paths_checks_its_settings_and_takes_the_old_shorthands_as_settings() -> None:
    method = method_spec("paths").make(MethodConfig(settings={"abstain_below": "0.2"}), language_model=False)
    assert isinstance(method, Paths)
    assert method.relation_paths.least_fit == 0.2
    with pytest.raises(UsageError, match="at least 1"):
        method_spec("paths").settings_of({"readings": 0})


def test_what_a_method_needs_is_asked_for_before_it_is_made() -> None:
    with pytest.raises(UsageError, match=r"needs a trained model: --model DIR"):
        MADE.make(MethodConfig("made"), language_model=True)
    with pytest.raises(UsageError, match=r"needs a language model: --language-model NAME"):
        MADE.make(MethodConfig("made", "folder"), language_model=False)
    assert MADE.make(MethodConfig("made", "folder", {"hops": 1}), language_model=True) == (
        MadeSettings(1), "read folder",
    )  # fmt: skip
    plain = MethodSpec("plain", "Needs nothing.", made)
    with pytest.raises(UsageError, match="takes no trained model"):
        plain.make(MethodConfig("plain", "folder"), language_model=False)
    with pytest.raises(UsageError, match="has no setting 'hops'; it has none"):
        plain.make(MethodConfig("plain", settings={"hops": 1}), language_model=False)


def test_a_setting_without_a_doc_or_a_default_is_refused() -> None:
    @dataclass(frozen=True)
    class Undocumented:
        hops: int = 2

    with pytest.raises(TypeError, match="hops"):
        MethodSpec("made", "Made.", made, Undocumented)


PACKAGE = """
from kgqa_graphdb.methods import MethodSpec
from kgqa_graphdb.methods.paths import Paths, PathsSettings

SPEC = MethodSpec("brought", "Paths under another name.", lambda settings, model: Paths.of(PathsSettings()))
OTHER = "no spec"
"""
ENTRY_POINTS = """[kgqa_graphdb.methods]
brought = a_method_of_ours:SPEC
broken = a_method_of_ours:MISSING
none = a_method_of_ours:OTHER
outdated = a_method_made_before:SPEC
paths = a_method_of_ours:SPEC
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A small package, as pip installs one, that brings methods."""
    (tmp_path / "a_method_of_ours.py").write_text(PACKAGE, encoding="utf-8")
    outdated = "from kgqa_graphdb.methods import MethodSpec\nSPEC = MethodSpec('outdated', papers=1)\n"
    (tmp_path / "a_method_made_before.py").write_text(outdated, encoding="utf-8")
    about = tmp_path / "a_method_of_ours-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: a-method-of-ours\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "a-method-of-ours"
    sys.modules.pop("a_method_of_ours", None)


def test_another_package_brings_a_method(package: str) -> None:
    spec = method_spec("brought")
    assert isinstance(spec.make(MethodConfig("brought"), language_model=False), Paths)
    specs, broken = all_methods()
    assert [one.name for one in specs] == [*METHODS, "brought"]
    assert len(broken) == 3
    assert all(package in reason for reason in broken)


def test_a_broken_package_is_named_and_this_packages_methods_can_t_be_replaced(package: str) -> None:
    with pytest.raises(UsageError, match=r"method 'broken' of package 'a-method-of-ours' can't be loaded.*MISSING"):
        method_spec("broken")
    with pytest.raises(UsageError, match=r"method 'none' of package 'a-method-of-ours' is none"):
        method_spec("none")
    assert method_spec("paths").build == Paths.of
    with pytest.raises(UsageError, match=r"nearest: 'brought'; choose from: .*brought"):
        method_spec("brough")
