"""Model cards: any method's is read; what is wrong is named with its cure; writing loses nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.models import CARD, ModelCard, claim_folder, read_card, write_card, write_model
from kgqa_graphdb.models.folder import PART, READY

CARDS = ModelCard("gnn2r", 1, seed=7, graphs={"films": "f00d"}, walk="free", details={"layers": 3})


def written(folder: Path, text: str = "weights", card: ModelCard = CARDS) -> Path:
    with write_model(folder, card, ["weights", "encoder"]) as part:
        (part / "weights").write_text(text, encoding="utf-8")
    return folder


def test_the_card_of_any_method_is_read(tmp_path: Path) -> None:
    card = read_card(written(tmp_path / "model"))
    assert card == CARDS
    assert (card.method, card.graph, card.details) == ("gnn2r", "films", {"layers": 3})


def test_a_model_of_several_graphs_is_of_none_alone() -> None:
    assert ModelCard("paths", 5, graphs={"a": "1", "b": "2"}).graph == ModelCard("paths", 5).graph == ""


def test_another_training_has_another_digest() -> None:
    assert (
        CARDS.digest
        == ModelCard("gnn2r", 1, seed=7, graphs={"films": "f00d"}, walk="free", details={"layers": 3}).digest
    )
    assert CARDS.digest != CARDS.made_now().digest


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"method": "paths", "format": 5, "walkk": "free"}', r"the key 'walkk' is unknown; nearest: 'walk'"),
        ('{"method": "paths"}', r"the key 'format' is missing; train it again"),
        ('{"method": "paths", "format": "5"}', r"'format' can't be '5': .*integer"),
        ('{"method": "paths", "format": 5, "walk": "around"}', r"'walk' can't be 'around': .*'no_backtrack'"),
        ('{"method": "pa', r"model\.json can't be read: Invalid JSON"),
        ("[]", r"model\.json"),
    ],
)
def test_a_wrong_card_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / CARD).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        read_card(tmp_path)


def test_what_was_there_stays_until_the_new_model_is_complete(tmp_path: Path) -> None:
    folder = written(tmp_path / "model", "old")
    (folder / "encoder").mkdir()

    def cut_off() -> None:
        with write_model(folder, CARDS, ["weights", "encoder"]) as part:
            (part / "weights").write_text("new", encoding="utf-8")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cut_off()
    assert ((folder / "weights").read_text(encoding="utf-8"), read_card(folder)) == ("old", CARDS)
    written(folder, "new")
    assert {path.name for path in folder.iterdir()} == {CARD, "weights"}


def test_a_complete_model_is_put_in_its_place_later(tmp_path: Path) -> None:
    folder = written(tmp_path / "model", "old")
    new = written(tmp_path / "new", "new", CARDS.made_now())
    new.rename(folder / READY)
    with pytest.raises(UsageError, match="was cut off; the same kgqa train METHOD command finishes it"):
        read_card(folder)
    claim_folder(folder, "gnn2r")
    assert (folder / "weights").read_text(encoding="utf-8") == "new"
    assert {path.name for path in folder.iterdir()} == {CARD, "weights"}


def test_a_card_alone_is_written_whole(tmp_path: Path) -> None:
    write_card(tmp_path, CARDS)
    assert (read_card(tmp_path), [path.name for path in tmp_path.iterdir()]) == (CARDS, [CARD])


def test_a_folder_of_another_method_or_of_something_else_is_not_written_to(tmp_path: Path) -> None:
    folder = written(tmp_path / "model")
    claim_folder(folder, "gnn2r")
    with pytest.raises(UsageError, match="no model of the method paths, but of gnn2r; name another folder"):
        claim_folder(folder, "paths")
    (tmp_path / "config.json").write_text(json.dumps({"hidden_size": 3}), encoding="utf-8")
    with pytest.raises(UsageError, match="of something else; name another folder"):
        claim_folder(tmp_path, "paths")
    assert not (folder / PART).exists()
