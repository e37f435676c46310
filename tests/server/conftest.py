"""Servers and services, started once for all tests that can share them."""

from __future__ import annotations

import pytest

from tests.server.processes import OFF, DefaultServer, Postgres, Redis, Server


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One process on SQLite, shared by hundreds of tests.

    Limits are off, because the tests of a whole school day come from one address within minutes. Bots answer at once.
    `default_server` has neither of these settings.
    """
    one = Server(f"sqlite:///{tmp_path_factory.mktemp('db')}/preau.db", limits=OFF)
    yield one
    one.stop()


@pytest.fixture(scope="session")
def default_server(tmp_path_factory):
    """`preau serve` with default settings, for one whole journey of each feature. Only bots do not wait before they
    act, because no test measures that pause, and checking a file may take long, because the machine may be busy.
    """
    one = DefaultServer(tmp_path_factory.mktemp("default"), "--set=bot_pause_ms=0", "--set=desk_ms=600000")
    yield one
    one.stop()


@pytest.fixture(scope="session")
def postgres():
    one = Postgres()
    yield one
    one.stop()


@pytest.fixture(scope="session")
def redis():
    one = Redis()
    yield one
    one.stop()


@pytest.fixture(scope="session")
def pair(postgres, redis):
    """Two processes on one PostgreSQL and one Redis. Limits are off, because programs play faster than any person."""
    database = postgres.new_database()
    both = [Server(database, redis.url, limits=OFF) for _ in range(2)]
    yield both
    for one in both:
        one.stop()
