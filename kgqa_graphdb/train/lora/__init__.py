"""Training of language models: adapters that read facts, or turn them into text; and what these learn from."""
