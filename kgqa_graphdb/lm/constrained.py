"""Completions that keep to a JSON schema, by xgrammar."""

from __future__ import annotations

from typing import Any

from kgqa_graphdb.errors import LanguageModelError, MissingExtraError


class JsonSchemas:
    """Masks the tokens that would break a schema; knows the words of one tokenizer.

    :param vocabulary: rows of the model's logits
    """

    def __init__(self, tokenizer: Any, vocabulary: int) -> None:
        try:
            import xgrammar
        except ImportError as error:
            raise MissingExtraError("xgrammar", "constrained") from error
        self._xgrammar = xgrammar
        self._compiler = xgrammar.GrammarCompiler(
            xgrammar.TokenizerInfo.from_huggingface(tokenizer, vocab_size=vocabulary)
        )

    def processor(self, schema: str) -> Any:
        """A transformers ``LogitsProcessor`` for one call of ``generate``.

        :raises LanguageModelError: the schema is none
        """
        try:
            grammar = self._compiler.compile_json_schema(schema, any_whitespace=False)  # no endless blanks
        except (RuntimeError, ValueError) as error:
            raise LanguageModelError(f"{schema[:200]!r} is no JSON schema that can be kept to: {error}") from error
        return self._xgrammar.contrib.hf.LogitsProcessor(grammar)
