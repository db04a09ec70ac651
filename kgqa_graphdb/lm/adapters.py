"""Adapters of a language model that is loaded: put on it when one is first asked for, and taken off again."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kgqa_graphdb.documents import expanded
from kgqa_graphdb.errors import LanguageModelError, MissingExtraError
from kgqa_graphdb.lm.files import adapter_fingerprint, adapter_folder

_OWN = "default"
"""What peft calls the first adapter of a model."""


def imported_peft() -> Any:
    """The package peft. That it asks transformers in a way that will go is nothing a user could change.

    :raises MissingExtraError: it is not installed
    """
    try:
        import peft
    except ImportError as error:
        raise MissingExtraError("peft", "llm") from error
    warnings.filterwarnings("ignore", "`is_gradient_checkpointing` is deprecated", FutureWarning)
    return peft


class Adapters:
    """The adapters of one model. For one caller at a time: which one is on is the model's state.

    :param model: a transformers model, or one that was opened with an adapter
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self._has_own = hasattr(model, "peft_config")
        self._names: dict[tuple[Path, str], str] = {}
        self._tried = 0
        self.broken = False
        """One could not be put on, and may have left parts of itself: the model must be loaded anew."""

    @contextmanager
    def using(self, folder: str) -> Iterator[None]:
        """The model with an adapter.

        :param folder: of a peft adapter; empty: as it was opened
        :raises LanguageModelError: it is no adapter of this model
        :raises MissingExtraError: peft is not installed
        """
        if folder:
            name = self._name(folder)  # before: where it is the first, the model is another one then
            self._model.set_adapter(name)
            try:
                yield
            finally:
                if self._has_own:
                    self._model.set_adapter(_OWN)
        elif self._names and not self._has_own:
            with self._model.disable_adapter():
                yield
        else:
            yield

    def _name(self, folder: str) -> str:
        """What the model calls an adapter, which is put on it if it is not, or was trained again since."""
        path = adapter_folder(expanded(folder))
        key = path, adapter_fingerprint(str(path))
        if key in self._names:
            return self._names[key]
        name = f"adapter{self._tried}"
        self._tried += 1
        peft = imported_peft()
        try:
            if self._has_own or self._names:
                self._model.load_adapter(str(path), adapter_name=name)
            else:
                self._model = peft.PeftModel.from_pretrained(self._model, str(path), adapter_name=name)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            self.broken = True
            first = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise LanguageModelError(f"{folder!r} is no adapter for this language model: {first}") from error
        self._model.eval()
        self._names[key] = name
        return name
