"""Surveys a graph that kgqa did not load, proposes how to read it, and finds how it has drifted from a mapping."""

from __future__ import annotations

from kgqa_graphdb.survey.check import Drift, check_mapping
from kgqa_graphdb.survey.choice import Choice
from kgqa_graphdb.survey.joins import End, Join
from kgqa_graphdb.survey.kinds import called_kind
from kgqa_graphdb.survey.propose import (
    Nameless,
    Proposal,
    examples_of,
    names_index,
    names_to_index,
    propose,
    propose_mapping,
)
from kgqa_graphdb.survey.readable import LeftOut
from kgqa_graphdb.survey.sample import SAMPLE, properties_of, survey
from kgqa_graphdb.survey.schema import Around, Copy, FulltextIndex, LabelSurvey, Property, Survey, TypeSurvey

__all__ = [
    "SAMPLE",
    "Around",
    "Choice",
    "Copy",
    "Drift",
    "End",
    "FulltextIndex",
    "Join",
    "LabelSurvey",
    "LeftOut",
    "Nameless",
    "Property",
    "Proposal",
    "Survey",
    "TypeSurvey",
    "called_kind",
    "check_mapping",
    "examples_of",
    "names_index",
    "names_to_index",
    "properties_of",
    "propose",
    "propose_mapping",
    "survey",
]
