"""The database, as SQLAlchemy Core tables. `migrations/` makes it; a test holds the two to each other.

`log` is the truth about a game: append-only, unique (table_id, number). `tables`, `seats` and `holders` say who plays
what with whom, `calls` who is to be told that it is their turn, `reviews` and `review_pieces` what was found out about
finished games, `settings` what the house itself keeps. Times are milliseconds since the epoch.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    true,
)

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("code", String(12), nullable=False, unique=True),
    Column("game", String(32), nullable=False),
    Column("rules", String(16), nullable=False),
    Column("wish", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("visibility", String(8), nullable=False),
    Column("timer", String(8), nullable=False),
    Column("timer_ms", BigInteger, nullable=False),
    Column("status", String(8), nullable=False),
    Column("host", String(32), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("started", BigInteger),
    Column("over", BigInteger),
    Column("rematch", String(32)),
    Column("maker", String(32), nullable=False, server_default=""),
    Column("newcomers", Boolean, nullable=False, server_default=true()),
    Column("contest", Text),
    Column("hints", Boolean, nullable=False, server_default=true()),
    Column("hinted", Integer, nullable=False, server_default="0"),
    Column("challenge", String(10), nullable=False, server_default=""),
    Column("start", Text, nullable=False, server_default=""),
    Column("origin", Text),
    Column("series", Text),
    Column("revision", Integer, nullable=False, server_default="0"),
    Column("wake", BigInteger),
    Column("lease_by", String(32)),
    Column("lease_until", BigInteger, nullable=False, server_default="0"),
    Index("tables_wake", "wake"),
    Index("tables_listed", "visibility", "status", "created"),
    Index("tables_maker", "maker", "created"),
)

log = Table(
    "log",
    metadata,
    Column("table_id", String(32), nullable=False),
    Column("number", Integer, nullable=False),
    Column("actor", Integer, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("text", String(80), nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("client", String(40)),
    Column("delay", Integer),
    PrimaryKeyConstraint("table_id", "number"),
)

holders = Table(
    "holders",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("table_id", String(32), nullable=False),
    Column("token_hash", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("holders_token", "table_id", "token_hash", unique=True),
    Index("holders_person", "token_hash"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", String(32), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("name", String(24), nullable=False),
    Column("level", String(24), nullable=False),
    Column("holder", String(32)),
    Column("stand_in", String(24)),
    Column("agreed", Integer, nullable=False, server_default="0"),
    Column("former", String(64), nullable=False, server_default=""),
    PrimaryKeyConstraint("table_id", "seat"),
)

links = Table(
    "links",
    metadata,
    Column("code_hash", String(64), primary_key=True),
    Column("holder", String(32), nullable=False),
    Column("table_id", String(32), nullable=False),
    Column("expires", BigInteger, nullable=False),
)

chat = Table(
    "chat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", String(32), nullable=False),
    Column("seat", Integer),
    Column("name", String(24), nullable=False),
    Column("text", Text, nullable=False),
    Column("phrase", String(16), nullable=False),
    Column("time", BigInteger, nullable=False),
    Index("chat_table", "table_id", "id"),
)

votes = Table(
    "votes",
    metadata,
    Column("table_id", String(32), nullable=False),
    Column("number", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("first", Integer, nullable=False),
    PrimaryKeyConstraint("table_id", "number", "seat"),
)

calls = Table(
    "calls",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("table_id", String(32), nullable=False),
    Column("holder", String(32), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("endpoint_hash", String(64), nullable=False),
    Column("key", String(88), nullable=False, server_default=""),
    Column("auth", String(24), nullable=False, server_default=""),
    Column("language", String(2), nullable=False),
    Column("maker", String(32), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("confirmed", Boolean, nullable=False, server_default=true()),
    Column("told", BigInteger, nullable=False, server_default="0"),
    Column("due", BigInteger),
    Column("marks", Integer, nullable=False, server_default="0"),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("wait_until", BigInteger, nullable=False, server_default="0"),
    Column("lease_by", String(32)),
    Column("lease_until", BigInteger, nullable=False, server_default="0"),
    Index("calls_table", "table_id"),
    Index("calls_due", "due"),
    Index("calls_holder", "holder", "endpoint_hash", unique=True),
    Index("calls_maker", "maker", "created"),
)

reviews = Table(
    "reviews",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("table_id", String(32)),
    Column("maker", String(32), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("status", String(8), nullable=False),
    Column("record", Text, nullable=False),
    Column("plan", Text, nullable=False),
    Column("pieces", Integer, nullable=False),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("found", LargeBinary),
    Column("lease_by", String(32)),
    Column("lease_until", BigInteger, nullable=False, server_default="0"),
    Index("reviews_waiting", "status", "created"),
    Index("reviews_table", "table_id"),
    Index("reviews_maker", "maker", "created"),
)

review_pieces = Table(
    "review_pieces",
    metadata,
    Column("review_id", String(32), nullable=False),
    Column("number", Integer, nullable=False),
    Column("found", LargeBinary, nullable=False),
    PrimaryKeyConstraint("review_id", "number"),
)

settings = Table(
    "settings",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)
