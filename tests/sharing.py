"""Who runs which tests, where several processes share them (`make test`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

PAGE = Path(__file__).parent.name + "/page/"


class Shared(LoadFileScheduling):  # type: ignore[misc]
    """The first process drives the browser, which is mostly waiting, and the others do the rest, file after file;
    whoever has no more of their own helps.
    """

    def _assign_work_unit(self, node: Any) -> None:
        drives = node.gateway.id == "gw0"
        mine = next((file for file in self.workqueue if file.startswith(PAGE) == drives), None)
        if mine is not None:
            self.workqueue.move_to_end(mine, last=False)
        super()._assign_work_unit(node)
