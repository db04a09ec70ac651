"""Training of the method rra: the predictor of relation paths."""
