"""Candidates of a language model, re-ranked by the subgraphs between them and the entities of a question."""
