"""Servers and services, started once for all tests that can share them."""

from __future__ import annotations

import pytest

from tests.server.services import Postgres, Redis, Server


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One process on SQLite."""
    one = Server(f"sqlite:///{tmp_path_factory.mktemp('db')}/preau.db")
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
    """Two processes on one PostgreSQL and one Redis."""
    database = postgres.new_database()
    both = [Server(database, redis.url) for _ in range(2)]
    yield both
    for one in both:
        one.stop()
