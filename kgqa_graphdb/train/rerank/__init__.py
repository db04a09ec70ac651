"""Training of the ranker that the method rerank uses."""
