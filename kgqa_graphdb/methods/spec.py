"""What a method says of itself: its settings, what it needs, where it comes from, and how it is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from kgqa_graphdb.errors import UsageError
from kgqa_graphdb.methods.protocols import Method
from kgqa_graphdb.settings import changed_settings, check_settings_class, read_settings, setting, settings_to_dicts

__all__ = ["MethodConfig", "MethodSpec", "Need", "NoSettings", "changed_settings", "setting"]

Need: TypeAlias = Literal["model", "language_model"]


@dataclass(frozen=True, slots=True)
class NoSettings:
    """Of a method that has none."""


def _none_waived(settings: Any) -> frozenset[Need]:
    return frozenset()


@dataclass(frozen=True, slots=True)
class MethodSpec:
    """A method that can be asked for by name.

    :ivar summary: what it does, in a line
    :ivar build: takes the settings, and what ``read_model`` gave or ``None``; what it makes answers many questions
    :ivar settings: frozen dataclass whose fields all have a default and are made by :func:`setting`; checks its values
        in ``__post_init__`` and raises :class:`UsageError`
    :ivar read_model: reads the folder of a trained model; ``None``: the method has no trained models
    :ivar needs: what it can't do without
    :ivar may_use: what it uses where there is such, and does without
    :ivar waived: which of these it does without all the same, with some settings
    :ivar extra: the extra of this package that it needs, if any
    :ivar citation: where it is from
    """

    name: str
    summary: str
    build: Callable[[Any, Any], Method]
    settings: type[Any] = NoSettings
    read_model: Callable[[Path], Any] | None = None
    needs: frozenset[Need] = frozenset()
    may_use: frozenset[Need] = frozenset()
    waived: Callable[[Any], frozenset[Need]] = _none_waived
    extra: str = ""
    citation: str = "this project"

    def __post_init__(self) -> None:
        check_settings_class(self.settings, f"method {self.name!r}")

    @property
    def uses(self) -> frozenset[Need]:
        """What it needs or may use."""
        return self.needs | self.may_use

    def settings_of(self, values: Mapping[str, Any]) -> Any:
        """The settings with these values; those that are texts are read as what the setting is, ``none`` as ``None``.

        :raises UsageError: there is no such setting, or it can't have that value
        """
        return read_settings(self.settings, values, f"method {self.name!r}")

    def check(self, config: MethodConfig, *, language_model: bool) -> Any:
        """The settings of a method as a person wants it, which has all that it needs.

        :param language_model: whether there is one
        :raises UsageError: it lacks what it needs, or has no such setting
        """
        settings = self.settings_of(config.settings)
        needs = self.needs - self.waived(settings)
        if "model" in needs and config.model is None:
            raise UsageError(f"method {self.name!r} needs a trained model: --model DIR; kgqa train makes one")
        if "language_model" in needs and not language_model:
            raise UsageError(f"method {self.name!r} needs a language model: --language-model NAME")
        if config.model is not None and self.read_model is None:
            raise UsageError(f"method {self.name!r} takes no trained model; leave out --model")
        return settings

    def make(self, config: MethodConfig, *, language_model: bool) -> Method:
        """The method as a person wants it; see :meth:`check`.

        :raises UsageError: besides, the folder holds no model of it
        """
        settings = self.check(config, language_model=language_model)
        model = self.read_model(Path(config.model)) if self.read_model and config.model is not None else None
        return self.build(settings, model)

    def to_dict(self) -> dict[str, Any]:
        """The spec as JSON has it."""
        return {
            "name": self.name,
            "summary": self.summary,
            "needs": sorted(self.needs),
            "extra": self.extra or None,
            "takes_model": self.read_model is not None,
            "source": self.citation,
            "settings": settings_to_dicts(self.settings),
        }


@dataclass(frozen=True, slots=True)
class MethodConfig:
    """A method, the model that it uses, and how it is set.

    :ivar method: its name in the registry
    :ivar model: folder of a trained model; ``None``: without one
    :ivar settings: those that differ from the defaults
    """

    method: str = "paths"
    model: Path | str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
