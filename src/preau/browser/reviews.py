"""Reviews on this device: worked out in small pieces, when no bot wants to think, and kept with the table."""

from __future__ import annotations

import msgspec

from ..core.state import Json
from ..host.queries import PlannedReview, PlanQuery
from ..host.questions import Answer, AssemblyQuestion, ReviewAnswer, ReviewQuestion
from ..table import protocol
from ..table.refusals import Unknown

STRENGTH = "quick"
"""How hard games are looked at here, where the rules are not compiled: a quarter of what a server does."""
PORTION = 400
"""So many positions are looked at in a piece: bots that want to think wait for one at the most."""
TRIES = 3
"""How often a piece is tried that fails."""
MOST = 8
"""Reviews that are remembered, besides those that are kept with tables."""


class Review:
    """A review that is being worked out, or is done."""

    def __init__(self, planned: PlannedReview) -> None:
        self.id = planned.id
        self.found: Json | None = None
        self.tables: set[str] = set()
        """Those whose game this is."""
        self._planned = planned
        self._pieces: list[object] = []
        self._failed = 0

    @property
    def failed(self) -> bool:
        """Whether it was given up."""
        return self._failed >= TRIES

    @property
    def waits(self) -> bool:
        """Whether there is something to do."""
        return self.found is None and not self.failed

    def question(self) -> ReviewQuestion | AssemblyQuestion:
        """Return what to find out next."""
        planned = self._planned
        if len(self._pieces) < len(planned.pieces):
            return ReviewQuestion(planned.record, planned.pieces[len(self._pieces)], STRENGTH)
        return AssemblyQuestion(planned.record, self._pieces, STRENGTH)

    def take(self, answer: Answer) -> None:
        """Take in what was found out."""
        if not isinstance(answer, ReviewAnswer):
            self._failed += 1
        elif len(self._pieces) < len(self._planned.pieces):
            self._pieces.append(answer.found)
            self._failed = 0
        else:
            self.found = answer.found
            self._pieces = []

    def info(self) -> protocol.ReviewInfo:
        """How it stands."""
        of = len(self._planned.pieces)
        if self.found is not None:
            return protocol.ReviewInfo(id=self.id, status="done", of=of, done=of, review=self.found)
        status = protocol.ReviewInfo(id=self.id, status="failed" if self.failed else "working", of=of)
        status.done = len(self._pieces)
        return status


class ReviewJobs:
    """All reviews of the house, in the order in which they were asked for."""

    def __init__(self) -> None:
        self._known: dict[str, Review] = {}

    def ask(self, record: str | Json, today: str, table: str = "") -> Review:
        """Have a record reviewed, if that was not done already; what failed is tried anew."""
        query = PlanQuery(record, today, STRENGTH, PORTION)
        planned = msgspec.json.decode(query.answer(), type=PlannedReview)
        found = self._known.get(planned.id)
        if found is None or found.failed:
            found = self._known[planned.id] = Review(planned)
        if table:
            found.tables.add(table)
        self._make_room()
        return found

    def restore(self, name: str, table: str, found: Json) -> None:
        """A review that is kept with a table."""
        known = self._known[name] = Review(PlannedReview(name, "", []))
        known.found = found
        known.tables.add(table)

    def find(self, name: str) -> Review:
        """A review by its name."""
        if name not in self._known:
            raise Unknown("nobody has asked for this review", field="review", key="no_review", hint="Ask with POST.")
        return self._known[name]

    def waiting(self) -> Review | None:
        """The one to work on."""
        return next((one for one in self._known.values() if one.waits), None)

    def _make_room(self) -> None:
        done = [name for name, one in self._known.items() if not one.waits]
        for name in done[: max(0, len(self._known) - MOST)]:
            del self._known[name]
