"""Fit the network that guides the two-player search of Winner: ``python -m bench rebuild winner``.

Writes cython_core/winner/weights.h (build again afterwards). The positions are a sample of those that the search settles
while it works on random deals (seeds that the speed table does not use), so the weights in force have a part in which are
met. Those in force were fitted to 168,080 positions: the samples of three runs together (the last of 120 deals, the others
of fewer), each guided by what the ones before had found.
"""
from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from bench import ROOT
from bench.speed.winner import deals
from exactplay.cython_core.winner.proof_search import ProofSearch
from exactplay.solvers.winner import bridge

_HEADER = ROOT / "cython_core" / "winner" / "weights.h"
_HIDDEN = 32
_ROOM = 100_000
# Cards a side, deals, CPU seconds each: many deals for a short time, for the positions of one deal are much alike.
_DEALS = ((27, 70, 0.9), (22, 50, 0.6), (19, 60, 0.4))
_FIRST_SEED = 400
Floats = NDArray[np.float32]


class _Clock:
    """CPU seconds from now on."""

    def __init__(self, seconds: float) -> None:
        self._end = time.process_time() + seconds

    def is_over(self, _: int) -> bool:
        return time.process_time() > self._end


def sample() -> tuple[Floats, Floats, Floats]:
    """What positions look like, a row each, who won them (1: the side to act), and the nodes that it took to tell."""
    looks, won, nodes = [], [], []
    for cards, number, seconds in _DEALS:
        for state in deals(cards, number, _FIRST_SEED):
            position = bridge.position_of(state)
            search = ProofSearch(position, False, 1 << 30)
            rows = np.zeros((_ROOM, 4), np.uint64)
            search.watch(rows)
            search.at_least(position, 1, 2**62, _Clock(seconds).is_over)
            rows = rows[:search.watched]
            out = np.zeros((len(rows), 32), np.float32)
            won.append(np.array(search.traits(rows, out), np.float32))
            looks.append(out)
            nodes.append(rows[:, 3].astype(np.float32))
        print(f"{cards} cards: {sum(map(len, won))} positions", flush=True)
    return np.concatenate(looks), np.concatenate(won), np.concatenate(nodes)


def fit(looks: Floats, won: Floats, nodes: Floats, epochs: int = 12, seed: int = 1) -> list[Floats]:
    """Weights, biases, output weights and output bias: Adam on the log loss. What took many nodes counts more.

    The last part is held back to say how good they are: of a random one the deals would be known.
    """
    rng = np.random.default_rng(seed)
    kept = len(won) - len(won) // 20
    share = np.clip((nodes / 20)**0.3, 0.3, 4)
    mean, spread = looks[:kept].mean(0), looks[:kept].std(0) + 1e-6
    scaled = ((looks - mean) / spread).astype(np.float32)
    params = [rng.normal(0, 0.25, (looks.shape[1], _HIDDEN)), np.zeros(_HIDDEN), rng.normal(0, 0.25, _HIDDEN), np.zeros(1)]
    first, second = [np.zeros_like(p) for p in params], [np.zeros_like(p) for p in params]
    step = 0
    for epoch in range(epochs):
        rate = 4e-3 * (1 - epoch / epochs)
        shuffled = rng.permutation(kept)
        for start in range(0, kept, 512):
            batch = shuffled[start:start + 512]
            x = scaled[batch]
            inner = x @ params[0] + params[1]
            active = np.maximum(inner, 0)
            error = (1 / (1 + np.exp(-(active @ params[2] + params[3]))) - won[batch]) * share[batch] / len(batch)
            back = np.outer(error, params[2]) * (inner > 0)
            step += 1
            for i, gradient in enumerate((x.T @ back, back.sum(0), active.T @ error, error.sum(keepdims=True))):
                first[i] += 0.1 * (gradient - first[i])
                second[i] += 0.001 * (gradient**2 - second[i])
                params[i] -= rate * (first[i] / (1 - 0.9**step)) / (np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8)
    odds = np.maximum(scaled[kept:] @ params[0] + params[1], 0) @ params[2] + params[3]
    loss = np.log1p(np.exp(-np.where(won[kept:] > 0, odds, -odds))).mean()
    right = ((odds > 0) == (won[kept:] > 0)).mean()
    print(f"{len(won)} positions; of {len(odds)} held back {right:.3f} told right, log loss {loss:.3f}")
    weights = params[0] / spread[:, None]
    return [weights, params[1] - mean @ weights, params[2], params[3]]


def header(params: list[Floats]) -> str:
    """The C header that holds the weights."""
    def numbers(row: Floats) -> str:
        return ", ".join(f"{value:.4e}f" for value in row)

    weights, bias, out, out_bias = params
    return "\n".join([
        "/* Weights of guess.pxd, fitted and written by bench/rebuild/winner.py, which tells how; do not edit. */",
        "#ifndef EXACTPLAY_WINNER_WEIGHTS_H", "#define EXACTPLAY_WINNER_WEIGHTS_H",
        f"#define WN_TRAITS {weights.shape[0]}", f"#define WN_HIDDEN {weights.shape[1]}",
        "static const float wn_weight[WN_TRAITS][WN_HIDDEN] = {", *(f"    {{{numbers(row)}}}," for row in weights), "};",
        f"static const float wn_bias[WN_HIDDEN] = {{{numbers(bias)}}};",
        f"static const float wn_out[WN_HIDDEN] = {{{numbers(out)}}};",
        f"static const float wn_out_bias = {out_bias[0]:.4e}f;", "#endif", "",
    ])


def rebuild(words: list[str]) -> None:
    """Fit the weights, and write the header."""
    _HEADER.write_text(header(fit(*sample())))
