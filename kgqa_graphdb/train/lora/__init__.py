"""Training of language models: adapters that read facts, write them as text, or guess answers; and their examples."""
