"""Candidates for answers, ranked by the subgraphs that join them with what a question is about."""
