"""Trains GNN2R."""
