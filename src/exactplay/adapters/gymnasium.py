"""Winston 1984 as a Gymnasium environment with action masks.

``gymnasium.make("exactplay.adapters.gymnasium:exactplay/Winston84-v0")``, or :class:`Winston84Env` itself.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exactplay.adapters import require
from exactplay.adapters.steps import Position, settled
from exactplay.adapters.steps.winston84 import DECISIONS, Winston84
from exactplay.common.words import one_of
from exactplay.render import draw
from exactplay.rules.contract import OVER, BadOption, quoted
from exactplay.rules.winston84 import Rules

require("gymnasium", "gymnasium")

import gymnasium  # noqa: E402  # after the check that says what to install

Observation = NDArray[np.float32]

ENV_ID = "exactplay/Winston84-v0"


class Winston84Env(gymnasium.Env[Observation, np.int64]):
    """The game of one player, alone with his dice.

    Actions: one number a decision, see :data:`exactplay.adapters.steps.winston84.DECISIONS`. Observation: float32 from 0 to
    1, the features of :class:`exactplay.adapters.steps.winston84.Winston84` one behind the other. Reward: 0 until the end,
    then once what the objective makes of it: the final score (``score``), or 1 or 0 (``win``, ``at-least:T``).

    ``info["action_mask"]`` and :meth:`action_masks` say which actions are legal. With ``illegal="ignore"`` another one
    changes nothing, as Gymnasium's own checks want it; with ``"raise"`` it is an IllegalMove. ``info["position"]`` is the
    position's text. A game set up so late that the dice may decide it before any decision begins with a mask of zeros; its
    first step, whatever the action, ends it.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "svg"], "render_fps": 4}  # noqa: RUF012  # as its base has it

    def __init__(
        self, sheet: str = "reference", difficulty: int = 1, objective: str = "score", start: str = "",
        rules: Mapping[str, bool] | None = None, illegal: str = "ignore", render_mode: str | None = None,
    ) -> None:
        one_of(illegal, ("ignore", "raise"), "illegal")
        if render_mode is not None:
            one_of(render_mode, self.metadata["render_modes"], "render_mode")
        self.render_mode = render_mode
        self.illegal = illegal
        self.table = Winston84(Rules.from_mapping(rules or {}), sheet, difficulty, objective, start)
        self.action_space = gymnasium.spaces.Discrete(len(DECISIONS))
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (self.table.width,), np.float32)
        self.position: Position = self.table.begin()
        self._paid = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new game; there are no ``options``."""
        if options:
            raise BadOption(f"reset has no options, but {', '.join(map(quoted, options))} was given")
        super().reset(seed=seed)
        self.position, self._paid = settled(self.table.begin(), self.np_random), False
        return self._seen(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Decide, and roll all dice that are due then; raises :class:`IllegalMove` with ``illegal="raise"``."""
        going = self.position.to_act != OVER
        if action in self.position.actions or (self.illegal == "raise" and going):
            self.position = settled(self.position.step(action), self.np_random)  # type: ignore[arg-type]  # any integer
        over = self.position.to_act == OVER
        # A game set up so late that it is over before its first decision pays at the first step.
        reward = self.table.returns(self.position.state)[0] if over and not self._paid else 0.0
        self._paid = over
        return self._seen(), reward, over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, under the name by which sb3-contrib asks."""
        return self.table.mask(self.position, 0).astype(np.bool_)

    def render(self) -> str | None:
        """The position as a line of text (``ansi``) or as a drawing (``svg``, the text of one)."""
        if self.render_mode == "svg":
            return draw(self.position.state)
        return self.table.public(self.position) if self.render_mode == "ansi" else None

    def _seen(self) -> Observation:
        return self.table.vector(self.position, 0)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.table.mask(self.position, 0), "position": self.table.public(self.position)}


if ENV_ID not in gymnasium.registry:
    gymnasium.register(ENV_ID, entry_point="exactplay.adapters.gymnasium:Winston84Env")
