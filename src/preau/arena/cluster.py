"""Playing on Ray: every game is a task, which Ray gives to another process or node if the one that had it dies."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Generator, Sequence
from contextlib import redirect_stdout
from importlib import import_module
from socket import create_connection
from typing import Any

from ..core.errors import PreauError, SetupError
from .engine import engine
from .play import PlannedGames, Played
from .runner import WorkerFailure, attempt

LOCAL = "local"
RETRIES = 5
"""How many times Ray plays a game again after losing the process or the node it was played on."""
PATIENCE = 5.0
"""Seconds that a cluster may take to answer."""
AHEAD = 2
"""How many games each processor of the cluster is given at a time, so that none waits for its next one."""


def play_on_ray(
    games: PlannedGames, indices: Sequence[int], address: str, workers: int
) -> Generator[Played, None, None]:
    """Play these games on the cluster at `address`, or with `local` on one started here for the purpose."""
    ray = import_ray()
    with redirect_stdout(sys.stderr):  # where Ray's own messages belong
        yield from _play(ray, games, indices, address, workers)


def _play(
    ray: Any, games: PlannedGames, indices: Sequence[int], address: str, workers: int
) -> Generator[Played, None, None]:
    _join(ray, address, workers)
    try:
        task = ray.remote(num_cpus=1, max_retries=RETRIES)(_play_there)
        left = list(reversed(indices))
        playing: dict[Any, int] = {}
        while left or playing:
            room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
            while left and len(playing) < room:
                index = left.pop()
                playing[task.remote(games, index)] = index
            ready, _ = ray.wait(list(playing), num_returns=1, timeout=1.0)
            for reference in ready:
                yield _received(ray, reference, games, playing.pop(reference))
    finally:
        ray.shutdown()


def import_ray() -> Any:
    """The Ray library, which is only needed here."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        return import_module("ray")
    except ModuleNotFoundError as error:
        raise SetupError(
            f"Ray cannot be used, because {error.name} is not installed", field="--ray", hint="pip install 'preau[ray]'"
        ) from None


def _join(ray: Any, address: str, workers: int) -> None:
    common = {
        "log_to_driver": False,
        "logging_level": logging.ERROR,
        "configure_logging": True,
        "runtime_env": {"env_vars": {"PYTHONHASHSEED": "0"}},  # sets are ordered alike in all processes
    }
    if address.strip().lower() == LOCAL:
        ray.init(address=LOCAL, num_cpus=workers, include_dashboard=False, object_store_memory=100 << 20, **common)
        return
    host, colon, port = address.rpartition(":")
    if host.startswith("127."):  # a cluster that this machine keeps to itself
        common["_node_ip_address"] = host
    try:
        if colon and port.isdigit() and "/" not in host:  # Ray itself is slow to give up
            create_connection((host, int(port)), timeout=PATIENCE).close()
        ray.init(address=address, **common)
    except (OSError, OverflowError, ValueError, RuntimeError) as error:
        why = str(error).strip().splitlines()
        raise SetupError(
            f"no Ray cluster answers at {address} ({why[0] if why else type(error).__name__})",
            field="--ray",
            hint="Start one with: ray start --head. Or use --ray local.",
        ) from None


def _received(ray: Any, reference: Any, games: PlannedGames, index: int) -> Played:
    try:
        there, answer = ray.get(reference)
    except ray.exceptions.RayError as error:
        raise WorkerFailure(
            f"Ray gave it up: {str(error).strip().splitlines()[-1]}",
            field=games.name_of(index),
            hint="Preau must be installed on every node.",
        ) from None
    here = engine(games.plan.game)
    if there != here:
        raise SetupError(
            f"a node has another Préau, or another package of the game: {', '.join(there.values())}",
            field="--ray",
            hint=f"Install the same everywhere: {', '.join(here.values())}.",
        )
    if isinstance(answer, PreauError):
        raise answer
    played: Played = answer
    return played


def _play_there(games: PlannedGames, index: int) -> tuple[dict[str, str], Played | PreauError]:
    return engine(games.plan.game), attempt(games, index)
