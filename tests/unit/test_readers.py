"""Whatever files and names people give, nothing but errors of ours comes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from kgqa_graphdb.catalog import check_graph_name
from kgqa_graphdb.cli.asking import Asking
from kgqa_graphdb.client import find_mapping, mapping_file
from kgqa_graphdb.errors import ConfigError, KgqaError, LanguageModelError, UsageError
from kgqa_graphdb.evaluate import Predicted, Scores
from kgqa_graphdb.evaluate.outcome import Outcome, read_outcomes
from kgqa_graphdb.link.asked import parse_question
from kgqa_graphdb.lm import open_language_model
from kgqa_graphdb.lm.scripted import ScriptedModel
from kgqa_graphdb.mapping import GraphMapping, parse_mapping, read_mapping, write_mapping
from kgqa_graphdb.mapping.files import language_in
from kgqa_graphdb.methods import MethodConfig, all_methods, method_spec
from kgqa_graphdb.models import CARD, read_card, validated
from kgqa_graphdb.parse import ParsedQuestion
from kgqa_graphdb.questions import Gold
from kgqa_graphdb.rank.model import RerankerConfig, read_details
from kgqa_loaders.relations import parse_relations, read_relations
from tests.unit.mutants import many, mutants, values

MAPPING: dict[str, Any] = {
    "version": 1, "graph": "shop", "language": "en", "walk": "free", "fulltext": "names",
    "entities": [{"label": "Customer", "key": "id", "names": ["name"], "aliases": ["also"]}, {"label": "Order"}],
    "relations": {
        "PLACED": {"type": "PLACED", "kind": "edge", "label": "order", "inverse": "placed by", "heads": ["Customer"],
                   "tails": ["Order"], "description": "d", "template": "{head} {tail}", "unit": "", "of": ""},
        "price": {"kind": "property", "heads": ["Order"], "unit": "EUR"},
        "spent": {"kind": "property", "via": [">PLACED", ">price"]},
    },
    "vectors": {"indexes": ["a"], "encoder": "e", "fingerprint": "f", "dimension": 3},
}  # fmt: skip
RELATIONS: dict[str, Any] = {
    "relations": {
        "year": {"kind": "property", "datatype": "integer", "label": "release year", "inverse": "films of", "unit": ""},
        "by": {"kind": "edge", "template": "{head} by {tail}.", "description": "who"},
    }
}
CARD_DOCUMENT: dict[str, Any] = {
    "method": "paths", "format": 5, "kgqa_version": "0", "made_at": "", "seed": 1, "graphs": {"a": "1"}, "walk": "free",
    "encoder": "", "encoder_fingerprint": "",
    "details": {"least_fit": 0.1, "calibration": [1.0, 0.0], "asked_relations": ["a"], "relations": ["a"],
                "max_hops": 3, "training": {}},
}  # fmt: skip
PARSED: dict[str, Any] = {
    "version": 1, "wants": "count", "noun": "films", "kind": {"label": "Film", "by": ">PLACED"},
    "conditions": [{"text": "x", "comparisons": [{"op": ">", "value": 3}, {"op": "<", "value": {"date": "1990-01-01"}},
                    {"op": "=", "value": {"bound": "mean"}}], "same": {"verbs": ["a"], "noun": ""}}],
    "extreme": {"measures": [["max", "height"]], "most": 2},
}  # fmt: skip
OUTCOME = json.loads(
    Outcome(
        "1", "q", (Gold("a"),), (Predicted("a", "A", 1.0),), Scores(1, 1, 1, 1, 1, 1), linked=("x",)
    ).to_json()
)  # fmt: skip
SHOP = parse_mapping(MAPPING)


def keys_of(document: Any) -> set[str]:
    """All keys of a document."""
    if isinstance(document, dict):
        return set(document).union(*map(keys_of, document.values()))
    return set().union(*map(keys_of, document)) if isinstance(document, list) else set()


def broken(document: Any, *, toml: bool = False) -> st.SearchStrategy[Any]:
    return mutants(document, values(keys_of(document), toml=toml))


@many
@given(table=broken(MAPPING, toml=True))
def test_a_mapping_of_whatever_types(table: Any) -> None:
    try:
        mapping = parse_mapping(table if isinstance(table, dict) else {"graph": table})
    except ConfigError:
        return
    assert isinstance(mapping, GraphMapping)


@many
@given(table=broken(RELATIONS, toml=True))
def test_relations_of_whatever_types(table: Any) -> None:
    try:
        parse_relations(table if isinstance(table, dict) else {"relations": table})
    except ConfigError:
        return


@many
@given(text=st.text(alphabet="[]{}=\"'.,\n#a1-:T \u2028\\", max_size=30), cut=st.integers(0, 400))
def test_a_toml_file_of_whatever_text(tmp_path: Path, text: str, cut: int) -> None:
    path = tmp_path / "some.toml"
    path.write_text(tomlkit.dumps(MAPPING)[:cut] + text, encoding="utf-8")
    for read in (read_mapping, read_relations, language_in, lambda path: write_mapping(SHOP, path)):
        try:
            read(path)
        except ConfigError:
            continue


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 100_000, "a = " + "[" * 5_000 + "]" * 5_000, "[" + "a." * 3_000 + "a]"]
)
def test_a_toml_file_that_is_nested_deep(tmp_path: Path, text: str) -> None:
    path = tmp_path / "some.toml"
    path.write_text(text, encoding="utf-8")
    for read in (read_mapping, read_relations, lambda path: write_mapping(SHOP, path)):
        with pytest.raises(ConfigError, match=r"some\.toml"):
            read(path)


@many
@given(document=broken(CARD_DOCUMENT))
def test_a_model_card_of_whatever_types(tmp_path: Path, document: Any) -> None:
    (tmp_path / CARD).write_text(json.dumps(document), encoding="utf-8")
    for read in (read_card, read_details):
        try:
            read(tmp_path)
        except UsageError:
            continue


@pytest.mark.parametrize("text", ["[" * 100_000, '{"method": "paths", "format": 5, "details": ' + '{"a":' * 100_000])
def test_a_model_card_that_is_nested_deep(tmp_path: Path, text: str) -> None:
    (tmp_path / CARD).write_text(text, encoding="utf-8")
    (tmp_path / "config.json").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"model\.json"):
        read_card(tmp_path)
    (tmp_path / CARD).unlink()
    with pytest.raises(UsageError, match="no trained model"):
        read_card(tmp_path)


RERANKER = {"encoder": "", "codes": [">a"], "paths": [[">a", "<b"]], "asked_paths": [[">a"]], "asked": [[0, 1, 2]]}


@many
@given(document=broken(RERANKER))
def test_a_rerankers_settings_of_whatever_types(document: Any) -> None:
    try:
        validated(RerankerConfig, json.dumps(document), Path("reranker.json"))
    except UsageError:
        return


@many
@given(document=broken(PARSED))
def test_a_parsed_question_of_whatever_types(document: Any) -> None:
    try:
        parsed = ParsedQuestion.from_json(json.dumps(document), SHOP)
    except KgqaError:
        return
    assert ParsedQuestion.from_json(parsed.to_json(), SHOP) == parsed


def test_a_parsed_question_that_is_nested_deep() -> None:
    within = '{"version": 1, "extreme": ' + '{"measures": [], "within": {"extreme": ' * 100_000
    for text in ("[" * 100_000, within, '{"version":1,"conditions":' + "[" * 100_000):
        with pytest.raises(ConfigError):
            ParsedQuestion.from_json(text, SHOP)


@many
@given(document=broken(OUTCOME))
def test_an_outcome_of_whatever_types(tmp_path: Path, document: Any) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps(document) + "\n" + json.dumps(OUTCOME) + "\n", encoding="utf-8")
    try:
        outcomes = list(read_outcomes(path))
    except UsageError:
        return
    for outcome in outcomes:
        assert isinstance(outcome.latency_ms, int | float)
        assert isinstance(outcome.id, str)
        outcome.to_json()


@many
@given(document=broken({"in the prompt": "answer", "": "default"}))
def test_a_script_of_whatever_types(tmp_path: Path, document: Any) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    try:
        ScriptedModel.read(path)
    except LanguageModelError:
        return


@pytest.mark.parametrize("rest", ["nul\0l", "x" * 5_000, "/", "~nobody-of-this-name/x"])
def test_a_script_that_no_file_is(rest: str) -> None:
    with pytest.raises(LanguageModelError):
        open_language_model(f"scripted:{rest}")


def test_a_script_that_is_nested_deep(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(LanguageModelError, match=r"deep\.json"):
        open_language_model(f"scripted:{tmp_path / 'deep.json'}")


SETTINGS = sorted({one["name"] for spec in all_methods()[0] for one in spec.to_dict()["settings"]})
TEXTS = st.text(max_size=12) | st.sampled_from(["none", "1e999", "-1", "nan", "inf", "0", "2", "9" * 400, "true", "[]"])


@many
@given(
    method=st.sampled_from(["paths", "composed", "neighbourhood"]) | st.text(max_size=8),
    given_=st.lists(st.text(max_size=9) | st.builds("{}={}".format, st.sampled_from(SETTINGS), TEXTS), max_size=3),
)
def test_settings_of_whatever_text(method: str, given_: list[str]) -> None:
    try:
        Asking(method, None, "some model", None, given_).client_options()
    except UsageError:
        return


@many
@given(
    method=st.sampled_from(["paths", "composed", "neighbourhood"]),
    given_=st.dictionaries(st.sampled_from(SETTINGS), values(SETTINGS), max_size=3),
)
def test_settings_of_whatever_types(method: str, given_: dict[str, Any]) -> None:
    spec = method_spec(method)
    try:
        spec.make(MethodConfig(method, None, given_), language_model=True)
    except UsageError:
        return


NAMES = (
    st.text(max_size=80)
    | st.integers()
    | st.none()
    | st.sampled_from(["x" * 300, "../../x", "/etc/passwd", "a/b", "a\0b", "..", "", "~", "a.toml", "\ud800", "C:\\x"])
)


@many
@given(name=NAMES)
def test_a_graphs_name_is_refused_or_is_a_file_in_its_folder(name: Any) -> None:
    folder = mapping_file("any").parent
    try:
        check_graph_name(name)
    except ConfigError:
        with pytest.raises(ConfigError):
            mapping_file(name)
        with pytest.raises(ConfigError):
            next(find_mapping(name, None))
        return
    assert mapping_file(name).parent == folder
    assert mapping_file(name).resolve().parent == folder.resolve()


@many
@given(text=st.text(max_size=40) | st.integers() | st.none() | st.sampled_from(["\ud800?", "who\udcff"]))
def test_a_question_is_read_or_refused(text: Any) -> None:
    try:
        question = parse_question(text)
    except UsageError:
        return
    question.text.encode()
