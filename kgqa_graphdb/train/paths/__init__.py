"""Training of the method paths: a ranker of relation paths, and a reranker of what it proposes."""
