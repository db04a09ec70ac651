"""Folders of trained models, of whatever method: one card, one reader and one writer."""

from kgqa_graphdb.models.card import CARD, STRICT, ModelCard, read_card, read_card_and_details, validated
from kgqa_graphdb.models.figures import TrainingFigures
from kgqa_graphdb.models.folder import claim_folder, write_card, write_model
from kgqa_graphdb.models.weights import read_weights, write_weights

__all__ = [
    "CARD",
    "STRICT",
    "ModelCard",
    "TrainingFigures",
    "claim_folder",
    "read_card",
    "read_card_and_details",
    "read_weights",
    "validated",
    "write_card",
    "write_model",
    "write_weights",
]
