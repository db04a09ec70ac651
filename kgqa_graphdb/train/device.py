"""Where a training computes."""

from __future__ import annotations

import torch


def best_device() -> torch.device:
    """CUDA where it is there, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
