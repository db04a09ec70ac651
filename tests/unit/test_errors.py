"""One error tree, drawn at the top of its file; messages carry the cure."""

from __future__ import annotations

import inspect

import pytest

from kgqa_graphdb import errors
from kgqa_graphdb.errors import KgqaError, MissingExtraError, UsageError, nearest

CLASSES = [item for item in vars(errors).values() if inspect.isclass(item) and item.__module__ == errors.__name__]


@pytest.mark.parametrize("error", CLASSES, ids=lambda error: error.__name__)
def test_every_error_is_in_the_tree_that_the_file_draws(error: type[Exception]) -> None:
    assert issubclass(error, KgqaError)
    assert errors.__doc__ is not None
    assert error.__name__ in errors.__doc__.replace("─", " ").split()


@pytest.mark.parametrize("error", CLASSES, ids=lambda error: error.__name__)
def test_every_error_says_when_it_is_raised(error: type[Exception]) -> None:
    assert error.__doc__


def test_a_wrong_file_is_wrong_usage() -> None:
    assert issubclass(errors.ConfigError, UsageError)


def test_a_caller_can_catch_all_failed_statements_as_one() -> None:
    assert issubclass(errors.ReadTimeoutError, errors.CypherError)
    assert issubclass(errors.ResultTooLargeError, errors.CypherError)


def test_a_missing_package_comes_with_the_command_that_installs_it() -> None:
    message = str(MissingExtraError("onnxruntime", "local"))
    assert "onnxruntime" in message
    assert "pip install 'kgqa-graphdb[local]'" in message


def test_nearest_names_the_nearest_known_name() -> None:
    assert nearest("dircted_by", ["written_by", "directed_by"]) == "; nearest: 'directed_by'"


def test_nearest_says_nothing_where_nothing_is_near() -> None:
    assert nearest("xyz", ["directed_by"]) == ""
    assert nearest("xyz", []) == ""
