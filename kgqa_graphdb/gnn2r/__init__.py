"""GNN2R: question subgraphs, the network that reasons over them, and the patterns that its answers are proved by.

Source: R. Wang et al., GNN2R: Weakly-Supervised Rationale-Providing Question Answering over Knowledge Graphs (2023).
"""
