"""Text encoders: where a model comes from, how it runs, and the vectors that are kept."""

from kgqa_graphdb.encode.cache import CachedEncoder
from kgqa_graphdb.encode.characters import CHARACTERS, CharacterEncoder
from kgqa_graphdb.encode.encoder import Encoder, OnnxEncoder, TokenEncoder
from kgqa_graphdb.encode.locate import CURE, DEFAULT_MODEL, cache_folder, locate_encoder

__all__ = [
    "CHARACTERS", "CURE", "DEFAULT_MODEL", "CachedEncoder", "CharacterEncoder", "Encoder", "OnnxEncoder",
    "TokenEncoder", "cache_folder", "locate_encoder",
]  # fmt: skip
