"""Training from question-answer pairs: mined paths, a network, and the folder that ``--model`` takes."""
