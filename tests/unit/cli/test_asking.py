"""How a person says which method answers."""

from __future__ import annotations

from dataclasses import fields

import pytest

from kgqa_graphdb.cli.asking import Asking
from kgqa_graphdb.client import ClientOptions
from kgqa_graphdb.errors import UsageError


def test_settings_are_read_from_texts_and_shorthands() -> None:
    options = Asking("paths", None, None, None, ["abstain_below = 0.5"], readings=2).client_options()
    assert options["settings"] == {"readings": 2, "abstain_below": "0.5"}
    assert options.keys() <= {one.name for one in fields(ClientOptions)}


@pytest.mark.parametrize(
    ("method", "given", "message"),
    [
        ("path", [], "nearest: 'paths'"),
        ("paths", ["readings"], r"--set 'readings' is not KEY=VALUE"),
        ("paths", ["=2"], r"is not KEY=VALUE"),
        ("neighbourhood", [], r"needs a language model: --language-model NAME"),
        ("paths", ["readings=two"], r"setting 'readings' of method 'paths' can't be 'two'"),
    ],
)
def test_what_is_wrong_is_named_before_anything_is_asked(method: str, given: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Asking(method, None, None, None, given).client_options()


@pytest.mark.parametrize("method", ["paths", "composed"])
def test_a_language_model_that_a_method_does_not_use_is_not_opened(method: str) -> None:
    with pytest.raises(UsageError, match=f"method '{method}' uses no language model; leave out --language-model"):
        Asking(method, None, "scripted:none.json", None, None).client_options()


def test_a_language_model_that_a_method_may_use_is_taken() -> None:
    for model in (None, "scripted:x.json"):
        assert Asking("rerank", None, model, None, None).client_options()["language_model"] == model


def test_a_language_model_may_write_the_sentence_of_any_method() -> None:
    options = Asking("paths", None, "scripted:x.json", None, None, verbalise=True).client_options()
    assert (options["verbalise"], options["language_model"]) == (True, "scripted:x.json")
    with pytest.raises(UsageError, match="--verbalise"):
        Asking("paths", None, "scripted:x.json", None, None).client_options()
