"""What a method says of itself: its settings, what it needs, where it comes from, and how it is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, asdict, dataclass, field, fields
from pathlib import Path
from types import NoneType
from typing import Any, Literal, TypeAlias, get_args, get_type_hints

from kgqa_graphdb.errors import UsageError, nearest
from kgqa_graphdb.methods.protocols import Method

Need: TypeAlias = Literal["model", "language_model"]


@dataclass(frozen=True, slots=True)
class NoSettings:
    """Of a method that has none."""


def setting(default: Any, doc: str) -> Any:
    """A field of a settings class.

    :param doc: what it does, with units and range; ``kgqa methods`` shows it
    """
    return field(default=default, metadata={"doc": doc})


@dataclass(frozen=True, slots=True)
class MethodSpec:
    """A method that can be asked for by name.

    :ivar summary: what it does, in a line
    :ivar build: takes the settings, and what ``read_model`` gave or ``None``; what it makes answers many questions
    :ivar settings: frozen dataclass whose fields all have a default and are made by :func:`setting`; checks its values
        in ``__post_init__`` and raises :class:`UsageError`
    :ivar read_model: reads the folder of a trained model; ``None``: the method has no trained models
    :ivar needs: what it can't do without
    :ivar extra: the extra of this package that it needs, if any
    :ivar citation: where it is from
    """

    name: str
    summary: str
    build: Callable[[Any, Any], Method]
    settings: type[Any] = NoSettings
    read_model: Callable[[Path], Any] | None = None
    needs: frozenset[Need] = frozenset()
    extra: str = ""
    citation: str = "this project"

    def __post_init__(self) -> None:
        undocumented = [one.name for one in fields(self.settings) if not one.metadata.get("doc")]
        if undocumented or any(one.default is MISSING for one in fields(self.settings)):
            raise TypeError(f"settings of method {self.name!r} need a default and a doc each: {undocumented}")

    def settings_of(self, values: Mapping[str, Any]) -> Any:
        """The settings with these values; those that are texts are read as what the setting is, ``none`` as ``None``.

        :raises UsageError: there is no such setting, or it can't have that value
        """
        known = [one.name for one in fields(self.settings)]
        for name in values:
            if name not in known:
                choose = f"it has: {', '.join(known)}" if known else "it has none"
                raise UsageError(f"method {self.name!r} has no setting {name!r}{nearest(name, known)}; {choose}")
        if not values:
            return self.settings()
        from pydantic import TypeAdapter, ValidationError

        hints = get_type_hints(self.settings)
        read: dict[str, Any] = {}
        for name, value in values.items():
            try:
                read[name] = None if _is_none(value, hints[name]) else TypeAdapter(hints[name]).validate_python(value)
            except ValidationError as error:
                reason = error.errors()[0]["msg"].lower()
                raise UsageError(f"setting {name!r} of method {self.name!r} can't be {value!r}: {reason}") from error
        return self.settings(**read)

    def check(self, config: MethodConfig, *, language_model: bool) -> Any:
        """The settings of a method as a person wants it, which has all that it needs.

        :param language_model: whether there is one
        :raises UsageError: it lacks what it needs, or has no such setting
        """
        if "model" in self.needs and config.model is None:
            raise UsageError(f"method {self.name!r} needs a trained model: --model DIR; kgqa train makes one")
        if "language_model" in self.needs and not language_model:
            raise UsageError(f"method {self.name!r} needs a language model: --language-model NAME")
        if config.model is not None and self.read_model is None:
            raise UsageError(f"method {self.name!r} takes no trained model; leave out --model")
        return self.settings_of(config.settings)

    def make(self, config: MethodConfig, *, language_model: bool) -> Method:
        """The method as a person wants it; see :meth:`check`.

        :raises UsageError: besides, the folder holds no model of it
        """
        settings = self.check(config, language_model=language_model)
        model = self.read_model(Path(config.model)) if self.read_model and config.model is not None else None
        return self.build(settings, model)

    def to_dict(self) -> dict[str, Any]:
        """The spec as JSON has it."""
        hints = get_type_hints(self.settings)
        return {
            "name": self.name,
            "summary": self.summary,
            "needs": sorted(self.needs),
            "extra": self.extra or None,
            "takes_model": self.read_model is not None,
            "source": self.citation,
            "settings": [
                {"name": one.name, "type": _type_name(hints[one.name]), "default": one.default, "doc": _doc(one)}
                for one in fields(self.settings)
            ],
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


def changed_settings(settings: Any) -> dict[str, Any]:
    """The settings that are not at their default."""
    defaults = {one.name: one.default for one in fields(settings)}
    return {name: value for name, value in asdict(settings).items() if value != defaults[name]}


def _is_none(value: object, hint: Any) -> bool:
    """Whether a text says ``None``, as ``kgqa methods`` does, of a setting that can be that."""
    return isinstance(value, str) and value.lower() == "none" and NoneType in get_args(hint)


def _doc(one: Field[Any]) -> str:
    return str(one.metadata["doc"])


def _type_name(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint).replace("typing.", "")
