"""What is counted, for Prometheus. What every move counts lies in plain numbers until somebody asks for it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The counters of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._moves = Moves()
        self.registry.register(self._moves)
        self.refused = Counter("preau_refused", "Messages refused.", ["error"], registry=self.registry)
        self.messages = Counter("preau_messages", "Socket messages received.", registry=self.registry)
        self.conflicts = Counter(
            "preau_conflicts", "Appends that another process was quicker at.", registry=self.registry
        )
        self.dropped = Counter("preau_dropped", "Sockets closed by the server.", ["reason"], registry=self.registry)
        self.bot_failures = Counter(
            "preau_bot_failures", "Decisions a bot failed to take in time.", registry=self.registry
        )
        self.calls = Counter(
            "preau_calls", "Calls to people whose turn it is, by what came of them.", ["how"], registry=self.registry
        )
        self.requests = Counter("preau_requests", "HTTP requests.", ["status"], registry=self.registry)
        self.bot_seconds = Histogram(
            "preau_bot_seconds", "Time a bot thought.", registry=self.registry, buckets=_SECONDS
        )

    def acted(self, kind: str) -> None:
        """One more action of this kind."""
        self._moves.kinds[kind] = self._moves.kinds.get(kind, 0) + 1

    def committed(self, seconds: float) -> None:
        """One more action was in the log, so long after it came."""
        self._moves.waits[bisect_left(_SECONDS, seconds)] += 1
        self._moves.waited += seconds

    def watch(self, name: str, help_text: str, value: Callable[[], float]) -> None:
        """A gauge that is looked up when it is asked for."""
        Gauge(name, help_text, registry=self.registry).set_function(value)

    def page(self) -> bytes:
        """All of it in Prometheus' text form."""
        return generate_latest(self.registry)


class Moves(Collector):
    """The actions of one process: how many of each kind, and how long they took to be in the log."""

    def __init__(self) -> None:
        self.kinds: dict[str, int] = {}
        self.waits = [0] * (len(_SECONDS) + 1)
        """How many took at most so long, and longer than the time before; the last, longer than all."""
        self.waited = 0.0

    def collect(self) -> Iterator[Metric]:
        """Both as Prometheus has them."""
        actions = CounterMetricFamily("preau_actions", "Actions in the log.", labels=["kind"])
        for kind, number in self.kinds.items():
            actions.add_metric([kind], number)
        yield actions
        names = [*(str(most) for most in _SECONDS), "+Inf"]
        buckets = list(zip(names, accumulate(self.waits), strict=True))
        yield HistogramMetricFamily("preau_commit_seconds", "From action to committed.", buckets, self.waited)
