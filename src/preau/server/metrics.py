"""What is counted, for Prometheus."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The counters of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._actions = Counter("preau_actions", "Actions in the log.", ["kind"], registry=self.registry)
        self._by_kind: dict[str, Counter] = {}
        self.refused = Counter("preau_refused", "Messages refused.", ["error"], registry=self.registry)
        self.messages = Counter("preau_messages", "Socket messages received.", registry=self.registry)
        self.conflicts = Counter(
            "preau_conflicts", "Appends that another process was quicker at.", registry=self.registry
        )
        self.dropped = Counter("preau_dropped", "Sockets closed by the server.", ["reason"], registry=self.registry)
        self.bot_failures = Counter(
            "preau_bot_failures", "Decisions a bot failed to take in time.", registry=self.registry
        )
        self.requests = Counter("preau_requests", "HTTP requests.", ["status"], registry=self.registry)
        self.commit_seconds = Histogram(
            "preau_commit_seconds", "From action to committed.", registry=self.registry, buckets=_SECONDS
        )
        self.bot_seconds = Histogram(
            "preau_bot_seconds", "Time a bot thought.", registry=self.registry, buckets=_SECONDS
        )

    def acted(self, kind: str) -> None:
        """One more action of this kind."""
        if kind not in self._by_kind:
            self._by_kind[kind] = self._actions.labels(kind)
        self._by_kind[kind].inc()

    def watch(self, name: str, help_text: str, value: Callable[[], float]) -> None:
        """A gauge that is looked up when it is asked for."""
        Gauge(name, help_text, registry=self.registry).set_function(value)

    def page(self) -> bytes:
        """All of it in Prometheus' text form."""
        return generate_latest(self.registry)
