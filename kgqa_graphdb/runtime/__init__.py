"""Performs the requests that stages yield: on Neo4j, by the text encoder, by a language model, blocking and async."""

from kgqa_graphdb.runtime.computing import LocalModels, TextEncoder
from kgqa_graphdb.runtime.driver import Credentials, open_async_driver, open_driver
from kgqa_graphdb.runtime.neo4j_io import EXPORT_LIMITS, AsyncNeo4jIO, Limits, Neo4jIO
from kgqa_graphdb.runtime.performers import PERFORMERS, leaves_of, nested, perform_locally

__all__ = [
    "EXPORT_LIMITS",
    "PERFORMERS",
    "AsyncNeo4jIO",
    "Credentials",
    "Limits",
    "LocalModels",
    "Neo4jIO",
    "TextEncoder",
    "leaves_of",
    "nested",
    "open_async_driver",
    "open_driver",
    "perform_locally",
]
