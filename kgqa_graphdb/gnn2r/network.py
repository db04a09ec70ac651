"""Step I in numpy: the distances of entities from a question; :mod:`kgqa_graphdb.gnn2r.pyg.paper` is it in torch.

Source: R. Wang et al., GNN2R (2023), section IV-A; numbers in brackets are its equations.

Where this leaves the paper:

- ``W [a, b]`` is computed as ``A a + B b``, so that what is of an entity, a relation or a question is multiplied once
  for each of these, not for each edge; the result is the same.
- A relation walked backwards has words and a vector of its own (``inverse="apart"``); there it is the same relation,
  so that nobody can tell parents from children.
- Entities that are no topics begin with one learned vector, and with one of how many hops they are from the nearest
  topic (``distances``).
- Entities that know the same are computed once (:mod:`kgqa_graphdb.gnn2r.rounds`); the result is the same.
- Tokens are those of the repository's encoder (MiniLM, 384 wide) instead of BERT's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kgqa_graphdb.gnn2r.graphs import GraphBatch
from kgqa_graphdb.gnn2r.rounds import Round, Rounds, rounds_of
from kgqa_graphdb.types import Bools, Floats, Ints

LEAKY_SLOPE = 0.01
"""Of LeakyReLU below zero, as torch has it."""
GENERAL, LAYERWISE, RELATION = "general", "layerwise", "relation"
"""Names of the recurrent networks."""
REVERSE = "_reverse"
"""What torch puts behind the name of a weight of the direction from the end to the beginning."""


class StepOneNetwork:
    """The forward pass.

    :param weights: by the names of :class:`kgqa_graphdb.gnn2r.pyg.paper.StepOneNetwork`
    :param layers: how often messages are passed
    """

    def __init__(self, weights: Mapping[str, Floats], layers: int) -> None:
        self._weights = weights
        self._layers = layers
        by_layer = [(LAYERWISE, ""), (LAYERWISE, REVERSE)]
        self._first_reading = _Recurrent(weights, [(GENERAL, ""), (GENERAL, REVERSE), *by_layer])
        self._next_readings = _Recurrent(weights, by_layer)

    @property
    def dim(self) -> int:
        """Length of an entity's vector."""
        return len(self._weights["entity"])

    def relations(self, tokens: Sequence[Floats], inverse: Bools) -> Floats:
        """Vectors of relations, shape (relations, dim).

        :param tokens: of the words of each its tokens' vectors, shape (tokens, dim of the encoder)
        :param inverse: whether each is walked backwards, and is then a relation of its own; shape (relations,)
        """
        reading = _Recurrent(self._weights, [(RELATION, "")])
        found: Floats = reading.last(reading.inputs(tokens))[0]
        if "inverse" in self._weights:
            found = found + inverse[:, None].astype(np.float32) * self._weights["inverse"]
        return found

    def distances(self, batch: GraphBatch, tokens: Sequence[Floats], relations: Floats) -> Floats:
        """Euclidean distance of each entity from its question; shape (entities,).

        :param tokens: of each question its tokens' vectors, shape (tokens, dim of the encoder)
        :param relations: vectors of the batch's relations, shape (used, dim)
        """
        question, by_layer = self._questions(tokens)
        classes = rounds_of(batch, self._layers)
        entities = self._first(classes, question)  # (classes, dim)
        for number, (one, focus) in enumerate(zip(classes.rounds, by_layer, strict=True)):
            entities = self._layer(f"layers.{number}", one, entities, relations, focus, question)
        found: Floats = np.linalg.norm(entities - question[classes.rounds[-1].question_after], axis=1)
        return found[classes.entity]

    # ── questions ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _questions(self, tokens: Sequence[Floats]) -> tuple[Floats, list[Floats]]:
        """The vector of each question, and that of each for each layer; shape (questions, dim) each."""
        brought = self._first_reading.inputs(tokens)
        states = self._first_reading.last(brought)  # (4, questions, dim)
        question, state = _mean(states[:2]), states[2:]
        by_layer = [_mean(state)]
        for _ in range(1, self._layers):  # a layer goes on from what the one before had in mind
            state = self._next_readings.last(brought[2:], state)
            by_layer.append(_mean(state))
        return question, by_layer

    # ── entities ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _first(self, classes: Rounds, question: Floats) -> Floats:
        """Topics begin as their question, all others alike but for their distance; shape (classes, dim)."""
        start = np.broadcast_to(self._weights["entity"], (classes.distance.size, self.dim))
        if "distance.weight" in self._weights:
            known = self._weights["distance.weight"]
            start = start + known[np.minimum(classes.distance, len(known) - 1)]
        found: Floats = np.where((classes.distance == 0)[:, None], question[classes.rounds[0].question], start)
        return found

    def _layer(
        self, name: str, one: Round, entities: Floats, relations: Floats, focus: Floats, question: Floats
    ) -> Floats:
        """Classes of entities after a round of messages; shape (classes after, dim).

        :param entities: before it; shape (classes before, dim)
        :param focus: vectors of the questions for this layer; shape (questions, dim)
        """
        w = self._weights
        sent = entities @ w[f"{name}.sender.weight"].T  # (classes before, dim)
        along = relations @ w[f"{name}.relation.weight"].T + w[f"{name}.relation.bias"]  # (used, dim)
        messages = np.tanh(sent[one.sender] + along[one.relation])  # (messages, dim) (1)
        asked = focus @ w[f"{name}.attend_question.weight"].T + w[f"{name}.attend_question.bias"]  # (questions, dim)
        attended = messages @ w[f"{name}.attend_message.weight"].T + asked[one.question[one.sender]]
        scores = _leaky(attended) @ w[f"{name}.attend.weight"][0]  # (messages,) (2)
        gathered, has_any = _aggregated(messages, scores, one)  # (classes after, dim) (3)
        wanted = question @ w[f"{name}.gate_question.weight"].T + w[f"{name}.gate_question.bias"]  # (questions, dim)
        new, old = (
            _leaky(some @ w[f"{name}.gate_entity.weight"].T + wanted[of]) @ w[f"{name}.gate.weight"][0]
            for some, of in ((gathered, one.question_after), (entities, one.question))
        )  # (classes after,), (classes before,) (7), (8)
        share = (_sigmoid(new - old[one.before]) * has_any)[:, None]
        found: Floats = share * gathered + (1 - share) * entities[one.before]  # (9)
        return found


class _Recurrent:
    """Directions of gated recurrent networks (Cho et al. 2014) side by side, each as torch's ``GRU`` computes it.

    :param names: of each its network's and what torch puts behind the names of its weights
    """

    def __init__(self, weights: Mapping[str, Floats], names: Sequence[tuple[str, str]]) -> None:
        def stacked(part: str) -> Floats:
            return np.stack([weights[f"{name}.{part}_l0{direction}"] for name, direction in names])

        self._read = stacked("weight_ih").swapaxes(1, 2), stacked("bias_ih")[:, None]
        self._kept = np.ascontiguousarray(stacked("weight_hh").swapaxes(1, 2)), stacked("bias_hh")[:, None]
        self._backward = [direction == REVERSE for _, direction in names]

    def inputs(self, tokens: Sequence[Floats]) -> _Brought:
        """What each token brings to each direction, in reading order."""
        sizes = np.array([len(vectors) for vectors in tokens], dtype=np.int64)
        weight, bias = self._read
        flat = np.concatenate(tokens) @ weight + bias  # (directions, all tokens, 3 · dim)
        found = np.zeros((len(flat), int(sizes.max()), len(tokens), flat.shape[2]), dtype=np.float32)
        for row, part in enumerate(np.split(flat, np.cumsum(sizes)[:-1], axis=1)):
            for direction, backward in enumerate(self._backward):
                found[direction, : sizes[row], row] = part[direction, ::-1] if backward else part[direction]
        return _Brought(found, sizes)

    def last(self, brought: _Brought, state: Floats | None = None) -> Floats:
        """The state after the last token of each text; shape (directions, texts, dim).

        :param state: before the first; ``None``: nothing
        """
        weight, bias = self._kept
        dim, gates = weight.shape[1], 2 * weight.shape[1]
        if state is None:
            state = np.zeros((len(weight), brought.sizes.size, dim), dtype=np.float32)
        for place in range(brought.values.shape[1]):
            read, kept = brought.values[:, place], state @ weight + bias
            gate = _sigmoid(read[..., :gates] + kept[..., :gates])
            reset, keep = gate[..., :dim], gate[..., dim:]
            fresh = np.tanh(read[..., gates:] + reset * kept[..., gates:])
            there = (brought.sizes > place)[:, None]  # of a text that has ended the state stays
            state = np.where(there, (1 - keep) * fresh + keep * state, state)
        return state


@dataclass(frozen=True, slots=True, eq=False)
class _Brought:
    """What texts bring to recurrent networks.

    :ivar values: shape (directions, tokens of the longest, texts, 3 · dim)
    :ivar sizes: tokens of each text
    """

    values: Floats
    sizes: Ints

    def __getitem__(self, directions: slice) -> _Brought:
        return _Brought(self.values[directions], self.sizes)


def _aggregated(messages: Floats, scores: Floats, one: Round) -> tuple[Floats, Floats]:
    """The mean of the messages that reach each class, by their scores' softmax, and whether any does (3) to (6)."""
    gathered = np.zeros((one.before.size, messages.shape[1]), dtype=np.float32)
    has_any = np.zeros(one.before.size, dtype=np.float32)
    if not one.receiver.size:
        return gathered, has_any
    starts = np.flatnonzero(np.diff(one.receiver, prepend=-1))
    reached = one.receiver[starts]
    sizes = np.diff(starts, append=one.receiver.size)
    own = scores[one.message]  # (edges,)
    weight = np.exp(own - np.repeat(np.maximum.reduceat(own, starts), sizes))
    weight = weight / np.repeat(np.add.reduceat(weight, starts), sizes)
    for size in np.unique(sizes):  # all classes that so many edges reach, at once: reduceat of rows is far slower
        some = np.flatnonzero(sizes == size)
        edges = starts[some, None] + np.arange(size)  # (some, size)
        gathered[reached[some]] = (weight[edges][:, None] @ messages[one.message[edges]])[:, 0]
    has_any[reached] = 1
    return gathered, has_any


def _mean(directions: Floats) -> Floats:
    found: Floats = directions.mean(axis=0)
    return found


def _leaky(x: Floats) -> Floats:
    found: Floats = np.maximum(x, np.float32(LEAKY_SLOPE) * x)
    return found


def _sigmoid(x: Floats) -> Floats:
    found: Floats = np.float32(0.5) * (np.tanh(np.float32(0.5) * x) + np.float32(1))
    return found
