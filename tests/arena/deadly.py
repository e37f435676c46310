"""An entrant that takes its process with it."""

from __future__ import annotations

import os

from preau.arena import Entrant
from preau.bots import Bot


class Deadly(Entrant):
    def make(self) -> Bot:
        os._exit(3)
