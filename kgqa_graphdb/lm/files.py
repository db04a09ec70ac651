"""Find the files of a language model: a folder, a GGUF file, an installed package, an adapter with its base."""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kgqa_graphdb.documents import parse_json
from kgqa_graphdb.errors import LanguageModelError

_CONFIG = "config.json"
_ADAPTER = "adapter_config.json"
_THAT_COUNT = (".safetensors", ".bin", ".gguf", ".json", ".jinja", ".model", ".txt")
"""Of files that change what a model writes: weights, settings, tokenizer, chat template."""


@dataclass(frozen=True, slots=True)
class LanguageModelFiles:
    """Where transformers finds a model.

    :ivar source: a folder, or an id of the Hugging Face hub
    :ivar options: of ``from_pretrained``: which file of the folder, where it is a GGUF file
    :ivar adapter: folder of a peft adapter
    """

    source: str
    options: dict[str, Any] = field(default_factory=dict)
    adapter: Path | None = None

    @property
    def fingerprint(self) -> str:
        """Changes when the files do; of a hub id, its text."""
        parts: list[Any] = [self.source, sorted(self.options.items())]
        for folder in (Path(self.source), self.adapter):
            if folder is not None and folder.is_dir():
                stats = ((one.name, one.stat()) for one in sorted(folder.iterdir()) if one.suffix in _THAT_COUNT)
                parts += [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats]
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def adapter_fingerprint(folder: str) -> str:
    """Changes when the files of an adapter do."""
    return LanguageModelFiles("", adapter=Path(folder).expanduser()).fingerprint


def setting_text(value: object) -> str:
    """A setting as a text that tells runs apart: of an adapter's folder with what its files are."""
    known = isinstance(value, str) and value and (Path(value).expanduser() / _ADAPTER).is_file()
    return f"{value} ({adapter_fingerprint(str(value))[:8]})" if known else str(value)


def find_files(name: str, adapter: str = "") -> LanguageModelFiles:
    """The files of a language model.

    :param name: a folder with a transformers model, a GGUF file or a peft adapter; a GGUF file; an installed package
        that carries such files; or an id of the Hugging Face hub
    :param adapter: folder of a peft adapter to put on it
    :raises LanguageModelError: a folder has no model, or several; an adapter is none
    """
    on = adapter_folder(Path(adapter).expanduser()) if adapter else None
    path = Path(name).expanduser()
    if path.suffix == ".gguf" and path.is_file():
        return LanguageModelFiles(str(path.parent), {"gguf_file": path.name}, on)
    if path.is_dir():
        return _in_folder(name, path, on)
    packaged = _package_folder(name)
    return _in_folder(name, packaged, on) if packaged else LanguageModelFiles(name, adapter=on)


def _in_folder(name: str, folder: Path, adapter: Path | None) -> LanguageModelFiles:
    if (folder / _CONFIG).is_file():
        return LanguageModelFiles(str(folder), adapter=adapter)
    if (folder / _ADAPTER).is_file():
        if adapter is not None:
            raise LanguageModelError(f"{name!r} is an adapter itself: name the model that {adapter} is for")
        base = _base_of(folder)
        if (Path(base).expanduser() / _ADAPTER).is_file():
            raise LanguageModelError(f"{name!r} is an adapter of {base!r}, which is one itself: train it on a model")
        files = find_files(base)
        return LanguageModelFiles(files.source, files.options, folder)
    found = sorted(folder.glob("*.gguf"))
    if len(found) == 1:
        return LanguageModelFiles(str(folder), {"gguf_file": found[0].name}, adapter)
    if found:
        names = ", ".join(one.name for one in found)
        raise LanguageModelError(f"{name!r} holds several models: name one of the files {names}")
    raise LanguageModelError(f"{name!r} holds no language model: no {_CONFIG}, no {_ADAPTER} and no GGUF file")


def adapter_folder(folder: Path) -> Path:
    """A folder that holds a peft adapter.

    :raises LanguageModelError: it does not
    """
    if not (folder / _ADAPTER).is_file():
        raise LanguageModelError(f"{str(folder)!r} is no peft adapter: it has no {_ADAPTER}")
    return folder


def _base_of(folder: Path) -> str:
    """The model that an adapter was trained for."""
    try:
        base = parse_json((folder / _ADAPTER).read_text(encoding="utf-8")).get("base_model_name_or_path")
    except (OSError, ValueError, AttributeError) as error:
        raise LanguageModelError(f"{folder / _ADAPTER} can't be read: {error}") from error
    if not isinstance(base, str) or not base:
        raise LanguageModelError(
            f"{folder} does not say which model it is for: name that with --language-model, and the folder with "
            "--language-model-set adapter=DIR"
        )
    return base


def _package_folder(name: str) -> Path | None:
    """The folder of an installed package that carries a model; found without importing it."""
    module = name.replace("-", "_")
    if not module.isidentifier():
        return None
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place)
        if (folder / _CONFIG).is_file() or (folder / _ADAPTER).is_file() or any(folder.glob("*.gguf")):
            return folder
    return None
