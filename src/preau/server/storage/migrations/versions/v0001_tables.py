"""Tables, seats, holders, the action log, one-time links and chat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the first schema."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("code", sa.String(12), nullable=False, unique=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rules", sa.String(16), nullable=False),
        sa.Column("wish", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("visibility", sa.String(8), nullable=False),
        sa.Column("timer", sa.String(8), nullable=False),
        sa.Column("timer_ms", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("host", sa.String(32), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("started", sa.BigInteger),
        sa.Column("over", sa.BigInteger),
        sa.Column("rematch", sa.String(32)),
        sa.Column("revision", sa.Integer, nullable=False, server_default="0"),
        sa.Column("wake", sa.BigInteger),
        sa.Column("lease_by", sa.String(32)),
        sa.Column("lease_until", sa.BigInteger, nullable=False, server_default="0"),
    )
    op.create_index("tables_wake", "tables", ["wake"])
    op.create_index("tables_listed", "tables", ["visibility", "status", "created"])
    op.create_table(
        "log",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("actor", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("text", sa.String(80), nullable=False),
        sa.Column("time", sa.BigInteger, nullable=False),
        sa.Column("client", sa.String(40)),
        sa.PrimaryKeyConstraint("table_id", "number"),
    )
    op.create_table(
        "holders",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_index("holders_token", "holders", ["table_id", "token_hash"], unique=True)
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("level", sa.String(24), nullable=False),
        sa.Column("holder", sa.String(32)),
        sa.Column("stand_in", sa.String(24)),
        sa.PrimaryKeyConstraint("table_id", "seat"),
    )
    op.create_table(
        "links",
        sa.Column("code_hash", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(32), nullable=False),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("phrase", sa.String(16), nullable=False),
        sa.Column("time", sa.BigInteger, nullable=False),
    )
    op.create_index("chat_table", "chat", ["table_id", "id"])


def downgrade() -> None:
    """Remove everything."""
    for name in ("chat", "links", "seats", "holders", "log", "tables"):
        op.drop_table(name)
