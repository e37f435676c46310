"""A Ray cluster of two nodes on this machine, reachable from this machine only: `python -m tests.arena.ray_nodes`.

It prints the address, then does what it is told, a word a line: `both` waits until both nodes play, `worker` kills a
process that plays on the second node, `node` kills the second node while it plays. It answers each word with `ok`, and
ends with its input.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from typing import Any

SMALL = {"num_cpus": 1, "object_store_memory": 80 << 20}
PLAYING = b"ray::_play_there"
PATIENCE = 300


class Nodes:
    """The cluster; its head is at 127.0.0.2, its second node at 127.0.0.3."""

    def __init__(self) -> None:
        cluster: Any = import_module("ray.cluster_utils").Cluster
        self.cluster = cluster(
            initialize_head=True,
            head_node_args={**SMALL, "node_ip_address": "127.0.0.2", "include_dashboard": False},
        )
        self.second = self.cluster.add_node(node_ip_address="127.0.0.3", **SMALL)

    def both(self) -> None:
        until(lambda: players(self.cluster.head_node))
        until(lambda: players(self.second))

    def worker(self) -> None:
        os.kill(until(lambda: players(self.second))[0], signal.SIGKILL)

    def node(self) -> None:
        until(lambda: players(self.second))
        self.cluster.remove_node(self.second, allow_graceful=False)


def players(node: Any) -> list[int]:
    """The processes of a node that play a game right now."""
    (raylet,) = node.all_processes["raylet"]
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int(folder.joinpath("stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            if parent == raylet.process.pid and folder.joinpath("cmdline").read_bytes().startswith(PLAYING):
                found.append(int(folder.name))
        except OSError:
            continue  # it has just ended
    return found


def until(look: Callable[[], list[int]]) -> list[int]:
    end = monotonic() + PATIENCE
    while not (found := look()):
        if monotonic() > end:
            raise TimeoutError("nobody plays")
        sleep(0.01)
    return found


def main() -> None:
    nodes = Nodes()
    try:
        print(nodes.cluster.address, flush=True)
        for word in sys.stdin:
            getattr(nodes, word.strip())()
            print("ok", flush=True)
    finally:
        nodes.cluster.shutdown()


if __name__ == "__main__":
    main()
