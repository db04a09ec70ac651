"""Text encoders: where a model comes from, how it runs, and the vectors that are kept."""

from kgqa_graphdb.encode.cache import CachedEncoder
from kgqa_graphdb.encode.characters import CHARACTERS, CharacterEncoder
from kgqa_graphdb.encode.encoder import Encoder, OnnxEncoder, TokenEncoder
from kgqa_graphdb.encode.locate import (
    CURE,
    DEFAULT_MODEL,
    cache_folder,
    copy_settings,
    locate_encoder,
    locate_weights,
)
from kgqa_graphdb.encode.tuned import TunedEncoder

__all__ = [
    "CHARACTERS", "CURE", "DEFAULT_MODEL", "CachedEncoder", "CharacterEncoder", "Encoder", "OnnxEncoder",
    "TokenEncoder", "TunedEncoder", "cache_folder", "copy_settings", "locate_encoder", "locate_weights",
]  # fmt: skip
