"""Training: :mod:`~kgqa_graphdb.train.data` says what is trained on, a folder a method what is trained.

A method's training follows the protocol :class:`kgqa_graphdb.train.trainer.Trainer`, and
:func:`kgqa_graphdb.train.loop.train_model` runs it: with checkpoints, a log, early stopping and seeds.
"""
