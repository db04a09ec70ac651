"""Networks of step I in torch and PyTorch Geometric."""
