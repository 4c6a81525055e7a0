"""The four games of several players as AEC environments of PettingZoo: ``env("winner", players=3)``."""
from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from exactplay.adapters import require
from exactplay.adapters.steps import TABLES, Position, settled, table
from exactplay.common.words import one_of
from exactplay.rules.contract import OVER, BadOption

require("pettingzoo", "pettingzoo")

import gymnasium  # noqa: E402  # after the check that says what to install; PettingZoo brings it
import pettingzoo  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

Observation = dict[str, NDArray[Any]]

GAMES: Final = tuple(game for game, kind in TABLES.items() if kind.most_seats > 1)


class GameEnv(pettingzoo.AECEnv[str, Observation, int]):
    """One game; agents ``player_0`` ... are the seats.

    An observation holds ``observation`` (float32 from 0 to 1: what the agent sees, his own seat first, see
    ``table.layout``) and ``action_mask`` (int8: 1 for each legal action; all zeros for who is not to act). An illegal
    action is refused with IllegalMove. The agent to act spells his move, in one or several steps in a row. Rewards are 0
    until the end, then the returns of :class:`exactplay.adapters.steps.Table`. A game that would be longer than
    ``table.longest`` decisions is truncated and counts as it stands.
    """

    def __init__(self, game: str, render_mode: str | None = None, **options: Any) -> None:
        one_of(game, GAMES, "game")
        if render_mode is not None:
            one_of(render_mode, ("ansi",), "render_mode")
        super().__init__()
        self.metadata = {"name": f"exactplay_{game}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.table = table(game, **options)
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.seats)]
        self.agents: list[str] = []
        spaces = gymnasium.spaces
        self.action_spaces = {agent: spaces.Discrete(len(self.table.actions)) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict({
                "observation": spaces.Box(0.0, 1.0, (self.table.width,), np.float32),
                "action_mask": spaces.Box(0, 1, (len(self.table.actions),), np.int8),
            })
            for agent in self.possible_agents
        }
        self.position: Position = self.table.begin()
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """What an agent's observations are."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """What an agent's actions are."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; ``options`` are ignored, as PettingZoo's own test wants it."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._decisions = 0
        self.agent_selection = self.agents[0]
        self._go_on(self.table.begin())

    def step(self, action: int | None) -> None:
        """The next action of the agent to act, or None of one who is done; raises :class:`IllegalMove`."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise BadOption(f"{agent} is to act, so his action cannot be None")
        following = self.position.step(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._decisions += 1
        self._go_on(following)

    def _go_on(self, position: Position) -> None:
        """Let chance do what is due; then the next agent is to act, or all learn how the game ended."""
        self.position = settled(position, self._random)
        seat = self.position.to_act
        if seat == OVER or self._decisions >= self.table.longest:
            ended = self.terminations if seat == OVER else self.truncations
            ended.update(dict.fromkeys(self.agents, True))
            self.rewards = dict(zip(self.agents, self.table.returns(self.position.state), strict=True))
            self._accumulate_rewards()
            return
        self.agent_selection = self.possible_agents[seat]

    def observe(self, agent: str) -> Observation:
        """What an agent sees."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.table.vector(self.position, seat), "action_mask": self.table.mask(self.position, seat)}

    def render(self) -> str | None:
        """The position as a line of text (``ansi``): what everybody sees."""
        return self.table.public(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""


def env(game: str, render_mode: str | None = None, **options: Any) -> pettingzoo.AECEnv[str, Observation, int]:
    """A game with settings and rule options, in PettingZoo's check for the order of calls."""
    return wrappers.OrderEnforcingWrapper(GameEnv(game, render_mode, **options))


def raw_env(game: str, render_mode: str | None = None, **options: Any) -> GameEnv:
    """The same without the check."""
    return GameEnv(game, render_mode, **options)
