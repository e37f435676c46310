"""Who runs which tests, where several processes share them (`make test`), and what follows when one of them dies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

PAGE = Path(__file__).parent.name + "/page/"


class Shared(LoadFileScheduling):  # type: ignore[misc]
    """The first process drives the browser, which is mostly waiting, and the others do the rest, file after file;
    whoever has no more of their own helps.
    """

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        config.pluginmanager.register(self, "preau-sharing")

    def _assign_work_unit(self, node: Any) -> None:
        drives = node.gateway.id == "gw0"
        mine = next((file for file in self.workqueue if file.startswith(PAGE) == drives), None)
        if mine is not None:
            self.workqueue.move_to_end(mine, last=False)
        super()._assign_work_unit(node)

    @pytest.hookimpl(trylast=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """End the run when a process has died, and name the test in which that happened.

        Without this, xdist starts another process and hands out all files of the dead one again, finished ones too. A
        process that gets a finished file has nothing to report, so it is sent no further tests and waits for ever.
        """
        if error is None:
            return
        files = self.assigned_work.get(node, {}).values()
        test = next((test for tests in files for test, done in tests.items() if not done), None)
        where = f"in {test}" if test else "outside of tests"
        pytest.exit(f"process {node.gateway.id} died {where}: {error}", returncode=pytest.ExitCode.TESTS_FAILED)
