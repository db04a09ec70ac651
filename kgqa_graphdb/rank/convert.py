"""Converts folders of rankers that were trained before there were model cards."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kgqa_graphdb.documents import MALFORMED, expanded, parse_json
from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.models import CARD, ModelCard, validated, write_card
from kgqa_graphdb.models.card import OLD_CARD, as_json, is_old_model
from kgqa_graphdb.rank.model import FORMAT, METHOD, PathModelDetails

OLD_VERSION = 4
"""The last version of ``config.json``, and the only one that can be converted."""
_DETAILS = ("least_fit", "calibration", "relations", "asked_relations", "alphabet", "question_encoder", "reranker",
            "max_hops", "given_topics")  # fmt: skip
_FIGURES = ("options", "paraphrase", "questions", "composed", "held_out", "mined", "metrics", "history", "seconds")


def convert_model(folder: Path, output: Path | None = None) -> ModelCard:
    """Give a ranker's folder a model card instead of its ``config.json``; its weights stay as they are.

    :param output: folder for the converted model; ``None``: it is converted where it is
    :raises UsageError: it needs no conversion, is no such folder, or was made by a version that can't be converted; or
        the folder to write to is not empty
    """
    folder = expanded(folder)
    if (folder / CARD).exists():
        raise UsageError(f"{folder} needs no conversion: it has a {CARD}")
    if not is_old_model(folder):
        raise UsageError(f"{folder} is no trained model: it has neither {CARD} nor the {OLD_CARD} of an older version")
    path = folder / OLD_CARD
    about = parse_json(path.read_text(encoding="utf-8"))
    if about["model"] != METHOD or about["version"] != OLD_VERSION:
        raise UsageError(
            f"{folder} was made by a version of kgqa that is too old to convert ({about['version']}); train it again"
        )
    try:
        card = _card(about, datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds"))
    except MALFORMED as error:
        raise UsageError(f"{path} lacks what a model of version {OLD_VERSION} has; train it again") from error
    validated(PathModelDetails, card.details, path, "details.")
    validated(ModelCard, as_json(card), path)
    if output is None:
        write_card(folder, card)
        path.unlink()
        return card
    output = expanded(output)
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise UsageError(f"{output} is not empty; name another folder with --output")
    part = output.with_name(f"{output.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    shutil.copytree(folder, part, ignore=lambda where, names: [OLD_CARD] if Path(where) == folder else [])
    write_card(part, card)
    part.replace(output)
    return card


def _card(about: Mapping[str, Any], made_at: str) -> ModelCard:
    """The card that says what a ``config.json`` did."""
    details = {key: about[key] for key in _DETAILS if key in about}
    training = {key: about[key] for key in _FIGURES if key in about}
    return ModelCard(
        METHOD,
        FORMAT,
        kgqa_version=about.get("kgqa-graphdb", ""),
        made_at=made_at,
        seed=about.get("options", {}).get("seed", 0),
        graphs=about.get("graph_fingerprints", {}),
        walk=about.get("walk"),
        encoder=about["encoder"],
        encoder_fingerprint=about.get("encoder_fingerprint", ""),
        details=details | {"training": training},
    )
